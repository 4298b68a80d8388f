"""What the API accepts: strict objects, clean text, times with an offset. Shapes only, no logic."""

import math
import re
import unicodedata
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone, translation
from rest_framework import serializers

from memoryapp import rfc3339
from memoryapp.text import MAX_BYTES, TextTooLong, clean, clean_json
from memoryapp.when import is_tellable
from speakers.session_ids import WHY, addressable

#: Spaces of every kind, and marks without a shape of their own.
_UNSEEN = frozenset({"Zs", "Zl", "Zp", "Cf"})
#: Letters and signs that show nothing all the same: the Hangul fillers, and Braille without a dot.
_EMPTY = frozenset("\u115f\u1160\u3164\uffa0\u2800")
#: Python reads "1_0" and full-width digits as numbers too.
_DIGITS = re.compile(r"-?[0-9]{1,18}")


class StrictSerializer(serializers.Serializer[Any]):
    """A JSON object whose every field is known. A misspelt field is an error, never ignored."""

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        """Errors are for who wrote the caller, so in English, whatever language its user reads."""
        with translation.override("en"):
            return super().is_valid(raise_exception=raise_exception)

    def to_internal_value(self, data: Any) -> Any:
        if hasattr(data, "keys"):
            unknown = sorted(set(map(str, data.keys())) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({clean(name)[:64]: ["Unknown field."] for name in unknown})
        return super().to_internal_value(data)


class IdField(serializers.CharField):
    """An id given by a caller: 1–255 characters, no control characters, compared exactly."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **{"max_length": 255, **kwargs})
        self.validators = [
            v for v in self.validators if type(v).__name__ != "ProhibitNullCharactersValidator"
        ]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("Must be a string.")
        text = unicodedata.normalize("NFC", data)
        if any(unicodedata.category(c) in ("Cc", "Cs") for c in text):
            raise serializers.ValidationError("Must not contain control characters.")
        if "\ufffd" in text:
            raise serializers.ValidationError("Must be valid UTF-8.")  # what could not be read was put so
        if not _shows(text):
            raise serializers.ValidationError("Must not be blank.")  # nor made of what cannot be seen
        return text


def _shows(text: str) -> bool:
    """Whether anything of it can be seen."""
    return any(c not in _EMPTY and unicodedata.category(c) not in _UNSEEN | {"Cc"} for c in text)


class SessionIdField(IdField):
    """The id of a session. One that reads like an address under another session is refused."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not addressable(text):
            raise serializers.ValidationError(WHY)
        return text


class TextField(serializers.CharField):
    """Content: cleaned, NFC, at most 32 KiB."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)
        self.validators = [
            v for v in self.validators if type(v).__name__ != "ProhibitNullCharactersValidator"
        ]

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, str):
            try:
                data = clean(data)
            except TextTooLong:
                raise serializers.ValidationError(f"At most {MAX_BYTES} bytes (32 KiB).") from None
            if not _shows(data) and not self.allow_blank:
                raise serializers.ValidationError("Must not be blank.")
        elif data is not serializers.empty and data is not None:
            raise serializers.ValidationError("Must be a string.")
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        return str(data)


class FlagField(serializers.BooleanField):
    """true or false, nothing that merely looks like it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            raise serializers.ValidationError("Must be true or false.")
        return data


class NumberField(serializers.FloatField):
    """A finite JSON number."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise serializers.ValidationError("Must be a number.")
        try:
            number = float(data)
        except OverflowError:  # whole numbers have no bound in JSON
            number = math.inf
        if not math.isfinite(number):
            raise serializers.ValidationError("Must be a number.")
        return number


class CountField(serializers.IntegerField):
    """A whole JSON number (a digit string in a query)."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool | float) or (isinstance(data, str) and not _DIGITS.fullmatch(data)):
            raise serializers.ValidationError("Must be a whole number.")
        return super().to_internal_value(data)


class MomentField(serializers.Field[datetime, Any, str, Any]):
    """An RFC 3339 time with an offset."""

    def to_internal_value(self, data: Any) -> datetime:
        moment = rfc3339.read(data) if isinstance(data, str) else None
        if moment is not None and is_tellable(moment):
            return moment
        if isinstance(data, str) and rfc3339.read(f"{data}Z"):
            raise serializers.ValidationError("Must carry an offset, e.g. +09:00 or Z.")
        raise serializers.ValidationError("Must be an RFC 3339 time, e.g. 2026-05-16T09:00:00+09:00.")

    def to_representation(self, value: datetime) -> str:
        return rfc3339.tell(value)


class FutureField(MomentField):
    """A time that has not come."""

    def to_internal_value(self, data: Any) -> datetime:
        moment = super().to_internal_value(data)
        if moment <= timezone.now():
            raise serializers.ValidationError("Must lie in the future.")
        return moment


class AsOfField(serializers.Field[tuple[datetime, datetime], Any, str, Any]):
    """An instant with an offset, or a date: the whole local day in the service's zone. → (start, end)."""

    def to_internal_value(self, data: Any) -> tuple[datetime, datetime]:
        day = rfc3339.read_day(data) if isinstance(data, str) else None
        if day is not None and 1 < day.year < 9999:
            zone = ZoneInfo(self.context.get("zone", "Asia/Seoul"))
            start = datetime.combine(day, time(), zone)
            return start, datetime.combine(day + timedelta(days=1), time(), zone) - timedelta(microseconds=1)
        moment = MomentField().to_internal_value(data)
        return moment, moment


class JsonField(serializers.JSONField):
    """A small JSON object; its strings are cleaned."""

    limit = 8 * 1024

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            raise serializers.ValidationError("Must be an object.")
        if len(str(data)) > self.limit:
            raise serializers.ValidationError(f"At most {self.limit} characters.")
        return clean_json(data)


class EvidenceField(JsonField):
    """What a decision rests on: an object, or a sentence, which is kept as its note."""

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value({"note": data} if isinstance(data, str) else data)


class WordsField(serializers.ListField):
    """A list of short texts."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=TextField(max_length=500), max_length=100, **kwargs)


class IdsField(serializers.ListField):
    """A list of ids given by a caller."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=IdField(), max_length=200, **kwargs)
