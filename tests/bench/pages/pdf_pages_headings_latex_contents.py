"""What the documents of `pdf_pages_headings_latex.py` say: invented prose in four languages, and the parts, notes,
theorems, floats and lists it is put together of, each drawn with a seed. How it is typeset `…_latex_looks.py` says."""
# ruff: noqa: E501  (markup and words read best unbroken)

from __future__ import annotations

import random
from dataclasses import dataclass, field

WORDS: dict[str, dict[str, list[str]]] = {
    "en": {
        "thing": [
            "the replication protocol", "a causally consistent store", "the sediment transport model", "every gauge upstream",
            "the annotation scheme", "our segmentation network", "the anchoring compound", "a monotonic join semilattice",
            "the convergence criterion", "the distribution of spectral residuals", "each participating laboratory",
            "the parameterisation of turbulence", "the morphological analyser", "a conflict-free counter",
            "the interlaminar fracture toughness", "the maintenance department", "a representative subsample",
            "the hydrological administration", "the underlying transformation", "an asynchronous communication layer",
            "the cross-validation procedure", "the electrochemical impedance", "the documentation of earlier campaigns",
            "an uncompensated thermal displacement", "the neighbourhood committee", "the probabilistic classification",
        ],
        "does": [
            "reduces", "determines", "approximates", "complicates", "replaces", "outperforms", "constrains", "illustrates",
            "underestimates", "reproduces", "coordinates", "invalidates", "characterises", "accommodates", "presupposes",
        ],
        "what": [
            "the number of retransmissions", "a considerable part of the variance", "the accumulated displacement",
            "what practitioners expect of such systems", "the administrative overhead", "most of the remaining errors",
            "the interpretation of earlier measurements", "the availability of replicas", "the uncertainty of the estimate",
            "any straightforward generalisation", "the responsibility of the operators", "several well-known counterexamples",
            "the temperature dependence of the signal", "our understanding of concurrent updates", "a state-of-the-art baseline",
            "the concentration of suspended particles", "the recommendations of the committee", "all intermediate representations",
        ],
        "when": [
            "whenever the network partitions", "over the whole observation period", "in spite of frequent interruptions",
            "under realistic operating conditions", "at least for moderate discharges", "without additional instrumentation",
            "after three consecutive winters", "as soon as the buffers overflow", "for all configurations that were tested",
            "independently of the initial conditions", "if the measurements are sufficiently dense", "to a surprising degree",
            "with hardly any manual intervention", "in approximately one case out of seven", "when deliveries are delayed",
        ],
        "lead": [
            "In contrast to earlier work,", "Consequently,", "As the second campaign demonstrated,", "Somewhat unexpectedly,",
            "From an operational point of view,", "For the purposes of this study,", "Strictly speaking,",
            "Following the usual convention,", "Once calibration is complete,", "Among other things,", "More importantly,",
        ],
        "join": ["while", "because", "although", "so that", "whereas", "and", "which is why"],
        "head": [
            "System Model", "Background and Notation", "Related Work", "Experimental Setup", "Results", "Discussion",
            "Threats to Validity", "Data Collection", "Proposed Method", "Implementation Notes", "Lower Bounds",
            "Sensitivity Analysis", "State-based Replication", "Calibration of the Gauges", "A Motivating Example",
            "Comparison with Previous Approaches", "Error Budget", "Effect of the Sampling Interval on the Accuracy of Long-Term Estimates",
            "Garbage Collection", "Sets, Maps and Graphs", "What Operators Told Us", "Case Study: The Lower Aare", "Cost Model",
            "Complexity", "Ablation Study", "Monitoring and Alarms", "Limitations", "Ethical Considerations",
            "Design Goals", "Formal Semantics", "Recovery after a Crash", "Deployment in Three Harbours", "Training Details",
        ],
        "runin": [
            "Data sets", "Baselines", "Hardware", "Evaluation metrics", "Implementation details", "Fault tolerance",
            "Query workload", "Why not quorums?", "Stopping rule", "Human annotators", "Scaling behaviour", "Cost of recovery",
            "Choice of parameters", "Memory consumption", "Negative results", "Reproducibility",
        ],
        "first": ["Introduction"], "last": ["Conclusion", "Conclusions and Future Work", "Concluding Remarks"],
        "ack": ["Acknowledgments", "Acknowledgements"], "refs": ["References"], "app": [
            "Proofs of the Main Results", "Additional Experiments", "Questionnaire", "List of Stations", "Hyperparameters"],
    },
    "de": {
        "thing": [
            "die Wasserstandsvorhersage", "der Verwaltungsausschuss", "eine zusätzliche Messeinrichtung", "das Auswertungsverfahren",
            "die Unterhaltungsmaßnahme", "der Zustandsbericht", "eine gleichmäßige Lastverteilung", "die Genehmigungsbehörde",
            "das Verschlüsselungsverfahren", "die Geschwindigkeitsverteilung", "jede Vergleichsmessung", "der Wirkungsgrad",
        ],
        "does": ["verringert", "bestimmt", "erschwert", "bestätigt", "ersetzt", "beeinflusst", "übertrifft", "veranschaulicht"],
        "what": [
            "die Unsicherheit der Schätzung", "den überwiegenden Teil der Schwankungen", "die Zuverlässigkeit der Anlagen",
            "sämtliche Zwischenergebnisse", "die Auslegung früherer Messungen", "den Aufwand für die Überwachung",
            "das Verständnis der Zusammenhänge", "die Empfehlungen des Beirats", "die Betriebsbereitschaft der Pumpwerke",
        ],
        "when": [
            "bei mittleren Abflüssen", "während des gesamten Beobachtungszeitraums", "trotz häufiger Unterbrechungen",
            "unter üblichen Betriebsbedingungen", "ohne zusätzliche Ausrüstung", "nach drei aufeinanderfolgenden Wintern",
            "unabhängig von den Anfangsbedingungen", "in überraschend hohem Maße", "sobald die Zuflüsse schwanken",
        ],
        "lead": ["Darüber hinaus gilt:", "Erfahrungsgemäß gilt:", "Wie sich zeigte:", "Kurz gesagt:"],
        "join": ["und", "denn", "aber"],
        "head": [
            "Grundlagen", "Stand der Technik", "Aufbau der Versuche", "Messgrößen und Einheiten", "Ergebnisse", "Diskussion",
            "Auswertung der Vergleichsmessungen", "Umsetzung im Betrieb", "Fehlerbetrachtung", "Wirtschaftlichkeit",
            "Anforderungen an künftige Messnetze unter veränderten klimatischen Bedingungen", "Begriffe", "Modellbildung",
            "Zuständigkeiten", "Wartung und Instandsetzung", "Übertragbarkeit", "Untersuchungsgebiet",
        ],
        "runin": ["Messgeräte", "Stichprobe", "Datenhaltung", "Abbruchkriterium", "Rechenzeit", "Gewichtung", "Ausblick auf den Betrieb"],
        "first": ["Einleitung"], "last": ["Zusammenfassung und Ausblick", "Fazit"], "ack": ["Danksagung"],
        "refs": ["Literatur"], "app": ["Messprotokolle", "Verzeichnis der Stationen"],
    },
    "fr": {
        "thing": [
            "le modèle hydrologique", "la commission départementale", "une procédure d’étalonnage", "le réseau de surveillance",
            "l’analyse morphologique", "chaque laboratoire participant", "la répartition des résidus", "un compteur répliqué",
        ],
        "does": ["réduit", "détermine", "complique", "remplace", "confirme", "illustre", "contredit", "précède"],
        "what": [
            "l’incertitude de l’estimation", "la plus grande partie de la variance", "les recommandations du comité",
            "l’interprétation des mesures antérieures", "la charge administrative", "tous les résultats intermédiaires",
        ],
        "when": [
            "pendant toute la période d’observation", "malgré de fréquentes interruptions", "dans des conditions réalistes",
            "sans équipement supplémentaire", "après trois hivers consécutifs", "indépendamment des conditions initiales",
        ],
        "lead": ["Par conséquent,", "En revanche,", "D’un point de vue pratique,", "Comme prévu,"],
        "join": ["tandis que", "parce que", "et"],
        "head": [
            "Contexte et notations", "Travaux antérieurs", "Protocole expérimental", "Résultats", "Discussion", "Coût de la méthode",
            "Étude de cas : la basse vallée", "Limites de l’approche", "Collecte des données", "Modèle de répartition",
            "Évaluation", "Perspectives d’exploitation à long terme du réseau de surveillance",
        ],
        "runin": ["Jeux de données", "Matériel", "Critère d’arrêt", "Mesures d’évaluation", "Annotateurs"],
        "first": ["Introduction"], "last": ["Conclusion"], "ack": ["Remerciements"], "refs": ["Références"],
        "app": ["Questionnaire", "Démonstrations"],
    },
    "pl": {
        "thing": [
            "model hydrologiczny", "komitet sterujący", "procedura kalibracji", "sieć pomiarowa", "każde laboratorium",
            "rozkład reszt", "licznik rozproszony", "warstwa komunikacji", "badana próbka", "wstępna klasyfikacja",
        ],
        "does": ["zmniejsza", "określa", "utrudnia", "zastępuje", "potwierdza", "ilustruje", "ogranicza"],
        "what": [
            "niepewność oszacowania", "znaczną część zmienności", "zalecenia komisji", "interpretację wcześniejszych pomiarów",
            "obciążenie administracyjne", "wszystkie wyniki pośrednie", "dostępność usług",
        ],
        "when": [
            "w całym okresie obserwacji", "pomimo częstych przerw", "w rzeczywistych warunkach pracy", "bez dodatkowych urządzeń",
            "po trzech kolejnych zimach", "niezależnie od warunków początkowych", "w zaskakującym stopniu",
        ],
        "lead": ["W rezultacie", "Z drugiej strony", "Jak się okazało,", "Innymi słowy,"],
        "join": ["podczas gdy", "ponieważ", "a"],
        "head": [
            "Podstawy teoretyczne", "Przegląd literatury", "Opis doświadczenia", "Wyniki", "Dyskusja", "Ograniczenia metody",
            "Zbieranie danych", "Model kosztów", "Wdrożenie w trzech portach", "Analiza wrażliwości", "Oznaczenia",
        ],
        "runin": ["Zbiory danych", "Sprzęt", "Kryterium stopu", "Miary jakości"],
        "first": ["Wstęp"], "last": ["Podsumowanie"], "ack": ["Podziękowania"], "refs": ["Literatura"],
        "app": ["Kwestionariusz", "Dowody twierdzeń"],
    },
}  # fmt: skip
TITLES = {
    "en": [
        "Conflict-free Counters for Rivers that Freeze", "A Comprehensive Study of Convergent Gauge Networks",
        "Measuring What Matters: Sediment, Sensors and the Limits of Consensus", "On the Stability of Replicated Maps",
        "Learning to Segment Ice Floes from Sparse Annotations", "Towards Reliable Long-Term Monitoring of Small Harbours",
        "HarbourNet: Robust Forecasting of Water Levels with Delay-Tolerant Transformers and Few Gauges",
        "Interlaminar Fracture of Bonded Anchors under Cyclic Load", "Joins Considered Useful",
    ],
    "de": ["Wasserstandsvorhersage mit wenigen Pegeln", "Zur Auslegung verteilter Messnetze an kleinen Flüssen",
           "Betriebshandbuch für Pumpwerke mit Fernüberwachung"],
    "fr": ["Surveillance répartie des petits ports", "Étude d’un réseau de jauges convergent"],
    "pl": ["Rozproszone sieci pomiarowe małych rzek", "O stabilności liczników rozproszonych"],
}  # fmt: skip
PEOPLE = [
    "Marc Sandoval", "Nuno Preiss", "Carlos Baquedano", "Marek Zawadzki", "Ingrid Hollander", "Li Wen Zhao", "Anna-Lena Brück",
    "Pekka Väisänen", "Priya Raghunathan", "José Ibáñez", "Tomasz Kowal", "Ruth E. Whitcombe", "Étienne Lagarde", "Aylin Demir",
    "Samuel K. Osei", "Hanna Lindqvist",
]  # fmt: skip
PLACES = [
    ("Department of Computer Science", "University of Northern Lakes", "Kuopio, Finland", "lakes.example"),
    ("Institute of Hydraulic Engineering", "Technische Hochschule Aarbrück", "Aarbrück, Germany", "th-aarbrueck.example"),
    ("Laboratoire d’Informatique Répartie", "Université de la Côte", "Brest, France", "cote.example"),
    ("School of Ocean Sciences", "Harbour State College", "Portsmouth, USA", "harbourstate.example"),
    ("Research Group Distributed Data", "Gauge Research Inc.", "Zurich, Switzerland", "gauge.example"),
]  # fmt: skip
THEOREMS = ("Theorem", "Lemma", "Definition", "Proposition", "Corollary", "Example")
NAMES = ("Strong eventual consistency", "Convergence", "Monotone join", "Bounded delay")
_ABBREVIATED = 5  # a citation stands in one sentence out of so many


