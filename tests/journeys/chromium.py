"""Where Chromium is, and how it is started: without reaching out to anybody."""

import os
import shutil

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip


def chromium() -> str | None:
    """CHROMIUM, or the first one on the path; None without any."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
