"""What a device says aloud when something is refused: in the caller's language, and nothing personal."""

from typing import Literal

from django.utils.translation import get_language

Notice = Literal["stranger", "ask-owner"]

_TEXTS: dict[Notice, dict[str, str]] = {
    "stranger": {
        "ko": "개인 기록은 확인할 수 없습니다.",
        "en": "Personal records cannot be shown.",
    },
    "ask-owner": {
        "ko": "이 작업을 시작한 분의 확인이 필요합니다.",
        "en": "The person who started this has to confirm it.",
    },
}


def say(notice: Notice) -> str:
    """The text in the language of the request (Accept-Language); Korean unless English was asked for."""
    return _TEXTS[notice]["en" if (get_language() or "").startswith("en") else "ko"]
