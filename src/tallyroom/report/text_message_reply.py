"""The answer to a report typed as a text message: what was understood, or what is missing, unknown or invalid."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from tallyroom.report.check_digits import sheet_code
from tallyroom.report.sealed import TEXT_LIMIT
from tallyroom.report.text_message import Trouble
from tallyroom.report.text_message_tags import tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tallyroom.plan.types import Plan
    from tallyroom.report.spoken_aloud import Language
    from tallyroom.report.text_message import TextMessage, Wrong

GSM7 = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
    "abcdefghijklmnopqrstuvwxyzäöñüà"
)
"""Letters that take one of a text's 160 places; any other makes the whole text hold 70."""
_NAMED = 12
"""Items that a reply names; of more it says how many."""
_WORDS = {
    "en": {
        "missing": "Missing: {}. Send each with its number, 0 for nobody, X for blank.",
        "more": "and {} more",
        "blank": "blank",
        "code": "Read: {}. Sheet code {}.",
        "nothing": "No line was read. Send a tag and a number for each line of your sheet.",
        Trouble.UNKNOWN: "Unknown: {}. Look at the tags on your sheet.",
        Trouble.NO_NUMBER: "Without a number: {}. Send 0 for nobody, X for blank.",
        Trouble.INVALID: "Not a count: {}. Send a whole number.",
        Trouble.TWICE: "Twice with two numbers: {}. Call us to settle it.",
    },
    "es": {
        "missing": "Falta: {}. Envíe cada uno con su número, 0 si nadie, X si está en blanco.",
        "more": "y {} más",
        "blank": "en blanco",
        "code": "Leído: {}. Código de la hoja {}.",
        "nothing": "No se leyó ninguna línea. Envíe una etiqueta y un número por cada línea de su hoja.",
        Trouble.UNKNOWN: "No existe: {}. Mire las etiquetas de su hoja.",
        Trouble.NO_NUMBER: "Sin número: {}. Envíe 0 si nadie, X si está en blanco.",
        Trouble.INVALID: "No es una cuenta: {}. Envíe un número entero.",
        Trouble.TWICE: "Dos veces con dos números: {}. Llámenos para aclararlo.",
    },
}


def reply(message: TextMessage, plan: Plan, language: Language = "en") -> tuple[str, ...]:
    """Give the texts of an answer, each of at most 160 letters of GSM-7 and numbered if there are several.

    A whole message is echoed line by line (runs of blanks and zeros are left to the sheet's code), one that is not
    says what to send. It never says that a report was received: only who has it on disk may say so.
    """
    words, known = _WORDS[language], tags(plan)
    if message.whole:
        told = [f"{tag} {message.counts[tag]}" for tag in known if message.counts[tag]]
        code = sheet_code([message.counts[tag] for tag in known])
        return in_texts(words["code"].format(", ".join(told) or words["blank"], code))
    sentences = list(_wrongs(message.wrong, language))
    if not message.counts and not message.wrong:
        sentences.append(words["nothing"])
    elif message.missing:
        named = {one.tag for one in message.wrong}
        missing = [tag for tag in message.missing if tag not in named]
        sentences += [words["missing"].format(_some(missing, language))] if missing else []
    return in_texts(" ".join(sentences))


def in_texts(text: str) -> tuple[str, ...]:
    """Cut a sentence into texts between words, each with `1/2` before it if there are several."""
    plain = in_gsm7(text)
    if len(plain) <= TEXT_LIMIT:
        return (plain,)
    room = TEXT_LIMIT - len("99/99 ")
    texts = [""]
    for word in plain.split(" "):
        if len(texts[-1]) + len(word) >= room:
            texts.append("")
        texts[-1] = f"{texts[-1]} {word[:room]}".strip()
    return tuple(f"{number}/{len(texts)} {text}" for number, text in enumerate(texts, start=1))


def in_gsm7(text: str) -> str:
    """Write a text in the letters of GSM-7: without the accents it lacks, and `?` for what has no plain form."""
    return "".join(_gsm7(letter) for letter in unicodedata.normalize("NFC", text))


def _gsm7(letter: str) -> str:
    if letter in GSM7:
        return letter
    plain = unicodedata.normalize("NFKD", letter)[0]
    return plain if plain in GSM7 else "?"


def _wrongs(wrong: Sequence[Wrong], language: Language) -> Iterator[str]:
    for trouble in Trouble:
        items = [one.item for one in wrong if one.trouble is trouble]
        if items:
            yield _WORDS[language][trouble].format(_some(items, language))


def _some(items: Sequence[str], language: Language) -> str:
    """Name the first items, and say how many more there are."""
    named = ", ".join(item[:40] for item in items[:_NAMED])
    more = len(items) - _NAMED
    return f"{named} {_WORDS[language]['more'].format(more)}" if more > 0 else named
