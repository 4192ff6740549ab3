"""Makes a plan of Primavera P6 tables of HTML: activities with their dates, what they wait for and who does them, below
the divisions of the work; and the resources. Both forms that P6 exports are read: its own tables (.xer, a line a
row, after %T a table's name, after %F its columns) and XML (.pmxml, `APIBusinessObjects`)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sidecar.api import Limits, Source
from sidecar.toolkit.text import read_text
from sidecar.toolkit.text.strings import leading_words
from sidecar.toolkit.xml import XmlElement, etree
from sidecar_xml.tabular.projects import MAX_NAME_CHARS, child_text, joined_names, moment
from sidecar_xml.tabular.tables import add_table

_Row = Mapping[str, str]
_ACTIVITIES: Final = ("ID", "Activity", "Division", "Start", "Finish", "Hours", "Status", "After", "Who", "Notes")
_RESOURCES: Final = ("Resource", "Name", "E-mail", "Title", "Notes")
_LINKS: Final = {"PR_FS": "", "PR_SS": " SS", "PR_FF": " FF", "PR_SF": " SF",
                 "Start to Start": " SS", "Finish to Finish": " FF", "Start to Finish": " SF"}  # fmt: skip
"""Kinds of dependencies; where one waits for the other's end nothing is said."""
_STATUS: Final = {"TK_NotStart": "Not Started", "TK_Active": "In Progress", "TK_Complete": "Completed"}
_XML: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "PROJECT": ("Project", {"proj_id": "ObjectId", "proj_short_name": "Id", "proj_name": "Name"}),
    "PROJWBS": ("WBS", {"wbs_id": "ObjectId", "parent_wbs_id": "ParentObjectId", "wbs_name": "Name"}),
    "TASK": ("Activity", {
        "task_id": "ObjectId", "task_code": "Id", "task_name": "Name", "wbs_id": "WBSObjectId",
        "target_start_date": "PlannedStartDate", "target_end_date": "PlannedFinishDate",
        "act_start_date": "ActualStartDate", "act_end_date": "ActualFinishDate",
        "target_drtn_hr_cnt": "PlannedDuration", "status_code": "Status",
    }),
    "TASKPRED": ("Relationship", {
        "task_id": "SuccessorActivityObjectId", "pred_task_id": "PredecessorActivityObjectId", "pred_type": "Type",
    }),
    "TASKRSRC": ("ResourceAssignment", {"task_id": "ActivityObjectId", "rsrc_id": "ResourceObjectId"}),
    "RSRC": ("Resource", {
        "rsrc_id": "ObjectId", "rsrc_short_name": "Id", "rsrc_name": "Name", "email_addr": "EmailAddress",
        "rsrc_title_name": "Title", "rsrc_notes": "ResourceNotes",
    }),
}  # fmt: skip
"""Tables of .xer and what they and their columns are called in XML."""
_MAX_DEPTH: Final = 50
"""Divisions of the work in one another; a plan that is spoiled may name a circle."""


def read_xer(source: Source, limits: Limits) -> dict[str, list[_Row]]:
    """The rows of each table, by its name. Raises FormatError."""
    tables: defaultdict[str, list[_Row]] = defaultdict(list)
    table, columns = "", list[str]()
    for line in read_text(source, limits)[0].text.split("\n"):
        mark, *cells = line.rstrip("\r").split("\t")
        if mark == "%T" and cells:
            table, columns = cells[0].strip(), []
        elif mark == "%F":
            columns = cells
        elif mark == "%R":
            tables[table].append(dict(zip(columns, cells, strict=False)))
    return dict(tables)


