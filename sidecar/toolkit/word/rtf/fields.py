"""A field of an RTF file, and what a form says of it (RTF 1.9.1, "Fields", "Form Fields")."""

from dataclasses import dataclass

from sidecar.toolkit.word.conventions import hyperlink, shown_by
from sidecar.toolkit.word.forms import KINDS, UNANSWERED, FormField

FORM = frozenset(["ffname", "ffdeftext", "ffhelptext", "ffstattext", "ffl"])
"""Destinations of texts in `formfield`."""


@dataclass
class Field:
    """A field; `link` is known once its instruction was read, and `shown`, which stands for a result that is not there:
    then no more characters than `chars` were read when the field ends."""

    link: str = ""
    shown: str = ""
    chars: int = 0
    form: FormField | None = None

    def say(self, destination: str, text: str, chars: int) -> None:
        """A text that the field has: its instruction, before whose result `chars` characters were read, or one of
        `FORM`."""
        if destination in FORM:
            self._form_text(destination, text.strip())
            return
        self.link, self.chars = self.link or hyperlink(text), chars
        self.shown = self.form.shown() if self.form is not None else shown_by(text)

    def form_number(self, word: str, number: int) -> None:
        """A word with a number in `formfield`."""
        form = self.form = self.form or FormField()
        if word == "fftype" and 0 <= number < len(KINDS):
            form.kind = KINDS[number]
        elif word == "ffdefres" or (word == "ffres" and number != UNANSWERED):
            form.value = number

    def _form_text(self, word: str, text: str) -> None:
        form = self.form = self.form or FormField()
        if word == "ffl":
            form.choices.append(text)
        elif word == "ffname":
            form.name = text
        elif word == "ffdeftext":
            form.default = text
        else:
            form.help.append(text)
