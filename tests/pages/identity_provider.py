"""A program for test_identity_provider.py: the product with OIDC switched on, and a small provider beside it.

Prints one JSON object: what each sign-in led to.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SECRET = "a secret that is long enough for HMAC"


class Provider(BaseHTTPRequestHandler):
    """Discovery, tokens and user info; `claims` says who is signing in."""

    claims: dict[str, str] = {}
    port = 0

    def do_GET(self) -> None:
        here = f"http://127.0.0.1:{self.port}"
        if self.path.startswith("/userinfo"):
            self._answer(self.claims)
        else:
            names = ("authorization", "token", "userinfo")
            endpoints = {f"{name}_endpoint": f"{here}/{name}" for name in names}
            self._answer({"issuer": here, "jwks_uri": f"{here}/keys", **endpoints})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer({"access_token": "token", "token_type": "Bearer", "expires_in": 60})

    def _answer(self, data: dict[str, Any]) -> None:
        body = json.dumps(data).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in the base class
        """Quiet."""


def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Provider)
    Provider.port = server.server_port
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ |= {
        "OIDC_SERVER_URL": f"http://127.0.0.1:{server.server_port}",
        "OIDC_CLIENT_ID": "memoryapp",
        "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_NAME": "Narae",
    }
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.ALLOWED_HOSTS = ["testserver"]
    call_command("migrate", interactive=False, verbosity=0)
    call_command("init_vault", verbosity=0)
    json.dump(story(), sys.stdout)
    server.shutdown()


def story() -> dict[str, Any]:
    from django.test import Client

    from memoryapp import persons
    from speakers.models import Person, User

    persons.register("emp-7", "Minji")  # a service has spoken of her before
    User.objects.create_user("local", password="x" * 12)
    door = Client(headers={"accept-language": "en"}).get("/accounts/login/").content.decode()
    first, again = sign_in({"sub": "emp-7", "email": "m@x.example"}), sign_in({"sub": "emp-7"})
    taken = sign_in({"sub": "local"})
    return {
        "door": "Sign in with Narae" in door,
        "first": first,
        "again": again,
        "taken": taken,
        "logins": sorted(User.objects.values_list("username", flat=True)),
        "minji": Person.objects.get(user_id="emp-7").login == User.objects.get(username="emp-7"),
        "people": Person.objects.count(),
    }


def sign_in(claims: dict[str, str]) -> dict[str, Any]:
    from django.test import Client

    Provider.claims = claims
    browser = Client(headers={"accept-language": "en"})
    leave = browser.get("/accounts/oidc/oidc/login/")
    query = parse_qs(urlsplit(leave.headers["Location"]).query)
    back = browser.get("/accounts/oidc/oidc/login/callback/", {"code": "x", "state": query["state"][0]})
    page = browser.get("/me/memories/")
    erase = browser.get("/me/erase/")
    return {
        "scope": query["scope"],
        "pkce": query.get("code_challenge_method"),
        "status": back.status_code,
        "to": back.headers.get("Location", ""),
        "page": page.status_code,
        "password_asked": b'name="password"' in erase.content,
    }


if __name__ == "__main__":
    main()
