"""What `explain_cell` answers, made in a worker: a cell's formula, what it takes in, level by level, and what uses it.

References are followed in `tracing`; texts and values come from `workbook`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from sidecar.api import FormulaState, NotFoundError, StoredDocument, UsageError, format_uri
from sidecar.toolkit.cell_references import CellRange, requested_range
from sidecar_formulas.opening import find_labelled, open_workbook
from sidecar_formulas.shapes import Uses, uses_of
from sidecar_formulas.tracing import Target, cycle_through, precedents_of, relative_formula
from sidecar_formulas.workbook import CellContent, Place, Workbook

_MAX_ENTRIES = 200
"""How many references are told of, all levels together."""
_MAX_USERS = 50
_MAX_RESULTS = 40
_MAX_CELLS = 200_000
"""How many cells of a range are added up."""
_MAX_FOLLOWED = 3
"""How many different formulas of a range are followed to the next level."""
_KEPT = 2
_ADDRESS = re.compile(r"(?:(?P<sheet>.+)!)?(?P<area>\$?[a-z]{1,3}\$?[0-9]+(?::\$?[a-z]{1,3}\$?[0-9]+)?)", re.IGNORECASE)
"""A cell or range as formulas write it. Without a sheet before it a label is looked for first: "Q1" is one as well."""
_RESULTS: Mapping[FormulaState, str] = {
    "": "", "not_computed": "not computed", "recalculated": "recalculated",
    "unverified": "stored, and may be old",
}  # fmt: skip


_NOT_COMPUTED = "formula, not computed"
_EMPTY_TEXT = "(empty text)"
_NOT_STORED = "(no value stored)"
_WITHOUT_RESULT = (
    "The workbook holds no result of this formula, and nothing has calculated it yet: LibreOffice does, where it is "
    "installed, when all else is read, or formualizer (pip install docsidecar[formulas])."
)


@dataclass(frozen=True)
class Question:
    """What is asked. `sheet` is a name or number ("" for every sheet), `area` a range as it was typed, `label` words
    that name the cell; `levels` of references are followed."""

    sheet: str = ""
    area: str = ""
    label: str = ""
    levels: int = 1


def explain(document: StoredDocument, doc: str, question: Question) -> dict[str, object]:
    """The answer's fields; `doc` is how the document was asked for.

    Raises:
        UsageError, NotFoundError: nothing there can be explained."""
    book = open_workbook(document)
    sheet = _sheet(book, question.sheet, document.slug)
    if question.label:
        places = find_labelled(book, range(len(book.sheets)) if sheet is None else (sheet,), question.label)
        typed = _ADDRESS.fullmatch(question.label)
        if typed and (typed["sheet"] or "$" in question.label or not places):
            selector = (typed["sheet"] or question.sheet).strip("'").replace("''", "'")
            return explain(document, doc, replace(question, sheet=selector, area=typed["area"], label=""))
        if not places:
            where = document.slug if sheet is None else book.sheets[sheet].name
            raise NotFoundError(f"No number or formula in {where} is called {question.label[:80]!r}; grep finds texts.")
        others = [book.called(place, -1) for place in places[1:4]]
        return _Answer(document, doc, book, places[0], question.levels).fields(others)
    if sheet is None and not question.area:
        return _results(document, doc, book, range(len(book.sheets)))
    sheet = sheet or 0
    if not question.area:
        return _results(document, doc, book, (sheet,))
    area = requested_range(question.area)
    places = list(book.formulas_in(sheet, area))
    single = (area.top, area.left) == (area.bottom, area.right)
    place = (sheet, area.top, area.left) if single or not places else places[0]
    others = [book.called(other, sheet) for other in _unlike(book, places)]
    return _Answer(document, doc, book, place, question.levels).fields(others)


@lru_cache(maxsize=_KEPT)
def _uses(document: StoredDocument) -> Uses:
    return uses_of(open_workbook(document))


def _sheet(book: Workbook, selector: str, slug: str) -> int | None:
    if not selector:
        return None
    found = book.sheet_index(selector)
    if found is None and selector.isdecimal() and len(selector) < 10 and 1 <= int(selector) <= len(book.sheets):
        found = int(selector) - 1
    if found is None:
        names = ", ".join(sheet.name for sheet in book.sheets[:12])
        raise NotFoundError(f"{slug} has no sheet {selector[:40]!r}; its sheets are {names}.")
    return found


def _unlike(book: Workbook, places: list[Place]) -> Iterator[Place]:
    """Of the formulas of a range, those that are not copies of one before; not the first one."""
    seen: set[str] = set()
    for place in places:
        key = relative_formula(book.formulas[place], place)
        if key not in seen:
            if seen:
                yield place
            seen.add(key)
            if len(seen) > _MAX_RESULTS:
                return


def _results(document: StoredDocument, doc: str, book: Workbook, sheets: range | tuple[int, ...]) -> dict[str, object]:
    """The cells where a sheet's calculations end: formulas that no other formula takes in."""
    wanted = set(sheets)
    home = sheets[0] if len(wanted) == 1 else -1
    if not any(place[0] in wanted for place in book.formulas):
        raise UsageError(f"{_where(document, book, home)} holds no formulas.")
    used = {place for sheet, area in _uses(document).ranges() for place in book.formulas_in(sheet, area)}
    ends = [place for place in book.formulas if place[0] in wanted and place not in used]
    entries = [_cell(book, place, home) for place in ends[:_MAX_RESULTS]]
    address = ("sheet", doc, book.sheets[home].name) if home >= 0 else ("document", doc)
    answer: dict[str, object] = {
        "uri": format_uri(*address),
        "formulas": sum(1 for place in book.formulas if place[0] in wanted),
        "results": entries,
    }
    if len(ends) > len(entries):
        answer["more_results"] = len(ends) - len(entries)
    return answer


