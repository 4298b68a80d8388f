"""What a Korean clause tells about a person: one function per kind of predicate, the first that answers counts."""

from collections.abc import Callable

from memoryapp.extract.rules.korean_days import agreed, became, duty, life, once, plan, scheduled
from memoryapp.extract.rules.korean_favourites import sided
from memoryapp.extract.rules.korean_habits import (
    daily,
    going_on,
    habit,
    lasting,
    needed,
    stopped,
    trying,
    using,
)
from memoryapp.extract.rules.korean_people import belongings, relatives, shop, staying, theirs
from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.korean_scores import score, sized
from memoryapp.extract.rules.korean_self import (
    ability,
    existence,
    keeping,
    named,
    own_words,
    placed,
    residence,
    tendency,
    unmarried,
)
from memoryapp.extract.rules.korean_tastes import (
    allergy,
    avoiding,
    body,
    eating,
    level,
    liking,
    no_more,
    quitting,
    reaction,
    suffering,
)
from memoryapp.extract.rules.korean_work import work
from memoryapp.extract.rules.slots import Finding

Rule = Callable[[Scene], Finding | None]


def judge(scene: Scene) -> Finding | None:
    """The finding of the first rule that knows the clause, or None: nothing to keep."""
    for rule in RULES:
        found = rule(scene)
        if found is not None:
            return found
    return None


RULES: tuple[Rule, ...] = (
    allergy, reaction, score, sized, needed, sided, suffering, scheduled, relatives, shop, staying, named, lasting, level, quitting, body, liking, no_more, eating, keeping, placed, existence, agreed, unmarried, residence, daily, work, ability, duty, once, plan, life, became, using, going_on, trying, stopped, habit, avoiding, tendency, own_words, theirs, belongings,
)  # fmt: skip
