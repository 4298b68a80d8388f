"""Recall@5, recall@10 and nDCG@10 per set and language of the question, of four ways of searching."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from memoryapp.index import embed, spaces, terms
from tests.eval import sets
from tests.eval.baselines import Bm25, cosine_order
from tests.eval.metrics import Figures, figures, mean
from tests.eval.sets import Corpus, Question
from tests.eval.store import Stored, content

PRODUCT = "the product's search"
PLAIN = "  without surroundings"
#: nDCG@10 of the product's search, by how a set's name begins.
TARGETS = {"ko_memory": 66.0, "ko_strategyqa": 87.0, "locomo": 60.0}
HEADING = f"{'set':28} {'language':8} {'questions':>9}  {'':24} recall@5 recall@10 nDCG@10"


def folder(place: Path) -> Iterator[str]:
    """Prints the figures of each set in it. → a line for each set below its target."""
    for name in sets.names(place):
        reached = _set(name, sets.read(place, name))
        for begins, target in TARGETS.items():
            if name.startswith(begins) and reached < target:
                yield f"{name}: nDCG@10 {reached:.1f} is below {target:.0f}"


def _set(name: str, corpora: Sequence[Corpus]) -> float:
    rows: dict[str, dict[str, list[Figures]]] = defaultdict(lambda: defaultdict(list))
    for corpus in corpora:
        for question, orders in _answers(corpus):
            for way, order in orders.items():
                found = figures(order, question.gold)
                rows["ko" if terms.language(question.text) else "en"][way].append(found)
                rows["all"][way].append(found)
    for language in sorted(rows, key="all en ko".split().index) if len(rows) > 2 else ["all"]:
        for way, each in rows[language].items():
            print(_line(name, language, way, each))
    return mean(rows["all"][PRODUCT]).ndcg10


def _answers(corpus: Corpus) -> Iterator[tuple[Question, dict[str, list[str]]]]:
    """Each question with what every way finds, best first."""
    space = spaces.ensure_first()
    texts = [content(doc).searchable() for doc in corpus.docs]
    vectors = np.stack(embed.passages(space, texts))
    stored, words = Stored(space, corpus, vectors), Bm25(texts)
    ids = [doc.id for doc in corpus.docs]
    for question in corpus.questions:
        vector = embed.query(space, question.text)
        found = stored.find(question, vector)
        yield (
            question,
            {
                PRODUCT: [name for name, _ in found],
                PLAIN: stored.plain(question, found),
                "BM25 alone": [ids[i] for i in words.order(question.text)[:10]],
                "cosine alone": [ids[i] for i in cosine_order(vector, vectors)[:10]],
            },
        )


def _line(name: str, language: str, way: str, rows: Sequence[Figures]) -> str:
    found = mean(rows)
    return (
        f"{name:28} {language:8} {len(rows):9}  {way:24}"
        f" {found.recall5:8.1f} {found.recall10:9.1f} {found.ndcg10:7.1f}"
    )
