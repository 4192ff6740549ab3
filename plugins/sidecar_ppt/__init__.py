"""PowerPoint 97–2003 presentations (.ppt, .pps, .pot), read without any program ([MS-PPT])."""

from sidecar_ppt.plugin import PptFormat as PptFormat
