"""WordPerfect documents (.wpd) of WordPerfect 5 and newer."""

from sidecar_wordperfect.plugin import WordperfectFormat as WordperfectFormat
