"""The Django commands that prepare a start, in one process because starting Django is what takes the time.

The supervisor runs it as `python -m memoryapp.embedded.django_steps QUICKSTART_PATH`.
"""

import hashlib
import sys
from pathlib import Path


def main(quickstart: str) -> None:
    """Exits with the command's own message when one refuses, as `manage.py` would."""
    import django
    from django.core.management import CommandError, call_command

    django.setup()
    try:
        call_command("migrate", "--no-input", verbosity=0)
        call_command("init_vault", verbosity=0)
        call_command("restore_check", verbosity=0)
        _collect_static_files()
        call_command("seed_demo", "--quickstart", quickstart, verbosity=0)
    except CommandError as refusal:
        sys.exit(str(refusal))


def _collect_static_files() -> None:
    """Collect only when a file changed: hashing and compressing all of them takes seconds."""
    from django.conf import settings
    from django.core.management import call_command

    target = Path(settings.STATIC_ROOT)
    stamp = target.parent / "run" / "static-files"
    state = _fingerprint()
    if target.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == state:
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    stamp.write_text(state, encoding="ascii")


def _fingerprint() -> str:
    """Changes with any static file of the project or of an installed app."""
    from django.contrib.staticfiles.finders import get_finders

    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            digest.update(f"{name} {state.st_size} {state.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main(sys.argv[1])
