"""How full a block is, in the model's own tokens."""


def usage(tokens: int, max_tokens: int | None) -> str:
    """`0% — 7/2000 tokens`; without a limit `7 tokens`."""
    return (
        f"{tokens} tokens"
        if max_tokens is None
        else f"{percent(tokens, max_tokens)}% — {tokens}/{max_tokens} tokens"
    )


def percent(tokens: int, max_tokens: int) -> int:
    """Rounded half up, in whole numbers."""
    return (200 * tokens + max_tokens) // (2 * max_tokens)
