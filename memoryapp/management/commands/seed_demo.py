"""Seed the demo: two people, two services, an admin of each kind. A second run changes nothing."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from memoryapp import keys, persons, revisions
from memoryapp.models import ChatService, RevisionState, ServiceKey, ServiceMember
from speakers.models import User

PEOPLE = (("minji", "민지"), ("jiho", "지호"))
SERVICES = (("assistant", "AI 비서"), ("homebot", "홈봇"))


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--quickstart", type=Path, default=settings.DATA_DIR / "quickstart.json")
        parser.add_argument("--base-url", default="http://127.0.0.1:8000")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["quickstart"]
        known = json.loads(path.read_text()) if path.exists() else {}
        with transaction.atomic():
            demo = _seed(known)
        demo |= {"base_url": options["base_url"], "database_url": os.environ.get("DATABASE_URL", "")}
        _write(path, demo)
        self.stdout.write(f"Demo ready: {path}")


def _seed(known: dict[str, Any]) -> dict[str, Any]:
    passwords = {user["username"]: user["password"] for user in _users(known)}
    users = [_person(username, name, passwords) for username, name in PEOPLE]
    admin = _login("service-admin", passwords)
    superuser = _login("super-admin", passwords, is_staff=True, is_superuser=True)
    secrets_known = {service["slug"]: service["api_key"] for service in known.get("services", [])}
    services = [_service(slug, name, admin["username"], secrets_known) for slug, name in SERVICES]
    return {"users": users, "service_admin": admin, "super_admin": superuser, "services": services}


def _users(known: dict[str, Any]) -> list[dict[str, Any]]:
    admins = [known[name] for name in ("service_admin", "super_admin") if name in known]
    return [*known.get("users", []), *admins]


def _person(username: str, name: str, passwords: dict[str, str]) -> dict[str, str]:
    login = _login(username, passwords)
    user = User.objects.get(username=username)
    person, _ = persons.register(username, name, login=user)
    return {**login, "user_id": person.user_id}


def _login(username: str, passwords: dict[str, str], **flags: bool) -> dict[str, str]:
    """A login whose password is made once and kept in quickstart.json."""
    password = passwords.get(username) or secrets.token_urlsafe(12)
    user, _ = User.objects.get_or_create(username=username, defaults=flags)
    if not user.check_password(password):
        user.set_password(password)
        user.save()
    return {"username": username, "password": password}


def _service(slug: str, name: str, admin: str, known: dict[str, str]) -> dict[str, Any]:
    service, made = ChatService.objects.get_or_create(slug=slug, defaults={"name": name})
    ServiceMember.objects.get_or_create(service=service, user=User.objects.get(username=admin))
    if made:
        draft = revisions.draft(service)
        revisions.edit(
            draft,
            memory_enabled=True,
            per_turn_extraction=True,
            nightly_enabled=True,
            recall_scopes=["personal", "service"],
        )
        revisions.deploy(draft)
    secret = known.get(slug)
    if not secret or keys.recognise(secret) is None:
        ServiceKey.objects.filter(service=service, name="demo").delete()
        _, secret = keys.issue(service, name="demo")
    revision = service.revisions.get(state=RevisionState.DEPLOYED)
    return {"slug": slug, "api_key": secret, "revision": revision.number}


def _write(path: Path, demo: dict[str, Any]) -> None:
    """Mode 600 from the first byte on, and never half a file."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_suffix(".tmp")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        json.dump(demo, file, ensure_ascii=False, indent=2)
    draft.replace(path)
