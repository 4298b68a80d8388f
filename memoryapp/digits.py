"""Digits however they are written: full-width, circled, Arabic-Indic, spaced out, or spelt as words.

`view` rewrites a text so that all of them are ASCII digits and remembers where each came from. Pure.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

KOREAN = {"공": "0", "영": "0", "빵": "0", "일": "1", "이": "2", "삼": "3", "사": "4", "오": "5", "육": "6", "륙": "6",
          "칠": "7", "팔": "8", "구": "9",
          "〇": "0", "零": "0", "一": "1", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8", "九": "9"}  # fmt: skip
ENGLISH = {"zero": "0", "oh": "0", "o": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
           "seven": "7", "eight": "8", "nine": "9"}  # fmt: skip
TIMES = {"double": 2, "triple": 3}
INVISIBLE = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f")
DASHES = frozenset("ㅡー―−‐‑")  # what keyboards put where a hyphen is meant
FEWEST = 7  # spelt or spaced digits in a row before they are read as a number
LENGTHS = (
    11,
    10,
    13,
    16,
    9,
    14,
)  # of phones, resident numbers, cards, accounts: which reading of "팔이야" is meant

_atom = "[0-9공영빵일이삼사오육륙칠팔구〇零一二三四五六七八九]"
_joint = r"\s?(?:에|의|다시|대시|하이픈)?[\s\-–—.,·]{0,3}"
SPELT_KO = re.compile(rf"(?<![가-힣0-9])(?:{_atom}{_joint}(?={_atom})){{{FEWEST - 1},}}{_atom}")
_word = rf"(?:{'|'.join(ENGLISH)}|(?:double|triple)[\s\-](?:{'|'.join(ENGLISH)})|\d)"
SPELT_EN = re.compile(
    rf"\b{_word}(?:[\s\-,.]{{1,2}}(?:dash\s|hyphen\s)?{_word}){{{FEWEST - 1},}}\b", re.IGNORECASE
)
SPACED = re.compile(rf"(?<![\d.,])\d(?:[\s.\-·_]{{1,3}}\d(?!\d)){{{FEWEST - 1},}}(?!\d)")
#: What follows a digit and is neither a particle nor "이야", "예요": the syllable begins a word.
WORD_GOES_ON = re.compile(
    r"(?!로|으로|이|예|입|은|는|야|에|번|가|을|를|고|다|라|인|임|도|만|한테|까지|부터)[가-힣]"
)
ENGLISH_WORD = re.compile(
    rf"(?:(double|triple)[\s\-])?({'|'.join(sorted(ENGLISH, key=len, reverse=True))}|\d)\b", re.IGNORECASE
)


Atom = tuple[str, int, int]  # digit, begin, stop in the view's text


@dataclass(frozen=True)
class View:
    """`text` with plain digits; `origins[i]` is the half-open span of the original that became text[i]."""

    text: str
    origins: list[tuple[int, int]]

    def place(self, begin: int, stop: int) -> tuple[int, int]:
        return self.origins[begin][0], self.origins[stop - 1][1]


def view(text: str) -> View:
    letters: list[str] = []
    origins: list[tuple[int, int]] = []
    for at, letter in enumerate(text):
        if letter not in INVISIBLE:
            letters.append(_plain(letter))
            origins.append((at, at + 1))
    seen = View("".join(letters), origins)
    for pattern, read in ((SPELT_KO, _korean), (SPELT_EN, _english), (SPACED, _spaced)):
        seen = _rewrite(seen, pattern, read)
    return seen


def digits_of(text: str) -> str:
    return "".join(letter for letter in text if letter.isdigit())


def luhn(digits: str) -> bool:
    """The check sum of payment cards (ISO/IEC 7812-1)."""
    doubled = [int(d) * (1 + place % 2) for place, d in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(n - 9 if n > 9 else n for n in doubled) % 10 == 0


def iban(text: str) -> bool:
    """The check sum of bank accounts (ISO 13616, mod 97)."""
    plain = re.sub(r"\s", "", text)
    return (
        len(plain) >= 15 and int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1
    )


def _plain(letter: str) -> str:
    """One letter for one letter: digits of any script become ASCII, full-width forms become narrow."""
    if letter.isdigit():
        return str(unicodedata.digit(letter, letter))
    if letter in DASHES:
        return "-"
    plain = unicodedata.normalize("NFKC", letter)
    return plain if len(plain) == 1 else letter


def _rewrite(seen: View, pattern: re.Pattern[str], read: Callable[[re.Match[str]], list[Atom]]) -> View:
    letters, origins, at = [], [], 0
    for found in pattern.finditer(seen.text):
        atoms = read(found)
        if not atoms:
            continue
        letters.append(seen.text[at : found.start()])
        origins += seen.origins[at : found.start()]
        for digit, begin, stop in atoms:
            letters.append(digit)
            origins.append(seen.place(begin, stop))
        at = atoms[-1][2]
    return View("".join([*letters, seen.text[at:]]), origins + seen.origins[at:])


def _korean(found: re.Match[str]) -> list[Atom]:
    text = found[0]
    if text.isascii():
        return []  # plain digits keep their own separators
    atoms = [
        (KOREAN.get(c, c), found.start() + i, found.start() + i + 1)
        for i, c in enumerate(text)
        if re.match(_atom, c)
    ]
    atoms = _without_words(atoms, found.string)
    # "… 오육칠팔이야", "… 오육칠팔이": the last 이 may be a particle
    if (
        atoms
        and text.endswith("이")
        and atoms[-1][2] == found.end()
        and len(atoms) - 1 in LENGTHS
        and len(atoms) not in LENGTHS[:1]
    ):
        atoms.pop()
    spelt = any(not found.string[begin].isascii() for _, begin, _ in atoms)
    return atoms if spelt and len(atoms) >= FEWEST else []


def _without_words(atoms: list[Atom], text: str) -> list[Atom]:
    """Without the syllables next to plain digits that are no digits: "02-345-6789 사무실", "이 010-1234-5678"."""
    plain = [at for at, (_, begin, _) in enumerate(atoms) if text[begin].isascii()]
    if not plain:
        return atoms
    first, last = plain[0], plain[-1] + 1
    tail = [text[begin:stop] for _, begin, stop in atoms[last:]]
    word = WORD_GOES_ON.match(text, atoms[-1][2]) or len(tail) < 3 and last in LENGTHS
    if tail == ["이"] or tail and word:  # "1234567이에요", "… 사무실", "… 구내식당"
        atoms = atoms[:last]
    return atoms[first:] if first < 3 and len(atoms) - first in LENGTHS else atoms


def _english(found: re.Match[str]) -> list[Atom]:
    if not re.search("[a-z]", found[0], re.IGNORECASE):
        return []
    atoms: list[Atom] = []
    for word in ENGLISH_WORD.finditer(found[0]):
        digit = ENGLISH.get(word[2].lower(), word[2])
        place = found.start() + word.start(), found.start() + word.end()
        atoms += [(digit, *place)] * TIMES.get((word[1] or "").lower(), 1)
    return atoms


def _spaced(found: re.Match[str]) -> list[Atom]:
    return [(c, found.start() + i, found.start() + i + 1) for i, c in enumerate(found[0]) if c.isdigit()]
