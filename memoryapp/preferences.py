"""What a person decides about their own pages: what to be called, their zone, their language."""

from speakers.models import Person

#: Zones to choose from without scrolling for ever; a person's own is always among them.
ZONES = (
    "Asia/Seoul", "Asia/Tokyo", "Asia/Shanghai", "Asia/Hong_Kong", "Asia/Taipei", "Asia/Singapore",
    "Asia/Bangkok", "Asia/Ho_Chi_Minh", "Asia/Jakarta", "Asia/Manila", "Asia/Kolkata", "Asia/Dubai",
    "Asia/Almaty", "Europe/Moscow", "Europe/Istanbul", "Europe/Athens", "Europe/Berlin",
    "Europe/Paris", "Europe/Madrid", "Europe/London", "UTC", "Africa/Johannesburg", "Africa/Cairo",
    "America/Sao_Paulo", "America/New_York", "America/Toronto", "America/Chicago", "America/Denver",
    "America/Los_Angeles", "America/Vancouver", "Pacific/Honolulu", "Australia/Perth",
    "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip


def keep(
    person: Person, *, display_name: str | None = None, zone: str | None = None, language: str | None = None
) -> None:
    """Keep what was decided; None leaves it as it is."""
    wanted = {"display_name": display_name, "zone": zone, "language": language}
    changes = {name: value for name, value in wanted.items() if value is not None}
    for name, value in changes.items():
        setattr(person, name, value)
    person.save(update_fields=list(changes))
