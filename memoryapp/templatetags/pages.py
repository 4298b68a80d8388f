"""Times, validity and marks, said the way people say them."""

from datetime import date, datetime, timedelta
from typing import Any

from django import template
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from memoryapp import rfc3339
from memoryapp.models import Memory, Status

register = template.Library()

#: Django's own Korean format puts 오후 behind the hour.
_FORMATS = {"ko": ("Y년 n월 j일 H:i", "Y년 n월 j일"), "en": ("j M Y, H:i", "j M Y")}
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@register.filter
def moment(value: datetime | None) -> str | SafeString:
    """A date and time of day in the person's zone."""
    return _time(value, 0)


@register.filter
def day(value: datetime | None) -> str | SafeString:
    return _time(value, 1)


@register.filter
def plain_moment(value: datetime | None) -> str:
    """The same without markup, for inside a drawing."""
    return _spoken(value, 0) if value else ""


@register.filter
def plain_day(value: date | None) -> str:
    return _spoken(value, 1) if value else ""


@register.filter
def ticks(text: str) -> SafeString:
    """`code` in a sentence, set as code."""
    parts = str(text).split("`")
    return format_html_join(
        "",
        "{}",
        ((format_html("<code>{}</code>", part) if at % 2 else part,) for at, part in enumerate(parts)),
    )


@register.filter
def svg(value: float) -> str:
    """A number as SVG reads it, whatever the language does with decimals."""
    return f"{value:g}"


@register.filter
def ago(value: datetime | None) -> str | SafeString:
    """How long ago, for the last month; the date for what is older. The exact time stands in the title."""
    if value is None:
        return ""
    words = _ago(timezone.now() - value) or _spoken(value, 1)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', rfc3339.tell(value), _spoken(value, 0), words
    )


@register.filter
def validity(memory: Memory) -> str:
    """From when until when a memory holds, in words."""
    start, end = memory.valid_from, memory.valid_to
    if start and end:
        return f"{_spoken(start, 1)} – {_spoken(end, 1)}"
    if end:
        return _("until %(day)s") % {"day": _spoken(end, 1)}
    if start:
        return _("since %(day)s") % {"day": _spoken(start, 1)}
    return _("no end")


@register.filter
def holds(memory: Memory) -> str:
    """now | past | later: whether a memory holds at this moment."""
    now = timezone.now()
    if memory.status in (Status.SUPERSEDED, Status.EXPIRED) or (memory.valid_to and memory.valid_to <= now):
        return "past"
    return "later" if memory.valid_from and memory.valid_from > now else "now"


@register.filter
def paragraphs(text: str) -> list[tuple[str, list[str]]]:
    """A plain text with lines that begin with "•" as lists: [("text" | "list", lines)]."""
    parts: list[tuple[str, list[str]]] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        kind = "list" if line.startswith("•") else "text"
        if not parts or parts[-1][0] != kind or kind == "text":
            parts.append((kind, []))
        parts[-1][1].append(line.removeprefix("•").strip())
    return parts


@register.filter
def percent(value: float | None) -> str:
    return "" if value is None else f"{round(value * 100)} %"


@register.filter
def get(mapping: Any, key: str) -> Any:
    return mapping.get(key, "") if mapping else ""


def _time(value: datetime | None, which: int) -> str | SafeString:
    if value is None:
        return ""
    return format_html('<time datetime="{}">{}</time>', rfc3339.tell(value), _spoken(value, which))


def _spoken(value: date, which: int) -> str:
    language = (get_language() or "ko").partition("-")[0]
    local = timezone.localtime(value) if isinstance(value, datetime) else value
    return formats.date_format(local, _FORMATS.get(language, _FORMATS["en"])[which])


def _ago(past: timedelta) -> str:
    """Empty for what is older than thirty days or still to come."""
    if timedelta(0) > past > -_MINUTE or timedelta(0) <= past < _MINUTE:
        return _("just now")
    if past < timedelta(0) or past >= 30 * _DAY:
        return ""
    if past < _HOUR:
        count = past // _MINUTE
        return ngettext("%(count)d minute ago", "%(count)d minutes ago", count) % {"count": count}
    if past < _DAY:
        count = past // _HOUR
        return ngettext("%(count)d hour ago", "%(count)d hours ago", count) % {"count": count}
    count = past // _DAY
    return ngettext("%(count)d day ago", "%(count)d days ago", count) % {"count": count}
