"""Legacy form fields of Word, the same in all its formats: a text to type, a box to check, entries to choose from
(ECMA-376 part 1 §17.16.17; [MS-DOC] 2.9.78; RTF 1.9.1, "Form Fields")."""

from dataclasses import dataclass, field
from typing import Literal

from sidecar.api.model import Note

FormKind = Literal["text", "checkbox", "dropdown"]
KINDS: tuple[FormKind, ...] = ("text", "checkbox", "dropdown")
"""By the number that files have for them."""
UNANSWERED = 25
"""The value of a field that nobody has answered: its default holds."""


@dataclass
class FormField:
    """A field of a form. `value` is the number of the entry chosen, or whether the box is checked."""

    kind: FormKind = "text"
    name: str = ""
    default: str = ""
    value: int = 0
    choices: list[str] = field(default_factory=list[str])
    help: list[str] = field(default_factory=list[str])
    """What is said of it in the line of status and when somebody asks."""

    def shown(self) -> str:
        """What the field shows where no result is stored."""
        if self.kind == "checkbox":
            return "☒" if self.value else "☐"
        if self.kind == "dropdown":
            return self.choices[self.value] if 0 <= self.value < len(self.choices) else ""
        return self.default

    def note(self, shown: str) -> Note | None:
        """What the field says besides the value `shown`; None for nothing."""
        said = [*self.choices, self.default, *self.help]
        words = ", ".join(dict.fromkeys(word for word in said if word and word != shown))
        return Note(kind="form", text=words, target=self.name) if words else None
