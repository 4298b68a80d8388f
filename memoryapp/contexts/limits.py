"""How much a session may hold. One place, so that every door refuses the same."""

from memoryapp.text import MAX_BYTES

BLOCKS_PER_SESSION = 32
ENTRIES_PER_BLOCK = 500
GRANTS_PER_BLOCK = 32
TEXT_BYTES = MAX_BYTES  # of one block's text, or of one entry
SESSION_BYTES = 1024 * 1024  # of all texts that belong to one session
MAX_TOKENS = 200_000  # the most that a block's own limit may be

SEARCH_RESULTS = 8
RESULT_CHARACTERS = 4000  # of one found entry; the rest is left out, and that is said
