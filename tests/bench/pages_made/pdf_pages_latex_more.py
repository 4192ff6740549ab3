"""What the tables of the fifteenth truth of `pdf_pages.py` say, the second half, and all of them in order."""

from __future__ import annotations

import random
from collections.abc import Callable

from pdf_pages_latex_contents import (
    AUTHORS,
    METRICS,
    MODELS,
    SETS,
    Content,
    ablation,
    best,
    bold,
    caption,
    cited,
    comparison,
    confusion,
    constants,
    detectors,
    deviations,
    figure,
    mono,
    objects,
    patients,
    regression,
    settings,
    slanted,
    statistics,
    three_levels,
    ticks,
    turned,
    two_levels,
)

PHRASES = (
    "Learns a shared space of text and layout from scanned forms", "No annotated data needed",
    "Works on born-digital files only; fails where two columns touch", "Graph over words", "Slow, but simple to train",
    "Uses the white space between words as evidence for columns", "Rule-based", "Two stages: detection, then structure",
    "Requires the source of each document and a renderer", "Open weights, closed data", "Needs a graphics card",
)  # fmt: skip


def literature(r: random.Random) -> Content:
    rows = [["Work", "Approach", "Limitation", "Code"]]
    rows.extend(
        [
            f"{r.choice(AUTHORS)} et al. [{r.randint(1, 70)}]" if r.random() < 0.7 else name,
            *r.sample(PHRASES, 2),
            r.choice("✓✗"),
        ]
        for name in r.sample(MODELS, r.randint(4, 6))
    )
    return Content(caption(r), rows, "lwwc", groups=[2, 3, 4, 5, 6][: len(rows) - 2] if r.random() < 0.3 else [])


def notation(r: random.Random) -> Content:
    pairs = [
        ("N", "Number of samples in the training set"), ("d", "Dimension of the embedding"), ("α",
        "Weight of the second loss"),
        ("T", "Length of the horizon"), ("λ", "Strength of the penalty"), ("x", "Input, one row of the design matrix"),
        ("K", "Number of mixture components, chosen by cross-validation on held-out documents"), ("τ", "Temperature"),
    ]  # fmt: skip
    rows = [["Symbol", "Meaning"], *([slanted(a), b] for a, b in r.sample(pairs, r.randint(5, 8)))]
    return Content("Notation used throughout.", rows, r.choice(("lw", "cl")))


def complexity(r: random.Random) -> Content:
    rows = [["Layer", "Complexity", "Sequential", "Max. path"]]
    rows += r.sample([
        ["Self-attention", "O(n^2 · d)", "O(1)", "O(1)"], ["Recurrent", "O(n · d^2)", "O(n)", "O(n)"],
        ["Convolution", "O(k · n · d^2)", "O(1)", "O(log n)"], ["Restricted", "O(r · n · d)", "O(1)", "O(n/r)"],
        ["State space", "O(n log n)", "O(1)", "O(1)"],
    ], r.randint(4, 5))  # fmt: skip
    return Content(caption(r), rows, "lccc")


def timing(r: random.Random) -> Content:
    rows = [["Variant", "Latency\n(ms)", "Memory\n(MB)", "Params\n(M)", "Throughput\n(img/s)"]]
    rows += [
        [name, figure(r, 90), f"{r.randint(200, 9000):,}", figure(r, 300), figure(r, 900)]
        for name in r.sample(MODELS, r.randint(4, 8))
    ]
    return Content(caption(r), rows, "lnnnn")


def correlations(r: random.Random) -> Content:
    names = r.sample(("Income", "Age", "Trust", "Stress", "Sleep", "Mood", "Activity"), r.randint(4, 6))
    rows = [["Variable", "M", "SD", *(str(n + 1) for n in range(len(names)))]]
    for at, name in enumerate(names):
        values = [f"{r.choice(('−', ''))}.{r.randint(1, 89):02}{r.choice(('', '*', '**'))}" for _ in range(at)]
        rows.append(
            [f"{at + 1}. {name}", figure(r, 9, 2), figure(r, 2, 2), *values, "–", *[""] * (len(names) - at - 1)]
        )
    return Content(caption(r), rows, "lnn" + "c" * len(names), notes=["* p < .05. ** p < .01."], loose=True)


def items(r: random.Random) -> Content:
    questions = [
        "I could find the table I was looking for without help from others",
        "The answers named the page they came from",
        "I would use the system again for work of this kind", "The figures agreed with those printed",
        "It was clear when the system was not certain of what it had read on a page",
    ]  # fmt: skip
    rows = [["Item", "M", "SD", "α"]]
    rows += [
        [f"Q{k + 1}. {q}", figure(r, 5, 2), figure(r, 2, 2), f".{r.randint(60, 95)}"]
        for k, q in enumerate(questions[: r.randint(3, 5)])
    ]
    return Content(caption(r), rows, "wnnn")


