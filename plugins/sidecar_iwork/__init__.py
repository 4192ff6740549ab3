"""Apple's iWork: Pages, Keynote and Numbers."""

from sidecar_iwork.plugin import IworkFormat as IworkFormat
