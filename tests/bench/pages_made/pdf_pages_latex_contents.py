"""What the tables of the fifteenth truth of `pdf_pages.py` say: those of papers, the first half. A row is a list of
texts; `<` is a cell merged into the one left of it, `^` into the one above; `a^1` is a text with a raised mark; a
line break in a text is one in the cell; `bold`, `under`, `slanted`, `mono` and `turned` mark how a text is set, and are
not part of what it says."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

END, BOLD, UNDER, SLANTED, MONO, LOW, TURNED = "\1\2\3\4\5\6\7"


def _set(sign: str) -> Callable[[str], str]:
    return lambda text: f"{sign}{text}{END}"


bold, under, slanted, mono, low, turned = map(_set, (BOLD, UNDER, SLANTED, MONO, LOW, TURNED))


def plain(text: str) -> str:
    """What a cell says."""
    return (
        ""
        if text in ("<", "^")
        else " ".join(re.sub(f"[{END}{BOLD}{UNDER}{SLANTED}{MONO}{LOW}{TURNED}]", "", text).split())
    )


@dataclass
class Content:
    """A table: its rows, how many of them are heads, and its columns: `l`, `c`, `n` figures, `w` where words wrap.
    Before the rows `groups` a rule or white may stand. A `loose` table may be set without any rule."""

    caption: str
    rows: list[list[str]]
    columns: str
    head: int = 1
    groups: list[int] = field(default_factory=list[int])
    notes: list[str] = field(default_factory=list[str])
    loose: bool = False
    long: bool = False

    def grid(self) -> list[list[str]]:
        """The rows as a reader has them: merged cells are empty but for the first."""
        return [[plain(text) for text in row] for row in self.rows]

    def grids(self) -> list[list[list[str]]]:
        """The rows in the ways a reader can have them: two lines of heads over single columns are two rows or one, and
        a label in the middle of its rows may stand in the row beside it."""
        ways = [self.grid()]
        if self.head == 2 and not any(text in ("<", "^") for row in self.rows[:2] for text in row):
            joined = [" ".join(f"{one} {other}".split()) for one, other in zip(*ways[0][:2], strict=True)]
            ways.append([joined, *ways[0][2:]])
        middle = [list(row) for row in ways[0]]
        for at, row in enumerate(self.rows[self.head :], self.head):
            below = [other[0] for other in self.rows[at + 1 :]]
            high = next((k for k, text in enumerate(below, 1) if text != "^"), len(below) + 1)
            if row[0] not in ("<", "^") and high > 2 and high % 2:
                middle[at][0], middle[at + high // 2][0] = "", middle[at][0]
        return [*ways, middle] if middle != ways[0] else ways


MODELS = (
    "ResNet-50", "Faster R-CNN", "Mask R-CNN", "DETR", "BERT-base", "RoBERTa", "T5-large", "ViT-B/16", "Swin-T",
    "GraphSAGE", "LSTM + Attn.", "XGBoost", "Random Forest", "Linear probe", "DeBERTa-v3", "Mamba-2.8B", "Llama-7B",
    "GAT", "k-NN", "CatBoost", "PointNet++", "U-Net", "nnU-Net", "ConvNeXt", "TransE", "RotatE", "W2V2-XLSR", "CLIP",
)  # fmt: skip
AUTHORS = ("Li", "Kim", "Moreau", "Okafor", "Sato", "Vaswani", "Brandt", "Núñez", "Popescu", "Iyer", "Zhang", "Weiss")
SETS = ("CIFAR-10", "ImageNet", "COCO", "SQuAD", "WikiText", "MNIST", "PubTables", "ADE20K", "Cora", "KITTI", "VCTK")
METRICS = ("Acc.", "F1", "AUC", "mAP", "Prec.", "Rec.", "BLEU", "EM", "IoU", "NDCG", "PPL", "WER", "MRR", "R@10")
TOPICS = ("retrieval", "layout analysis", "protein folding", "speech", "traffic forecasts", "table structure", "noise")


def figure(r: random.Random, top: float = 100, digits: int = 1) -> str:
    return f"{r.uniform(top / 4, top):.{digits}f}"


def cited(r: random.Random, name: str) -> str:
    """A name as papers cite it."""
    year = r.randint(2015, 2025)
    return r.choice((
        name, f"{name} [{r.randint(1, 60)}]", f"{name} ({r.choice(AUTHORS)} et al., {year})",
        f"{name} [{r.choice(AUTHORS)}{year % 100}]", f"{name}†",
    ))  # fmt: skip


def best(r: random.Random, rows: list[list[str]], columns: range) -> None:
    """Marks the best and the second best of each column."""
    second = r.choice((under, slanted, str))
    for c in columns:
        order = sorted(
            (row for row in rows if re.fullmatch(r"[\d.]+%?", row[c])), key=lambda row: float(row[c].rstrip("%"))
        )
        if len(order) > 2:
            order[-1][c], order[-2][c] = bold(order[-1][c]), second(order[-2][c])


def caption(r: random.Random) -> str:
    return r.choice((
        f"Results on {r.choice(SETS)}. Best values are in bold.",
        f"Comparison with earlier work on {r.choice(TOPICS)}, averaged over {r.randint(3, 9)} runs with different "
        "seeds; higher is better unless noted otherwise.",
        f"Overview of {r.choice(TOPICS)}",
        f"Summary for {r.choice(TOPICS)} ({r.choice(SETS)}, test split).",
        "Details. All values were measured on one machine, and times do not include loading.",
    ))  # fmt: skip


def comparison(r: random.Random) -> Content:
    metrics = r.sample(METRICS, r.randint(3, 6))
    arrows = r.random() < 0.5
    head = ["Method", *(f"{m} {'↓' if m in ('PPL', 'WER') else '↑'}" if arrows else m for m in metrics)]
    body = [[cited(r, name), *(figure(r) for _ in metrics)] for name in r.sample(MODELS, r.randint(5, 10))]
    body.append([bold("Ours") if r.random() < 0.5 else "Ours (full)", *(figure(r) for _ in metrics)])
    best(r, body, range(1, len(head)))
    return Content(caption(r), [head, *body], "l" + "n" * len(metrics), groups=[len(body)], loose=not arrows)


def detectors(r: random.Random) -> Content:
    """Labels of groups over several rows, and a second label beside each figure."""
    names, columns = r.sample(MODELS, 3), ["AP50", "AP75", "AP", "GriTSTop", "GriTSCont", "AccCont"][: r.randint(3, 6)]
    rows, groups = [["Task" if r.random() < 0.7 else "", "Model", *columns]], list[int]()
    for at, task in enumerate(("TD", "TSR + FA", "TSR")[: r.randint(2, 3)]):
        if at:
            groups.append(len(rows))
        rows.extend(
            [task if not k else "^", name, *(figure(r, 1, 3) for _ in columns)]
            for k, name in enumerate(names[: r.randint(2, 3)])
        )
    return Content(caption(r), rows, "ll" + "n" * len(columns), groups=groups)


def two_levels(r: random.Random) -> Content:
    sets, metrics = r.sample(SETS, r.randint(2, 3)), r.sample(METRICS, r.randint(2, 3))
    first = ["Model", *(text for s in sets for text in (s, *("<" for _ in metrics[1:])))]
    second = ["^" if r.random() < 0.6 else "", *(m for _ in sets for m in metrics)]
    if second[0] == "" and r.random() < 0.5:
        first[0], second[0] = "", "Model"
    body = [[name, *(figure(r) for _ in second[1:])] for name in r.sample(MODELS, r.randint(4, 9))]
    best(r, body, range(1, len(first)))
    return Content(caption(r), [first, second, *body], "l" + "n" * len(second[1:]), 2)


def three_levels(r: random.Random) -> Content:
    first = ["Encoder", "In domain", "<", "<", "<", "Out of domain", "<", "<", "<"]
    second = ["^", *(t for s in r.sample(SETS, 4) for t in (s, "<"))]
    third = ["^", *("Prec.", "Rec.") * 4]
    body = [[name, *(figure(r) for _ in range(8))] for name in r.sample(MODELS, r.randint(3, 7))]
    return Content(caption(r), [first, second, third, *body], "l" + "n" * 8, 3)


def deviations(r: random.Random) -> Content:
    sets, sign = r.sample(SETS, r.randint(2, 4)), r.choice(("±", " ± "))

    def one() -> str:
        text = f"{figure(r, 99, 2)}{sign}{r.uniform(0, 3):.2f}"
        return bold(text) if r.random() < 0.12 else text

    body = [[cited(r, name), *(one() for _ in sets)] for name in r.sample(MODELS, r.randint(4, 8))]
    return Content(caption(r), [["Method", *sets], *body], "l" + "c" * len(sets), groups=[len(body) // 2 + 1])


def ablation(r: random.Random) -> Content:
    parts = r.sample(("Aug.", "EMA", "Mixup", "Pretr.", "Loss A", "Loss B", "Gate"), r.randint(3, 4))
    rows = [[*parts, "mIoU", "Δ"]]
    rows.extend(
        [*(r.choice("✓✗") for _ in parts), figure(r), r.choice(("+", "−")) + f"{r.uniform(0, 4):.1f}"]
        for _ in range(r.randint(4, 6))
    )
    rows[1][-1] = "–"
    return Content(caption(r), rows, "c" * len(parts) + "nn")


def ticks(r: random.Random) -> Content:
    rows = [["#", "Attention", "Skip", "Norm.", "FLOPs (G)", "Top-1"]]
    rows += [
        [str(k + 1), *(r.choice(("✓", "")) for _ in range(3)), figure(r, 9), figure(r)] for k in range(r.randint(4, 7))
    ]
    return Content(caption(r), rows, "cccc" + "nn")


def statistics(r: random.Random) -> Content:
    names = r.sample(SETS, r.randint(4, 8))
    rows = [["Dataset", "Train", "Dev", "Test", "Classes", "Avg. len."]]
    rows += [
        [n, *(f"{r.randint(100, 400000):,}" for _ in range(3)), str(r.randint(2, 200)), figure(r, 60)] for n in names
    ]
    rows.append(["Total", *(f"{r.randint(400000, 900000):,}" for _ in range(3)), "–", "–"])
    return Content(caption(r), rows, "lnnnnn", groups=[len(rows) - 1], loose=True)


def settings(r: random.Random) -> Content:
    rows = [
        ["Hyperparameter", "Value"], ["Learning rate", "3 × 10^−4"], ["Batch size", str(2 ** r.randint(4, 10))],
        ["Optimizer", "AdamW"], ["Weight decay", "0.01"], ["Warm-up steps", "10,000"], ["Dropout",
        f"0.{r.randint(1, 4)}"],
        ["Schedule", r.choice(("cosine", "linear decay"))], ["Gradient clipping", "1.0"],
        ["Epochs", str(r.randint(3, 300))],
        ["Hardware", f"{r.randint(1, 8)} × A100 (80 GB)"],
    ]  # fmt: skip
    return Content(caption(r), rows[: r.randint(6, 11)], "l" + r.choice("lcn"))


def regression(r: random.Random) -> Content:
    """Estimates with their errors in brackets below, as economists set them."""
    k = r.randint(3, 5)
    rows = [["", *(f"({n + 1})" for n in range(k))]]
    head = 1
    if r.random() < 0.5:
        rows.insert(0, ["", "OLS", *"<" * (k // 2 - 1 + k % 2), "IV", *"<" * (k // 2 - 1)])
        head = 2
    for name in r.sample(
        ("Log income", "Age", "Urban", "Years of schooling", "Post × treated", "Female", "Tenure"), r.randint(3, 5)
    ):
        there = [r.random() < 0.85 or not n for n in range(k)]
        rows.append(
            [
                name,
                *(
                    f"{r.choice(('', '−'))}{r.uniform(0, 2):.3f}{r.choice(('', '*', '**', '***'))}" if t else ""
                    for t in there
                ),
            ]
        )
        rows.append(["", *(f"({r.uniform(0, 0.5):.3f})" if t else "" for t in there)])
    rows.append(["Observations", *(f"{r.randint(900, 90000):,}" for _ in range(k))])
    rows.append(["R^2", *(figure(r, 0.9, 3) for _ in range(k))])
    rows.append(["Fixed effects", *(r.choice(("Yes", "No")) for _ in range(k))])
    notes = ["Standard errors in parentheses. * p < 0.1, ** p < 0.05, *** p < 0.01."]
    return Content(caption(r), rows, "l" + "c" * k, head, [len(rows) - 3], notes)


def constants(r: random.Random) -> Content:
    rows = [["Parameter", "Symbol", "Value", "Unit"]]
    for name, symbol, unit in r.sample((
        ("Lattice constant", "a", "nm"), ("Coupling", "g", "meV"), ("Temperature", "T", "K"), ("Detuning", "δ", "GHz"),
        ("Linewidth", "κ", "MHz"), ("Mass", "m", "kg"), ("Field", "B", "T"), ("Decay rate", "γ", "s^−1"), ("Angle",
        "θ", "mrad"),
    ), r.randint(5, 8)):  # fmt: skip
        value = r.choice(
            (
                f"{r.uniform(1, 9):.3f}({r.randint(2, 9)})",
                f"{r.choice(('−', ''))}{figure(r, 40, 2)}",
                f"{figure(r, 9)} × 10^{r.randint(2, 9)}",
            )
        )
        rows.append([name, slanted(symbol), value, unit])
    return Content(caption(r), rows, "lc" + r.choice("cln") + "l")


def objects(r: random.Random) -> Content:
    rows = [["Object", "R.A.", "Decl.", "z", "log M", "Notes"], ["", "(h m s)", "(d m s)", "", "(M⊙)", ""]]
    rows.extend(
        [
            f"NGC {r.randint(100, 7800)}",
            f"{r.randint(0, 23):02} {r.randint(0, 59):02} {r.uniform(0, 59):04.1f}",
            f"{r.choice('+−')}{r.randint(0, 89):02} {r.randint(0, 59):02} {r.randint(0, 59):02}",
            f"{r.uniform(0, 2):.3f}",
            f"{r.uniform(8, 12):.2f}",
            r.choice(("", "a", "b", "a, c", "merger", "...")),
        ]
        for _ in range(r.randint(6, 12))
    )
    return Content(caption(r), rows, "lccnnl", 2, loose=r.random() < 0.4, long=True)


def patients(r: random.Random) -> Content:
    n, m = r.randint(40, 300), r.randint(40, 300)
    rows = [["Characteristic", f"Treated\n(n = {n})", f"Control\n(n = {m})", "p"]]

    def share() -> str:
        return f"{r.randint(3, 90)} ({figure(r)}%)"

    def p() -> str:
        return r.choice(("< 0.001", f"{r.uniform(0, 1):.3f}"))

    groups = list[int]()
    rows.append(["Age, mean (SD)", *(f"{figure(r, 80)} ({figure(r, 15)})" for _ in range(2)), p()])
    for label, kinds in (
        ("Sex", ("Female", "Male")),
        ("Stage", ("I–II", "III", "IV")),
        ("Smoking", ("Never", "Former", "Current")),
    )[: r.randint(2, 3)]:
        groups.append(len(rows))
        rows.append([label, "", "", p()])
        rows += [[f"  {kind}", share(), share(), ""] for kind in kinds]
    rows.append(
        [
            "Follow-up, months, median (IQR)",
            *(f"{r.randint(10, 40)} ({r.randint(2, 9)}–{r.randint(41, 60)})" for _ in range(2)),
            p(),
        ]
    )
    return Content(caption(r), rows, "lccn", 1, [*groups, len(rows) - 1])


def confusion(r: random.Random) -> Content:
    kinds = r.sample(("cat", "dog", "bird", "fish", "other"), r.randint(3, 4))
    rows = [["", "", "Predicted", *"<" * (len(kinds) - 1)], ["", "", *kinds]]
    rows += [
        [turned("Actual") if not k else "^", kind, *(str(r.randint(0, 400)) for _ in kinds)]
        for k, kind in enumerate(kinds)
    ]
    return Content(caption(r), rows, "cl" + "n" * len(kinds), 2)
