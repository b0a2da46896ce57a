"""The read-back of a filing: three dictionary words that stand for its entry in the ledger.

They come from its leaf hash alone: whoever has the entry can say them, and a changed entry has others. They are for
the ear, against mistakes; proof is the hash itself.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tallyroom.report.spoken_aloud import Language

WORDS = 3
"""Words of a read-back: 27 bits, so two entries have the same words once in 134 million."""
_BITS = 9
LIST_SIZE = 1 << _BITS
"""Words to choose from: the first of the list that cannot be taken for another."""
_DOMAIN = b"tallyroom read-back 1\n"
_LEAF = re.compile(r"[0-9a-f]{64}")
_LISTS = {"en": "english", "es": "spanish"}
"""The BIP 39 lists: no two words of one begin with the same four letters."""
_ALIKE = {
    "en": (
        *(("ph", "f"), ("ck", "k"), ("c", "k"), ("q", "k"), ("z", "s"), ("y", "i"), ("v", "f"), ("d", "t"), ("b", "p")),
        *(("g", "k"), ("m", "n")),
    ),
    "es": (
        *(("ll", "y"), ("qu", "k"), ("ce", "se"), ("ci", "si"), ("ge", "je"), ("gi", "ji"), ("h", ""), ("v", "b")),
        *(("z", "s"), ("c", "k"), ("d", "t"), ("b", "p"), ("g", "k"), ("m", "n")),
    ),
}
"""Letters that sound alike over a bad line, and what both are taken for."""
_UNFIT = {
    "en": "attack blame bomb cancel check correct crime deny draw error false fatal final guilt lottery mistake number "
    "party pistol problem recall reject refuse rifle second seven three toss total ugly victory weapon winner wrong",
    "es": "aborto adicto ataque bomba crimen cuatro culpa cinco delito doble droga elegir falso fraude ganar gordo "
    "guerra herir ladron linea lucha matar mitad morir muerte negro nueve numero odio perder pobre sangre seis sexo "
    "siete tres triunfo veneno votar voto blanco",
}
"""Words that would be heard as a number, as a remark on the result, or with offence."""


def words_of(leaf: str, language: Language = "en") -> tuple[str, ...]:
    """Give the read-back words of an entry's leaf hash (hex, as on its receipt).

    Raises:
        ValueError: not a leaf hash.
    """
    if not _LEAF.fullmatch(leaf):
        raise ValueError(f"{leaf[:80]!r} is not a leaf hash: 64 digits 0 to 9 and a to f")
    number = int.from_bytes(hashlib.sha256(_DOMAIN + bytes.fromhex(leaf)).digest())
    words = spoken_words(language)
    return tuple(words[(number >> _BITS * place) % LIST_SIZE] for place in range(WORDS))


def unlike(said: str, leaf: str, language: Language = "en") -> str:
    """Say how words that were read back differ from those of an entry; empty if they agree. Accents are no difference.

    Raises:
        ValueError: `leaf` is not a leaf hash.
    """
    words = words_of(leaf, language)
    given = [plain(word) for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFC", said))]
    wanted = [plain(word) for word in words]
    if given == wanted:
        return ""
    if len(given) != WORDS:
        return f"There are {WORDS} words to read back, and {len(given)} were said. Ask for all of them."
    if sorted(given) == sorted(wanted):
        return "These are the words in another order. Ask for them again, from the first."
    place = next(place for place, (one, other) in enumerate(zip(given, wanted, strict=True), 1) if one != other)
    return f"Word {place} is not the one on the receipt. Ask for it again, letter by letter; if it stays, escalate."


@lru_cache(maxsize=len(_LISTS))
def spoken_words(language: Language) -> tuple[str, ...]:
    """Give the words that read-backs are made of: 4 to 8 letters, none a letter or a sound away from another."""
    from mnemonic import Mnemonic  # noqa: PLC0415 - only who reads back pays for the list

    listed = Mnemonic(_LISTS[language]).wordlist
    shapes: dict[str, int] = {}
    for word in listed:
        for shape in _shapes(word, language):
            shapes[shape] = shapes.get(shape, 0) + 1
    unfit = set(_UNFIT[language].split())
    clear = [
        unicodedata.normalize("NFC", word)
        for word in listed
        if 4 <= len(plain(word)) <= 8
        and plain(word) not in unfit
        and all(shapes[shape] == 1 for shape in _shapes(word, language))
    ]
    assert len(clear) >= LIST_SIZE, "the word list is not the one it was"
    return tuple(clear[:LIST_SIZE])


def plain(word: str) -> str:
    """Write a word in small letters without accents."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _shapes(word: str, language: Language) -> set[str]:
    """Give what a word sounds like, and that with any one letter left out: near words share one of them."""
    sound = plain(word)
    for letters, heard in _ALIKE[language]:
        sound = sound.replace(letters, heard)
    sound = re.sub(r"(.)\1", r"\1", sound)
    return {sound, *(sound[:place] + sound[place + 1 :] for place in range(len(sound)))}
