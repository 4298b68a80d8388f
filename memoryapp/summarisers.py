"""Which summariser writes: the built-in extractive one, or the language model a revision has chosen."""

from django.conf import settings

from memoryapp import costs
from memoryapp.models import ExtractorKind
from memoryapp.permit import Permit
from memoryapp.summarise import Digest, Extractive, Line, Summariser

SUMMARY = "summary"
#: After so many failures of a model the built-in way writes: a plain summary is better than none.
MODEL_ATTEMPTS = 3


def chosen(permit: Permit, attempts: int = 1) -> Summariser:
    """The summariser of the deployed revision, for the so-manieth attempt."""
    revision = permit.revision
    if revision.extractor != ExtractorKind.LLM or attempts > MODEL_ATTEMPTS:
        return Extractive()
    if costs.budget_is_spent(permit.service):
        return Extractive()
    from memoryapp.summarise_llm import LlmSummariser  # its SDK takes 1 s to load, and few revisions need it

    return LlmSummariser(
        base_url=revision.extractor_url or settings.LLM_BASE_URL,
        api_key=settings.LLM_API_KEY or "none",
        model=revision.extractor_model or settings.LLM_MODEL,
        timeout=settings.LLM_SECONDS,
    )


def summarise(permit: Permit, summariser: Summariser, level: str, lines: list[Line]) -> Digest:
    """Let it write; what was used is charged. Raises SummariserDown."""
    try:
        return summariser.summarise(level, lines)
    finally:  # a model that answered badly has cost all the same
        used = summariser.used
        if used.calls:
            spent = costs.Used(calls=used.calls, tokens_in=used.tokens_in, tokens_out=used.tokens_out)
            costs.charge(permit, SUMMARY, spent)
