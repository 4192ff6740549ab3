"""The plugin class for calendars and contacts: recognised by their first line. Imports nothing heavy."""

import re

from sidecar.api import LazyFormat, Source

_BEGIN = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*BEGIN:V(?:CALENDAR|CARD)\s", re.IGNORECASE)


class CalendarFormat(LazyFormat):
    """Calendars (.ics), tasks and contacts (.vcf)."""

    name = "calendar"
    version = "10"
    media_types: tuple[str, ...] = ("text/calendar", "text/vcard", "text/x-vcard", "text/x-vcalendar")
    suffixes: tuple[str, ...] = (".ics", ".ical", ".ifb", ".vcs", ".vcf", ".vcard")

    def score(self, source: Source) -> int:
        """85 for a calendar's or contact's first line, 70 under another suffix; 0 for anything else."""
        if not _BEGIN.match(source.head.replace(b"\0", b"")):  # some programs write UTF-16
            return 0
        return 85 if source.suffix in self.suffixes else 70