def _where(document: StoredDocument, book: Workbook, sheet: int) -> str:
    return f"Sheet {book.sheets[sheet].name} of {document.slug}" if sheet >= 0 else document.slug


def _value(found: CellContent) -> str:
    """What a cell shows; what formulas that show nothing have instead, for a blank would look like data."""
    if found.text or not found.formula:
        return found.text
    return _NOT_COMPUTED if found.state == "not_computed" else _EMPTY_TEXT


def _cell(book: Workbook, place: Place, home: int) -> dict[str, object]:
    """A cell in a line: its name, what it is called, what it shows, its formula."""
    found = book.held(place)
    filled = book.array_around(place)
    value, result = _value(found), _RESULTS[found.state]
    if filled is not None and place != filled.first and not found.text and found.state != "not_computed":
        value, result = _NOT_STORED, ""
    fields = {
        "cell": book.called(place, home), "label": book.label(place), "value": value, "formula": found.formula,
        "array": book.area_called(place[0], filled.area, home) if filled is not None else "",
    }  # fmt: skip
    return {key: value for key, value in (fields | {"result": result}).items() if value}


@dataclass
class _Answer:
    """One explanation being made."""

    document: StoredDocument
    doc: str
    book: Workbook
    place: Place
    levels: int

    def fields(self, others: list[str]) -> dict[str, object]:
        """All that is said of the cell. `others` fit the question too."""
        book, place = self.book, self.place
        sheet = book.sheets[place[0]].name
        here = CellRange(place[1], place[2], place[1], place[2])
        answer: dict[str, object] = {"uri": format_uri("sheet", self.doc, sheet, query={"range": str(here)})}
        answer |= _cell(book, place, -1)
        remarks: list[str] = []
        if "formula" in answer:
            entries, remarks = self._precedents()
            answer["takes_in"] = entries
            if answer["value"] == _NOT_COMPUTED:
                remarks.insert(0, _WITHOUT_RESULT)
            first = book.source(place)
            if first != place:
                name, value = book.called(first, place[0]), _value(book.held(first))
                remarks.insert(0, f"One formula fills all of {answer['array']}; it stands in {name}, value {value}.")
        elif "value" in answer:
            remarks.append("Typed in, not calculated.")
        else:
            remarks.append("The cell is empty.")
        answer |= self._dependents()
        if cycle := cycle_through(book, place):
            names = " → ".join(book.called(one, place[0]) for one in cycle[:12])
            remarks.append(f"Circular: {names}{' …' if len(cycle) > 12 else ''}.")
        looked = _uses(self.document).looked
        if not book.complete or looked < len(book.formulas):
            remarks.append(f"Only the first {looked:,} formulas of the workbook were looked through for its uses.")
        if others:
            answer["also"] = others
        if remarks:
            answer["remarks"] = remarks
        return answer

    def _precedents(self) -> tuple[list[dict[str, object]], list[str]]:
        """What the formula takes in, level after level."""
        book = self.book
        entries: list[dict[str, object]] = []
        remarks: list[str] = []
        seen, level = {self.place}, [self.place]
        for depth in range(1, self.levels + 1):
            following: list[Place] = []
            for place in level:
                taken = precedents_of(book, place)
                remarks += [remark for remark in taken.remarks if remark not in remarks]
                for target in taken.targets:
                    if len(entries) >= _MAX_ENTRIES:
                        return entries, [*remarks, f"Only {_MAX_ENTRIES} references are listed."]
                    entry = _target(book, target, self.place[0])
                    entries.append(entry | ({"of": book.called(place, self.place[0])} if depth > 1 else {}))
                    following += [one for one in _followed(book, target) if one not in seen]
                    seen.update(following)
            level = following
        return entries, remarks

    def _dependents(self) -> dict[str, object]:
        book = self.book
        users = [user for user in _uses(self.document).of(self.place) if user != self.place]
        if not users:
            return {}
        answer: dict[str, object] = {"used_by": [_cell(book, user, self.place[0]) for user in users[:_MAX_USERS]]}
        if len(users) > _MAX_USERS:
            answer["more_users"] = len(users) - _MAX_USERS
        return answer


