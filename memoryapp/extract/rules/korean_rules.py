"""What a Korean clause tells about a person: one function per kind of predicate, the first that answers counts."""

from collections.abc import Callable

from memoryapp.extract.rules.korean_bodies import allergy, body, level, reaction, spared, suffering
from memoryapp.extract.rules.korean_days import agreed, became, duty, life, once, plan, scheduled, shifted
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
from memoryapp.extract.rules.korean_people import (
    belongings,
    chores,
    couple,
    hobby,
    relatives,
    shop,
    staying,
    theirs,
)
from memoryapp.extract.rules.korean_plain import plain
from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.korean_scores import score, sized
from memoryapp.extract.rules.korean_self import (
    ability,
    came_back,
    existence,
    keeping,
    named,
    nature,
    own_words,
    placed,
    renewed,
    residence,
    tendency,
    unmarried,
)
from memoryapp.extract.rules.korean_tastes import (
    avoiding,
    but_for,
    diet,
    eating,
    liking,
    no_more,
    quitting,
    strongly,
)
from memoryapp.extract.rules.korean_work import role, work
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
    allergy, reaction, spared, score, sized, chores, needed, sided, shifted, suffering, strongly, but_for,  scheduled, couple, relatives, shop, staying, named, lasting, level, quitting, diet, body, liking, no_more, eating, renewed, keeping, placed, existence, agreed, unmarried, nature, came_back, residence, daily, work, role, hobby, ability, duty, once, plan, life, became, using, going_on, trying, stopped, habit, avoiding, tendency, own_words, theirs, belongings, plain,
)  # fmt: skip