def examples(r: random.Random) -> Content:
    texts = [
        ("Who wrote the report of 1962, and where is it kept?",
        "The survey office; the copy is in the archive at Leiden."),
        ("List all pumps with a head above 40 m.", "P-101, P-107 and P-220. The last is out of service."),
        ("How much did the second phase cost in total?", "4.2 million, of which 1.1 million were for land."),
        ("Does the standard allow welds in zone 2?", "Yes, if they are inspected every year."),
    ]  # fmt: skip
    rows = [["Question", "Answer", "Score"], *([a, b, figure(r, 1, 2)] for a, b in r.sample(texts, r.randint(3, 4)))]
    return Content(caption(r), rows, "wwc", groups=[2, 3, 4][: len(rows) - 2])


def languages(r: random.Random) -> Content:
    codes = r.sample(
        ("en", "de", "fr", "es", "ru", "zh", "ar", "hi", "sw", "ur", "th", "tr", "vi", "bg", "el"), r.randint(9, 13)
    )
    body = [[n, *(figure(r) for _ in codes), figure(r)] for n in r.sample(MODELS, r.randint(3, 6))]
    best(r, body, range(1, len(codes) + 2))
    groups = list[int]()
    if r.random() < 0.6:
        body.insert(len(body) // 2, [slanted("Zero-shot, trained on English only"), *"<" * (len(codes) + 1)])
        body.insert(0, [slanted("Translate-train"), *"<" * (len(codes) + 1)])
        groups = [next(k for k, row in enumerate(body[1:], 2) if row[1] == "<")]
    return Content(caption(r), [["Model", *codes, "Avg."], *body], "l" + "n" * (len(codes) + 1), groups=groups)


def glue(r: random.Random) -> Content:
    rows = [
        ["", "CoLA", "SST-2", "MRPC", "STS-B", "QQP", "MNLI", "RTE"],
        ["Model", "(Mcc)", "(Acc)", "(F1/Acc)", "(P/S)", "(F1)", "(m/mm)", "(Acc)"],
    ]
    rows.extend(
        [name, *(f"{figure(r)}/{figure(r)}" if c in (3, 4, 6) else figure(r) for c in range(1, 8))]
        for name in r.sample(MODELS, r.randint(4, 7))
    )
    return Content(caption(r), rows, "lccccccc", 2)


def bonds(r: random.Random) -> Content:
    rows = [["Bond", "Length (Å)", "Bond", "Length (Å)", "Angle", "(deg)"]]
    for _ in range(r.randint(4, 8)):
        a, b, c = (r.choice("CNOFe") + str(r.randint(1, 20)) for _ in range(3))
        rows.append(
            [
                f"{a}–{b}",
                f"{r.uniform(1, 2):.3f}({r.randint(2, 9)})",
                f"{b}–{c}",
                f"{r.uniform(1, 2):.3f}({r.randint(2, 9)})",
                f"{a}–{b}–{c}",
                f"{r.uniform(80, 140):.1f}({r.randint(1, 5)})",
            ]
        )
    return Content(caption(r), rows, "lclclc", loose=True)


def budget(r: random.Random) -> Content:
    names = (
        "Luminosity",
        "Trigger efficiency",
        "Jet energy scale",
        "Pile-up",
        "Background model",
        "Parton density",
        "Statistics of simulation",
    )
    chosen = r.sample(names, r.randint(4, 7))
    rows = (
        [["Source", "Uncertainty (%)", "<"], ["^", "2016", "2017"]]
        if r.random() < 0.5
        else [["Source", "2016", "2017"]]
    )
    head = len(rows)
    rows += [[n, f"{r.uniform(0, 5):.1f}", r.choice((f"{r.uniform(0, 5):.1f}", "< 0.1", "–"))] for n in chosen]
    rows.append(["Total", f"{r.uniform(3, 9):.1f}", f"{r.uniform(3, 9):.1f}"])
    return Content(caption(r), rows, "lnc", head, [len(rows) - 1], loose=True)


def solvers(r: random.Random) -> Content:
    rows = [
        ["", "", "", "Branch and cut", "<", "<", "Heuristic", "<"],
        ["Instance", "n", "m", "Time (s)", "Gap (%)", "Nodes", "Time (s)", "Gap (%)"],
    ]
    rows.extend(
        [
            mono(f"{r.choice(('air', 'mas', 'nug', 'pk'))}{r.randint(1, 99):02}"),
            str(r.randint(10, 900)),
            f"{r.randint(10, 9000):,}",
            r.choice((figure(r, 3600), "TL")),
            r.choice((figure(r, 9, 2), "0.00")),
            r.choice((f"{r.randint(1, 99999):,}", "–", "OOM")),
            figure(r, 60),
            figure(r, 9, 2),
        ]
        for _ in range(r.randint(6, 14))
    )
    rows.append(
        ["Average", "", "", figure(r, 3600), figure(r, 9, 2), f"{r.randint(1, 9999):,}", figure(r, 60), figure(r, 9, 2)]
    )
    return Content(caption(r), rows, "lnnnnnnn", 2, [len(rows) - 1], long=True)


def machine(r: random.Random) -> Content:
    rows = r.sample([
        ["Processor", "2 × EPYC 7763, 64 cores each"], ["Memory", "512 GB DDR4"], ["Accelerator", "8 × A100 SXM4"],
        ["Network", "InfiniBand HDR, 200 Gb/s"], ["System", "Rocky Linux 8.6"], ["Compiler", "GCC 12.2, -O3"],
        ["Storage", "Lustre, 1.2 PB"],
    ], r.randint(4, 7))  # fmt: skip
    return Content("Configuration of the machine.", [["Component", "Description"], *rows], "ll")


def features(r: random.Random) -> Content:
    names = r.sample(
        ("Tagged files", "Scans", "Merged cells", "Equations", "Right-to-left", "Footnotes", "Batch mode", "Offline"),
        r.randint(5, 7),
    )
    rows = [["System", *map(turned, names)]]
    rows += [[n, *(r.choice(("✓", "✗", "✓")) for _ in names)] for n in r.sample(MODELS, r.randint(4, 7))]
    return Content(caption(r), rows, "l" + "c" * len(names))


def groups_named(r: random.Random) -> Content:
    """Rows under labels of their own lines."""
    metrics = r.sample(METRICS, r.randint(3, 5))
    rows, groups, models = [["Method", *metrics]], list[int](), r.sample(MODELS, 10)
    for at, label in enumerate(
        r.sample(
            ("Supervised", "Self-supervised", "Zero-shot", "Few-shot (k = 5)", "Retrieval-based methods"),
            r.randint(2, 3),
        )
    ):
        groups += [len(rows)] if at else []
        rows.append([r.choice((slanted, bold))(label), *"<" * len(metrics)])
        rows += [[cited(r, models.pop()), *(figure(r, 100, 2) for _ in metrics)] for _ in range(r.randint(2, 3))]
    return Content(caption(r), rows, "l" + "n" * len(metrics), groups=groups)


def attributes(r: random.Random) -> Content:
    """Two labels before the figures, marks with notes under the table."""
    rows = [["Region", "Year", "GDP^a", "Debt^b", "Growth (%)"]]
    groups = list[int]()
    for at, region in enumerate(r.sample(("North", "South", "East", "West", "Centre"), r.randint(2, 4))):
        groups += [len(rows)] if at else []
        rows.extend(
            [
                region if not k else "",
                str(2018 + k),
                f"{r.randint(100, 9000):,}",
                f"{r.randint(10, 900):,}",
                f"{r.choice(('−', ''))}{r.uniform(0, 6):.1f}",
            ]
            for k in range(r.randint(2, 3))
        )
    return Content(
        caption(r), rows, "lcnnn", groups=groups, notes=["^a In millions, at prices of 2015.", "^b Held by the public."]
    )


def marked(r: random.Random) -> Content:
    rows = [["Reagent", "Yield (%)", "ee (%)", "t (h)"]]
    rows.extend(
        [
            f"{r.randint(1, 9)}{r.choice('abcd')}" if r.random() < 0.5 else f"Entry {k + 1}",
            f"{r.randint(20, 99)}{r.choice(('', '', '^c', '†'))}",
            r.choice((str(r.randint(50, 99)), "n.d.", "–")),
            str(r.randint(1, 48)),
        ]
        for k in range(r.randint(5, 9))
    )
    return Content(
        caption(r), rows, "lccc", notes=["^c Isolated after chromatography. † Average of two runs."], loose=True
    )


def shares(r: random.Random) -> Content:
    rows = [["Corpus", "Errors", "Missing", "Merged", "Split"]]
    rows += [[n, *(f"{r.uniform(0, 30):.2f}%" for _ in range(4))] for n in r.sample(SETS, r.randint(4, 8))]
    return Content(caption(r), rows, "l" + "n" * 4, loose=True)


CONTENTS: tuple[Callable[[random.Random], Content], ...] = (
    comparison,
    detectors,
    two_levels,
    three_levels,
    deviations,
    ablation,
    ticks,
    statistics,
    settings,
    regression,
    constants,
    objects,
    patients,
    confusion,
    literature,
    notation,
    complexity,
    timing,
    correlations,
    items,
    examples,
    languages,
    glue,
    bonds,
    budget,
    solvers,
    machine,
    features,
    groups_named,
    attributes,
    marked,
    shares,
)
