"""Calendars and contacts: iCalendar (RFC 5545) and vCard (RFC 6350, 2426 and 2.1)."""

from sidecar_calendar.plugin import CalendarFormat as CalendarFormat
