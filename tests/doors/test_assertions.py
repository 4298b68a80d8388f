"""A service proves who its user is: what is believed, and everything that is not."""

import base64
import json
import time
from collections.abc import Callable
from typing import Any
from unicodedata import normalize

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from memoryapp import assertion_keys
from memoryapp.errors import Conflict, Invalid
from memoryapp.models import AssertionKey

ED, RSA, OTHER = (
    Ed25519PrivateKey.generate(),
    rsa.generate_private_key(65537, 2048),
    Ed25519PrivateKey.generate(),
)


def pem(key: Any) -> str:
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return str(public.decode())


@pytest.fixture
def strict(assistant):
    """The assistant, which has registered two keys and must sign."""
    AssertionKey.objects.create(service=assistant.service, kid="ed", public_key=pem(ED))
    AssertionKey.objects.create(service=assistant.service, kid="rsa", public_key=pem(RSA))
    assistant.service.assertion_required = True
    assistant.service.save()
    return assistant


def token(key: Any = ED, *, kid: str | None = "ed", algorithm: str = "EdDSA", **claims: Any) -> str:
    now = int(time.time())
    body = {"sub": "minji", "aud": "assistant", "iat": now, "exp": now + 120, **claims}
    body = {name: value for name, value in body.items() if value is not None}
    return jwt.encode(body, key, algorithm=algorithm, headers={"kid": kid} if kid else {})


def ask(runtime: Any, signed: str | None, user_id: str = "minji") -> Any:
    extra = {"X-User-Assertion": signed} if signed is not None else {}
    return runtime.post("recall", {"user_id": user_id, "query": "부산"}, **extra)


def unsigned() -> str:
    _, body, _ = token().split(".")
    none = base64.urlsafe_b64encode(json.dumps({"alg": "none", "typ": "JWT"}).encode()).decode().rstrip("=")
    return f"{none}.{body}."


def headed(**header: Any) -> str:
    """A token whose header says whatever, under a signature of nobody."""
    _, body, signature = token().split(".")
    head = json.dumps({"alg": "EdDSA", "typ": "JWT", **header}).encode()
    return f"{base64.urlsafe_b64encode(head).decode().rstrip('=')}.{body}.{signature}"


def with_public_key_as_secret() -> str:
    """The old trick: sign with the public key as if it were a shared secret."""
    import hashlib
    import hmac

    def part(data: dict[str, Any]) -> str:
        return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")

    now = int(time.time())
    body = (
        part({"alg": "HS256", "kid": "rsa"})
        + "."
        + part({"sub": "minji", "aud": "assistant", "exp": now + 60})
    )
    mac = hmac.new(pem(RSA).encode(), body.encode(), hashlib.sha256).digest()
    return body + "." + base64.urlsafe_b64encode(mac).decode().rstrip("=")


