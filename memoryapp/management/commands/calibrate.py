"""Calibrate an embedding space: learn its scores from the labelled pairs, and show how well they fit."""

import json
from argparse import ArgumentParser
from collections import defaultdict
from typing import Any

import numpy as np
from django.core.management.base import BaseCommand, CommandError

from memoryapp import providers
from memoryapp.index import calibrate, embed, spaces
from memoryapp.models import EmbeddingSpace
from memoryapp.providers.base import Embedder, EmbedderDown


class Command(BaseCommand):
    help = "Learn how the raw numbers of an embedding space become scores, and keep it with the space."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--space", type=int, help="its id; the one being built, or else the serving one")
        parser.add_argument("--built-in", choices=sorted(providers.SPACES), help="write the file that ships")

    def handle(self, *, space: int | None, built_in: str | None, **options: Any) -> None:
        try:
            if built_in:
                self._ship(built_in)
            else:
                self._keep(_chosen(space))
        except EmbedderDown as error:
            raise CommandError(str(error)) from error

    def _ship(self, name: str) -> None:
        first = providers.SPACES[name]
        embedder = providers.open_embedder(name, model=first.model, base_url="", dims=first.dims)
        data = calibrate.learn(embedder, calibrate.pairs())
        path = providers.CALIBRATIONS / f"{first.model}.json"
        path.write_text(json.dumps(data) + "\n")
        self._show(embedder, data)

    def _keep(self, space: EmbeddingSpace) -> None:
        embedder = embed.embedder(space)
        data = calibrate.learn(embedder, calibrate.pairs())
        spaces.recalibrate(space, data)
        self._show(embedder, data)

    def _show(self, embedder: Embedder, data: dict[str, Any]) -> None:
        groups: dict[str, list[float]] = defaultdict(list)
        for pair, score in calibrate.measure(embedder, data, calibrate.pairs()):
            groups[pair.label].append(score)
        self.stdout.write(f"lexical weight {data['lexical_weight']}")
        for label, (low, high) in calibrate.BOUNDS.items():
            scores = np.array(groups[label])
            inside = float(np.mean((scores >= low) & (scores <= high)))
            p5, p50, p95 = np.quantile(scores, [0.05, 0.5, 0.95])
            self.stdout.write(
                f"{label:10} {len(scores):4} pairs  p5 {p5:.2f}  p50 {p50:.2f}  p95 {p95:.2f}"
                f"  {inside:4.0%} between {low} and {high}"
            )


def _chosen(space_id: int | None) -> EmbeddingSpace:
    if space_id is not None:
        found = EmbeddingSpace.objects.filter(pk=space_id).first()
    else:
        found = spaces.building() or spaces.serving()
    if found is None:
        raise CommandError("there is no such embedding space")
    return found
