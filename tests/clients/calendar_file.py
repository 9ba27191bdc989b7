"""Reads the calendar that the quickstart of leagues has downloaded, with a library for calendars."""

import sys
from datetime import datetime, timezone

from icalendar import Calendar

with open(sys.argv[1], "rb") as file:
    calendar = Calendar.from_ical(file.read())
assert calendar["X-WR-CALNAME"] == "Punic Cup", calendar
events = calendar.events
assert len(events) == 2, events
assert len({str(event["UID"]) for event in events}) == 2, events
for number, event in enumerate(events, 1):
    assert not event.errors, event.errors
    assert event.decoded("DTSTART") == datetime(2099, 12, 31, 20, tzinfo=timezone.utc), event
    assert event["SUMMARY"] == f"Punic Cup, round 1, table {number}: deadline", event
    assert len(event["DESCRIPTION"].split("\n")) == 4, event
    assert event["STATUS"] == "CONFIRMED", event
