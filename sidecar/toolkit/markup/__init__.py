"""A toolkit for formats that are marked-up text: inline runs, chapters, data URLs, HTML trees and Markdown to blocks.

Not imported by `sidecar.api`: `html` needs lxml and `markdown` needs markdown-it-py."""