def xer_as_html(tables: Mapping[str, Sequence[_Row]]) -> XmlElement:
    """A heading a plan, and its activities; below them the resources."""
    body = etree.Element("body")
    divisions = _divisions(tables.get("PROJWBS", ()))
    resources = {row.get("rsrc_id", ""): row.get("rsrc_name", "") for row in tables.get("RSRC", ())}
    who, after = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    codes = {row.get("task_id", ""): row.get("task_code", "") for row in tables.get("TASK", ())}
    for row in tables.get("TASKRSRC", ()):
        who[row.get("task_id", "")].append(resources.get(row.get("rsrc_id", ""), ""))
    for row in tables.get("TASKPRED", ()):
        code = codes.get(row.get("pred_task_id", ""), "")
        if code:
            after[row.get("task_id", "")].append(code + _LINKS.get(row.get("pred_type", ""), ""))
    notes = defaultdict[str, list[str]](list)
    for row in tables.get("TASKMEMO", ()):
        notes[row.get("task_id", "")].append(row.get("task_memo", ""))
    for project in tables.get("PROJECT", ()):
        name = project.get("proj_name") or divisions.get(_top(project, tables), "")
        etree.SubElement(body, "h1").text = " – ".join(
            dict.fromkeys(filter(None, (project.get("proj_short_name"), name)))
        )
    add_table(body, "Activities", _ACTIVITIES, [
        _activity(row, divisions, after, who, notes) for row in tables.get("TASK", ())
    ])  # fmt: skip
    columns = ("rsrc_short_name", "rsrc_name", "email_addr", "rsrc_title_name", "rsrc_notes")
    people = [[row.get(column, "") for column in columns] for row in tables.get("RSRC", ())]
    add_table(body, "Resources", _RESOURCES, people)
    return body


def _top(project: _Row, tables: Mapping[str, Sequence[_Row]]) -> str:
    """The division that is the plan itself."""
    return next(
        (row.get("wbs_id", "") for row in tables.get("PROJWBS", ())
         if row.get("proj_node_flag") == "Y" and row.get("proj_id") == project.get("proj_id")), ""
    )  # fmt: skip


def _divisions(rows: Iterable[_Row]) -> dict[str, str]:
    """The way to each division of the work, from the top."""
    by = {row.get("wbs_id", ""): row for row in rows}
    ways: dict[str, str] = {}
    for identity, row in by.items():
        way: list[str] = []
        here: _Row | None = row
        while here is not None and len(way) < _MAX_DEPTH:
            if here.get("proj_node_flag") != "Y" or here is row:  # the plan itself heads them all
                way.append(leading_words(here.get("wbs_name", ""), MAX_NAME_CHARS))
            here = by.get(here.get("parent_wbs_id", ""))
        ways[identity] = " / ".join(reversed(way))
    return ways


def _activity(
    row: _Row, divisions: Mapping[str, str], after: Mapping[str, Sequence[str]], who: Mapping[str, Sequence[str]],
    notes: Mapping[str, Sequence[str]],
) -> list[str]:  # fmt: skip
    identity = row.get("task_id", "")
    begun, ended = (
        row.get(f"act_{end}_date") or row.get(f"target_{end}_date") or row.get(f"early_{end}_date") or ""
        for end in ("start", "end")
    )
    status = row.get("status_code", "")
    return [
        row.get("task_code", ""), row.get("task_name", ""), divisions.get(row.get("wbs_id", ""), ""),
        moment(begun.replace(" ", "T")), moment(ended.replace(" ", "T")), row.get("target_drtn_hr_cnt", ""),
        _STATUS.get(status, status), joined_names(after.get(identity, ())),
        joined_names(who.get(identity, ())), " ".join(notes.get(identity, ())),
    ]  # fmt: skip


def primavera_as_html(root: XmlElement) -> XmlElement:
    """The same of XML, whose elements go by their local names."""
    return xer_as_html(
        {
            table: [{column: child_text(one, tag) for column, tag in names.items()} for one in root.iter(element)]
            for table, (element, names) in _XML.items()
        }
    )


def primavera_facts(root: XmlElement) -> dict[str, str]:
    """The title of the one plan in it."""
    names = [name for one in root.iter("Project") if (name := child_text(one, "Name"))]
    return {"title": names[0]} if len(names) == 1 else {}
