import contextlib


def say(line: str) -> None:
    """One line to the person at the terminal; nobody listening is no reason to fail."""
    with contextlib.suppress(BrokenPipeError):
        print(line, flush=True)
