"""Signed user assertions: a service proves who its user is, instead of merely saying so."""

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any
from unicodedata import normalize

import jwt

from memoryapp import key_url
from memoryapp.errors import Unauthenticated
from memoryapp.models import AssertionKey, ChatService
from memoryapp.permit import Caller
from memoryapp.public_keys import ALGORITHMS

#: However long a stolen assertion can be replayed.
MAX_LIFETIME_SECONDS = 600
LEEWAY_SECONDS = 30
#: An assertion that names no key is tried with so many of the newest: while keys are changed, two of them sign.
MOST_TRIED = 5
#: What a token of any bytes whatever makes the parsers below raise, besides the errors they declare.
UNREADABLE = (ValueError, TypeError, OverflowError, RecursionError)


def apply(caller: Caller, token: str | None) -> Caller:
    """Bind the caller to the asserted user. Raises Unauthenticated for a bad one, or a missing one that is required."""
    service = caller.service
    if service is None:
        return caller
    if not token:
        if service.assertion_required:
            raise Unauthenticated("this service requires a signed X-User-Assertion")
        return caller
    return replace(caller, asserted_user_id=_subject(service, token))


def _subject(service: ChatService, token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
        claims = _verified(service, token, str(header.get("kid", "")))
        lives = float(claims["exp"]) - time.time()
    except (jwt.PyJWTError, *UNREADABLE) as error:
        raise Unauthenticated("the user assertion is not valid") from error
    if not lives <= MAX_LIFETIME_SECONDS:
        raise Unauthenticated("the user assertion lives too long")
    if not claims["sub"]:
        raise Unauthenticated("the user assertion names nobody")
    return normalize("NFC", str(claims["sub"]))  # as every id of a body


def _verified(service: ChatService, token: str, kid: str) -> dict[str, Any]:
    keys = AssertionKey.objects.filter(service=service, revoked_at__isnull=True)
    if not kid.isprintable():  # no registered one is, and PostgreSQL takes no NUL and no half a character
        raise jwt.InvalidKeyError
    for key in keys.filter(kid=kid) if kid else keys.order_by("-pk")[:MOST_TRIED]:
        with suppress(
            jwt.InvalidSignatureError, jwt.InvalidKeyError, TypeError
        ):  # another key, or of another kind
            return _claims(service, token, key)
    # Perhaps one that its service has published since: not for this request, but for the next.
    key_url.ask(service)
    raise jwt.InvalidKeyError


def _claims(service: ChatService, token: str, key: AssertionKey) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(
        token,
        key.public_key,
        algorithms=list(ALGORITHMS),
        audience=service.slug,
        leeway=LEEWAY_SECONDS,
        options={"require": ["exp", "sub", "aud"]},
    )
    return claims
