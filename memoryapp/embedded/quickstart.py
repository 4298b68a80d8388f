"""quickstart.json: the addresses and demo credentials of a data folder, for the person and for programs."""

import json
from pathlib import Path
from typing import Any

from memoryapp.embedded.folder import write_private


def read_quickstart(path: Path) -> dict[str, Any]:
    """What the file says; empty when there is none."""
    if not path.exists():
        return {}
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def write_quickstart(path: Path, content: dict[str, Any]) -> None:
    """Replace the file, mode 600, all or nothing."""
    write_private(path, json.dumps(content, ensure_ascii=False, indent=2) + "\n")


def write_addresses(path: Path, *, base_url: str, database_url: str) -> None:
    """Set the two addresses, which may differ at every start, and keep everything else."""
    write_quickstart(path, {"base_url": base_url, "database_url": database_url, **_without_addresses(path)})


def describe(content: dict[str, Any]) -> list[str]:
    """The lines to print for a person: where to go and how to sign in."""
    accounts = [*content.get("users", ()), content.get("service_admin"), content.get("super_admin")]
    lines = [f"  pages     {content['base_url']}/"]
    lines += [f"  sign in   {one['username']:<14} {one['password']}" for one in accounts if one]
    lines += [f"  service   {one['slug']:<14} {one['api_key']}" for one in content.get("services", ())]
    return lines


def _without_addresses(path: Path) -> dict[str, Any]:
    return {
        key: value for key, value in read_quickstart(path).items() if key not in ("base_url", "database_url")
    }