GOOD: dict[str, Callable[[], str]] = {
    "ed25519": token,
    "rsa": lambda: token(RSA, kid="rsa", algorithm="RS256"),
    "expired within the leeway": lambda: token(exp=int(time.time()) - 10),
}
BAD: dict[str, Callable[[], str]] = {
    "not a token": lambda: "nonsense",
    "empty": lambda: "",
    "unsigned": unsigned,
    "public key as secret": with_public_key_as_secret,
    "foreign key under our kid": lambda: token(OTHER),
    "unknown kid": lambda: token(kid="unknown"),
    "kid of the other kind of key": lambda: token(kid="rsa"),
    "elliptic curve we do not take": lambda: token(
        ec.generate_private_key(ec.SECP256R1()), algorithm="ES256"
    ),
    "another service": lambda: token(aud="homebot"),
    "no audience": lambda: token(aud=None),
    "expired": lambda: token(exp=int(time.time()) - 60),
    "no expiry": lambda: token(exp=None),
    "lives a day": lambda: token(exp=int(time.time()) + 86_400),
    "not yet": lambda: token(nbf=int(time.time()) + 600),
    "issued in the future": lambda: token(iat=int(time.time()) + 600),
    "nobody": lambda: token(sub=None),
    "empty subject": lambda: token(sub=""),
    "altered": lambda: token()[:-8] + "AAAAAAAA",
    "NUL in the kid": lambda: headed(kid="a\u0000b"),
    "half a character in the kid": lambda: headed(kid="\ud800"),
    "a number as kid": lambda: headed(kid=7),
    "a list as kid": lambda: headed(kid=["ed"]),
    "a header too deep to read": lambda: "W1tb" * 3000 + ".e30.AA",
    "expiry in words": lambda: token(exp="soon"),
    "expiry in digits": lambda: token(exp=str(int(time.time()) + 86_400)),
    "expiry beyond all numbers": lambda: token(exp=10**400),
    "expiry not a number": lambda: token(exp=float("nan")),
    "expiry never": lambda: token(exp=float("inf")),
    "a list as expiry": lambda: token(exp=[1]),
    "a list as not-before": lambda: token(nbf=[1]),
    "an object as issue time": lambda: token(iat={}),
    "issued in infinity": lambda: token(iat=float("inf")),
    "a number as subject": lambda: token(sub=7),
    "an object as audience": lambda: token(aud={"assistant": 1}),
}


@pytest.mark.parametrize("make", GOOD.values(), ids=GOOD)
def test_a_good_assertion_is_believed(strict, minji, make):
    assert ask(strict, make()).status_code == 200


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_the_same_in_either_form(strict, make_person, form):
    make_person("김민지")
    answer = ask(strict, token(sub=normalize(form, "김민지")), normalize(form, "김민지"))
    assert answer.status_code == 200


@pytest.mark.parametrize("make", BAD.values(), ids=BAD)
def test_a_bad_assertion_is_refused(strict, minji, make):
    answer = ask(strict, make())
    assert answer.status_code == 401
    assert answer.json()["code"] == "unauthenticated"
    assert "minji" not in answer.content.decode()


def test_a_bare_user_id_is_refused_where_signing_is_required(strict, minji):
    assert ask(strict, None).status_code == 401
    assert strict.get("memories", user_id="minji").status_code == 401


def test_an_assertion_for_minji_opens_nothing_of_jiho_s(strict, minji, jiho):
    sent = {"X-User-Assertion": token()}
    assert ask(strict, token(), "jiho").status_code == 403
    assert strict.call("GET", "memories?user_id=jiho", **sent).status_code == 403
    assert strict.call("GET", "export?user_id=jiho", **sent).status_code == 403
    assert strict.call("DELETE", "users/jiho", **sent).status_code == 403
    assert strict.put("consents/profile", {"user_id": "jiho", "granted": True}, **sent).status_code == 403
    assert strict.call("GET", f"persons/{jiho.public_id}", **sent).status_code in (403, 404)
    assert strict.call("GET", f"persons/{minji.public_id}", **sent).status_code == 200


def test_a_revoked_key_is_believed_no_more(strict, minji):
    from django.utils import timezone

    AssertionKey.objects.filter(kid="ed").update(revoked_at=timezone.now())
    assert ask(strict, token()).status_code == 401
    assert ask(strict, token(RSA, kid="rsa", algorithm="RS256")).status_code == 200


def test_while_keys_are_changed_an_assertion_that_names_none_is_believed_by_either(strict, minji):
    for key, algorithm in ((ED, "EdDSA"), (RSA, "RS256")):
        assert ask(strict, token(key, kid=None, algorithm=algorithm)).status_code == 200
    assert ask(strict, token(OTHER, kid=None)).status_code == 401


def test_an_assertion_that_was_not_asked_for_still_binds(assistant, minji, jiho):
    AssertionKey.objects.create(service=assistant.service, kid="ed", public_key=pem(ED))
    assert ask(assistant, token(), "minji").status_code == 200
    assert ask(assistant, token(), "jiho").status_code == 403
    assert ask(assistant, None, "jiho").status_code == 200


