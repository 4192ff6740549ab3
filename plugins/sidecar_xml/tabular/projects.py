"""Makes a plan that Microsoft Project saved as XML tables of HTML: its tasks with their dates, who does them, what they
wait for; and its resources (Project XML Data Interchange Schema)."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sidecar.toolkit.text.strings import leading_words
from sidecar.toolkit.xml import XmlElement, etree
from sidecar_xml.tabular.tables import add_table

_FACTS: Final[Mapping[str, str]] = {
    "title": "Title", "subject": "Subject", "author": "Author", "company": "Company", "manager": "Manager",
    "keywords": "Keywords", "category": "Category", "created": "CreationDate", "modified": "LastSaved",
}  # fmt: skip
_DURATION: Final = re.compile(r"PT(\d{1,7})H(\d{1,2})M\d{1,2}S")
_TASKS: Final = ("No.", "Task", "Start", "Finish", "Duration", "Done", "After", "Who", "Notes")
_RESOURCES: Final = ("Resource", "Group", "E-mail", "Notes")
MAX_NAME_CHARS: Final = 200
"""Characters of a name where others are told with it: a row names them by identity, so few bytes can ask for many."""


def project_facts(root: XmlElement) -> dict[str, str]:
    """What the plan says of itself; without a title its name is one, which is that of the file it was."""
    facts = {key: text for key, tag in _FACTS.items() if (text := child_text(root, tag))}
    name = child_text(root, "Name").rpartition("\\")[2].rpartition(".")
    return facts if "title" in facts else {**facts, "title": name[0] or name[2]}


def project_as_html(root: XmlElement) -> XmlElement:
    """The plan's tasks, and below them its resources."""
    body = etree.Element("body")
    numbers = _numbers(root)
    names = {child_text(one, "UID"): child_text(one, "Name") for one in root.iterfind(".//Resource")}
    who: defaultdict[str, list[str]] = defaultdict(list)
    for one in root.iterfind("Assignments/Assignment"):
        if name := names.get(child_text(one, "ResourceUID")):
            who[child_text(one, "TaskUID")].append(name)
    add_table(
        body,
        "Tasks",
        _TASKS,
        [_task(one, numbers, who) for one in root.iterfind("Tasks/Task") if child_text(one, "Name")],
    )
    resources = [[child_text(one, tag) for tag in ("Name", "Group", "EmailAddress", "Notes")]
                 for one in root.iterfind("Resources/Resource") if child_text(one, "Name")]  # fmt: skip
    add_table(body, "Resources", _RESOURCES, resources)
    return body


def _numbers(root: XmlElement) -> dict[str, str]:
    """What tasks are called by others, by their identity."""
    return {
        child_text(one, "UID"): child_text(one, "OutlineNumber") or child_text(one, "ID")
        for one in root.iterfind("Tasks/Task")
    }


def _task(task: XmlElement, numbers: Mapping[str, str], who: Mapping[str, Sequence[str]]) -> list[str]:
    identity, done = child_text(task, "UID"), child_text(task, "PercentComplete")
    after = [numbers.get(child_text(one, "PredecessorUID"), "") for one in task.iterfind("PredecessorLink")]
    return [
        numbers.get(identity, ""), child_text(task, "Name"), moment(child_text(task, "Start")),
        moment(child_text(task, "Finish")),
        _duration(child_text(task, "Duration")), f"{done} %" if done else "", joined_names(after),
        joined_names(who.get(identity, ())), child_text(task, "Notes"),
    ]  # fmt: skip


def moment(text: str) -> str:
    """A date, with the time of day where it is none that Project sets by itself."""
    day, _, clock = text.partition("T")
    return day if clock[:5] in ("00:00", "08:00", "17:00", "") else f"{day} {clock[:5]}"


def _duration(text: str) -> str:
    found = _DURATION.fullmatch(text)
    if found is None:
        return ""
    hours, minutes = int(found[1]), int(found[2])
    return f"{hours} h" + (f" {minutes} min" if minutes else "")


def joined_names(names: Iterable[str]) -> str:
    """The names in one cell, each once, and the beginning of those that are longer than names are."""
    return ", ".join(leading_words(name, MAX_NAME_CHARS) for name in dict.fromkeys(names) if name)


def child_text(node: XmlElement, tag: str) -> str:
    """The words of the child of that name; "" without one."""
    return " ".join((node.findtext(tag) or "").split())
