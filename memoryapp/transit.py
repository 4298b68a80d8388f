"""Wrap people's keys by a key service: HashiCorp Vault's or OpenBao's transit engine.

MEMORYAPP_KEY_WRAPPER=memoryapp.transit.from_environment, with VAULT_ADDR, VAULT_TOKEN (or VAULT_TOKEN_FILE) and
MEMORYAPP_TRANSIT_KEY, the name of an `aes256-gcm96` key. The key itself never comes here. Another service
(AWS, Google, Azure) is a class with the same three methods, named by MEMORYAPP_KEY_WRAPPER.
"""

import base64
import os
from pathlib import Path
from typing import Any

import httpx

from memoryapp.errors import VaultUnavailable
from memoryapp.master import KeysetMismatch

TIMEOUT_SECONDS = 5.0


class KeyServiceDown(VaultUnavailable):
    """The key service does not answer."""


class Transit:
    """One key of a transit engine."""

    def __init__(
        self, address: str, token: str, key: str, *, transport: httpx.BaseTransport | None = None
    ) -> None:
        self._key = key
        self._http = httpx.Client(
            base_url=f"{address.rstrip('/')}/v1/transit/",
            headers={"X-Vault-Token": token},
            timeout=TIMEOUT_SECONDS,
            transport=transport,
        )

    def encrypt(self, plaintext: bytes, associated_data: bytes) -> bytes:
        body = {"plaintext": _text(plaintext), "associated_data": _text(associated_data)}
        return str(self._call("POST", f"encrypt/{self._key}", body)["ciphertext"]).encode()

    def decrypt(self, ciphertext: bytes, associated_data: bytes) -> bytes:
        body = {"ciphertext": ciphertext.decode("latin-1"), "associated_data": _text(associated_data)}
        return base64.b64decode(self._call("POST", f"decrypt/{self._key}", body)["plaintext"])

    def primary(self) -> str:
        return f"transit:{self._key}:v{self._call('GET', f'keys/{self._key}')['latest_version']}"

    def _call(self, method: str, path: str, body: dict[str, str] | None = None) -> dict[str, Any]:
        """The answer's data. Raises KeysetMismatch for a ciphertext it refuses, KeyServiceDown for the rest."""
        try:
            answer = self._http.request(method, path, json=body)
            if answer.status_code == httpx.codes.BAD_REQUEST:
                raise KeysetMismatch("the key service does not open this")
            answer.raise_for_status()
            data: dict[str, Any] = answer.json()["data"]
        except (httpx.HTTPError, ValueError, KeyError) as error:
            raise KeyServiceDown(type(error).__name__) from None
        return data


def from_environment() -> Transit:
    """The transit key that the environment names. Raises KeyServiceDown when something is not set."""
    token_file = os.environ.get("VAULT_TOKEN_FILE", "")
    token = Path(token_file).read_text().strip() if token_file else os.environ.get("VAULT_TOKEN", "")
    address, key = os.environ.get("VAULT_ADDR", ""), os.environ.get("MEMORYAPP_TRANSIT_KEY", "")
    if not (address and token and key):
        raise KeyServiceDown("set VAULT_ADDR, VAULT_TOKEN and MEMORYAPP_TRANSIT_KEY")
    return Transit(address, token, key)


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()