def jwk(key: Any, **names: Any) -> dict[str, Any]:
    """The public half as a JSON Web Key."""
    kind = jwt.algorithms.OKPAlgorithm if isinstance(key, Ed25519PrivateKey) else jwt.algorithms.RSAAlgorithm
    return {**kind.to_jwk(key.public_key(), as_dict=True), **names}


def test_a_jwk_set_is_registered_whole_and_may_be_sent_again(assistant, minji):
    keys = [jwk(ED, kid="ed", use="sig"), jwk(RSA, kid="rsa", alg="RS256")]
    made = assertion_keys.add(assistant.service, "", json.dumps({"keys": keys[:1]}))
    assert [key.kid for key in made] == ["ed"]
    made = assertion_keys.add(assistant.service, "", json.dumps({"keys": keys}))
    assert [key.kid for key in made] == ["rsa"]
    assert ask(assistant, token()).status_code == 200
    assert ask(assistant, token(RSA, kid="rsa", algorithm="RS256")).status_code == 200
    assert ask(assistant, token(OTHER)).status_code == 401


def test_one_jwk_without_a_name_takes_the_one_given(assistant, minji):
    assertion_keys.add(assistant.service, "mine", json.dumps(jwk(ED)))
    assert ask(assistant, token(kid="mine")).status_code == 200


def test_another_key_under_a_known_name_is_refused_and_nothing_of_the_set_is_kept(assistant):
    assertion_keys.add(assistant.service, "", json.dumps(jwk(ED, kid="ed")))
    with pytest.raises(Conflict):
        assertion_keys.add(
            assistant.service, "", json.dumps({"keys": [jwk(RSA, kid="rsa"), jwk(OTHER, kid="ed")]})
        )
    assert [key.kid for key in AssertionKey.objects.all()] == ["ed"]


SHORT = rsa.generate_private_key(65537, 1024)  # noqa: S505 - to be refused
PRIVATE = jwt.algorithms.OKPAlgorithm.to_jwk(ED, as_dict=True)
HUGE = rsa.RSAPublicNumbers(65537, (1 << 8192) + 1).public_key()
LONG = {**jwt.algorithms.RSAAlgorithm.to_jwk(HUGE, as_dict=True), "kid": "long"}
REFUSED: dict[str, Any] = {
    "a private key": {**PRIVATE, "kid": "ed"},
    "too short": jwk(SHORT, kid="short"),
    "too long": LONG,
    "a shared secret": {"kty": "oct", "k": "c2VjcmV0", "kid": "s"},
    "another curve": jwt.algorithms.ECAlgorithm.to_jwk(
        ec.generate_private_key(ec.SECP256R1()).public_key(), as_dict=True
    )
    | {"kid": "ec"},
    "no keys": {"keys": []},
    "no list": {"keys": "ed"},
    "no objects": {"keys": [1]},
    "a set without names": {"keys": [jwk(ED), jwk(RSA)]},
    "one name twice": {"keys": [jwk(ED, kid="a"), jwk(RSA, kid="a")]},
    "a name that is a number": jwk(ED, kid=7),
    "a name with a NUL": jwk(ED, kid="a\u0000"),
    "no key at all": {"kid": "a"},
    "broken": {"kty": "OKP", "crv": "Ed25519", "x": "!", "kid": "a"},
}


@pytest.mark.parametrize("text", [*map(json.dumps, REFUSED.values()), "{", '{"keys": ' + "[" * 5000], ids=[*REFUSED, "cut off", "deep"])  # fmt: skip
def test_what_is_no_public_key_of_ours_is_refused(assistant, text):
    with pytest.raises(Invalid):
        assertion_keys.add(assistant.service, "", text)
    assert not AssertionKey.objects.exists()