@dataclass(frozen=True)
class Sentence:
    """A sentence; `note` is the text of a footnote set behind its `note_at`-th word, 0 at its end."""

    text: str
    note: str = ""
    note_at: int = 0


@dataclass(frozen=True)
class Piece:
    """A piece of a document. `kind` says what `text`, a title or a caption, and `sentences` are."""

    kind: str
    text: str = ""
    level: int = 0
    sentences: tuple[Sentence, ...] = ()
    numbered: bool = True


@dataclass
class Paper:
    """A document before it is typeset."""

    title: str
    authors: list[str]
    places: list[tuple[str, str, str, str]]
    language: str
    abstract: list[Sentence]
    pieces: list[Piece] = field(default_factory=list[Piece])
    refs: list[str] = field(default_factory=list[str])


class Prose:
    """Sentences no two of which are the same."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self.rng, self.words = rng, WORDS[language]
        self._said: set[str] = set()
        self.cite = rng.choice(("number", "name", "none"))

    def sentence(self) -> str:
        """The next one, without notes."""
        while True:
            text = self._draw()
            if text not in self._said:
                self._said.add(text)
                return text

    def sentences(self, least: int, most: int, notes: float = 0.0) -> tuple[Sentence, ...]:
        """So many, a share of them with a footnote."""
        said: list[Sentence] = []
        for _ in range(self.rng.randint(least, most)):
            text = self.sentence()
            if self.rng.random() < notes:
                note = " ".join(self.sentence() for _ in range(self.rng.choice((1, 1, 2, 2, 5))))
                at = 0 if self.rng.random() < 0.6 else text.count(" ") // 2
                said.append(Sentence(text, note, at))
            else:
                said.append(Sentence(text))
        return tuple(said)

    def _clause(self) -> str:
        pick = self.rng.choice
        words = self.words
        return f"{pick(words['thing'])} {pick(words['does'])} {pick(words['what'])}"

    def _draw(self) -> str:
        pick, words = self.rng.choice, self.words
        text = self._clause()
        if self.rng.random() < 0.6:
            text += f" {pick(words['when'])}"
        if self.rng.random() < 0.5:
            text = f"{text}, {pick(words['join'])} {self._clause()}"
        if self.rng.random() < 0.25:
            text = f"{pick(words['lead'])} {text}"
        if self.rng.randrange(_ABBREVIATED) == 0 and self.cite != "none":
            year, number = self.rng.randint(1995, 2023), self.rng.randint(1, 40)
            name = pick(PEOPLE).rsplit(" ", 1)[-1]
            text += f" [{number}]" if self.cite == "number" else f" ({name} et al., {year})"
        elif self.rng.random() < 0.1:
            text += f" by {self.rng.randint(2, 97)}.{self.rng.randint(1, 9)}%" if words is WORDS["en"] else ""
        return text[0].upper() + text[1:] + "."


def paper(rng: random.Random, language: str, *, chapters: bool, length: int, theory: bool) -> Paper:
    """A document of `length` parts at its first level, its headings, text and floats drawn."""
    prose = Prose(rng, language)
    words = WORDS[language]
    count = rng.choice((1, 2, 3, 3, 4, 5))
    made = Paper(
        rng.choice(TITLES[language]), rng.sample(PEOPLE, count), rng.sample(PLACES, min(count, rng.randint(1, 3))),
        language, list(prose.sentences(4, 7)),
    )  # fmt: skip
    titles = rng.sample(words["head"], len(words["head"]))
    runins = rng.sample(words["runin"], len(words["runin"]))
    tops = [words["first"][0], *(titles.pop() for _ in range(max(length - 2, 1)) if titles), rng.choice(words["last"])]
    deep = rng.choice((1, 2, 2, 3))
    run_in = rng.random() < 0.5
    for at, top in enumerate(tops):
        made.pieces.append(Piece("heading", top, 0 if chapters else 1))
        inner = 0 < at < len(tops) - 1
        made.pieces += _text(prose, rng, rng.randint(1, 3), theory=False)
        if chapters and titles:
            made.pieces.append(Piece("heading", titles.pop(), 1))
            made.pieces += _text(prose, rng, rng.randint(2, 4), theory=theory)
        for _ in range(rng.randint(1, 3) if inner else 0):
            made.pieces += _subsection(prose, rng, titles, deep, theory=theory)
        if run_in and inner:
            for _ in range(rng.randint(1, 3)):
                if runins:
                    made.pieces.append(Piece("runin", runins.pop(), 4))
                    made.pieces += _text(prose, rng, 1, theory=False, plain=True)
    if rng.random() < 0.6:
        made.pieces.append(Piece("heading", rng.choice(words["ack"]), 0 if chapters else 1, numbered=False))
        made.pieces += _text(prose, rng, 1, theory=False, plain=True)
    made.refs = [_reference(rng) for _ in range(rng.randint(6, 16))]
    return made


def _subsection(prose: Prose, rng: random.Random, titles: list[str], deep: int, *, theory: bool) -> list[Piece]:
    pieces: list[Piece] = []
    for level in range(2, min(deep, 3) + 1):
        if titles and (level == 2 or rng.random() < 0.6):
            pieces.append(Piece("heading", titles.pop(), level))
            pieces += _text(prose, rng, rng.randint(1, 3), theory=theory)
    return pieces


def _text(prose: Prose, rng: random.Random, count: int, *, theory: bool, plain: bool = False) -> list[Piece]:
    pieces: list[Piece] = []
    for at in range(count):
        pieces.append(Piece("text", sentences=prose.sentences(3, 8, notes=0.06)))
        if plain or (at == count - 1 and rng.random() < 0.5):
            continue
        kind = rng.choice(("", "", "", "table", "figure", "list", "equation", "code", "algorithm", "display"))
        if theory and rng.random() < 0.4:
            kind = "theorem"
        if kind == "theorem":
            name = rng.choice(NAMES) if rng.random() < 0.4 else ""
            pieces.append(Piece("theorem", f"{rng.choice(THEOREMS)}|{name}", 0, prose.sentences(1, 3)))
            if rng.random() < 0.5:
                pieces.append(Piece("proof", sentences=prose.sentences(2, 3)))
        elif kind:
            pieces.append(Piece(kind, prose.sentence(), 0, prose.sentences(2, 4)))
    return pieces


def _reference(rng: random.Random) -> str:
    names = ", ".join(f"{n.split()[0][0]}. {n.rsplit(' ', 1)[-1]}" for n in rng.sample(PEOPLE, rng.randint(1, 3)))
    title = rng.choice(WORDS["en"]["head"]).lower().capitalize()
    where = rng.choice(("Journal of Tidal Computing", "Proc. Workshop on Gauges", "Rivers and Data", "Tech. Report"))
    return (
        f"{names}. {title} revisited. {where}, {rng.randint(1, 60)}:{rng.randint(1, 300)}, {rng.randint(1990, 2023)}."
    )