def _followed(book: Workbook, target: Target) -> list[Place]:
    """The formulas of a range to go on with: the first, and the first ones that are not copies of it."""
    if target.single is not None and (first := book.source(target.single)) in book.formulas:
        return [first]
    places = list(book.formulas_in(target.sheet, target.area))[:_MAX_RESULTS]
    return [*places[:1], *_unlike(book, places)][:_MAX_FOLLOWED]


def _target(book: Workbook, target: Target, home: int) -> dict[str, object]:
    """A range that a formula takes in: where it is, what it is called, and its value, or its numbers together."""
    name = book.area_called(target.sheet, target.area, home)
    written = {} if target.written.replace("$", "").replace("'", "") in (name, name.replace("'", "")) else {
        "written": target.written
    }  # fmt: skip
    if target.single is not None:
        return _cell(book, target.single, home) | written
    sheet = book.sheets[target.sheet]
    filled = formulas = unknown = 0
    numbers: list[float] = []
    example = ""
    label: str | None = None
    for row, col, found in sheet.cells(target.area):
        filled += 1
        if label is None:
            label = _range_label(book, target, (target.sheet, row, col))
        if found.number is not None:
            numbers.append(found.number)
        if found.formula:
            formulas += 1
            unknown += found.state == "not_computed"
            example = example or f"{book.called((target.sheet, row, col), home)} {found.formula}"
        if filled >= _MAX_CELLS:
            break
    entry: dict[str, object] = {"cell": name, "label": label or "", "filled": filled}
    if numbers:
        entry |= {"numbers": len(numbers), "sum": _round(sum(numbers)), "min": min(numbers), "max": max(numbers)}
    if formulas:
        entry |= {"formulas": formulas, "such_as": example}
    if unknown:
        entry["not_computed"] = unknown
    return {key: value for key, value in entry.items() if value != ""} | written


def _range_label(book: Workbook, target: Target, first: Place) -> str:
    top, left, bottom, right = target.area
    if left == right:
        return book.column_label(first)
    if top == bottom:
        return book.row_label((first[0], first[1], max(left, first[2])))
    return next((table.name for table in book.tables.values()
                 if table.sheet == target.sheet and table.area.meets(target.area)), "")  # fmt: skip


def _round(number: float) -> float:
    """A sum without the noise of binary fractions: the fifteen digits that spreadsheets keep."""
    return float(f"{number:.15g}")
