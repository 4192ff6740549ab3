"""What the documents of `pdf_order_latex.py` say: invented sentences in four languages, no two alike in a document,
with long words that lines break, ligatures, accents, quotes, dashes and words that hyphens join."""
# ruff: noqa: E501  (words read best unbroken)

from __future__ import annotations

import random

WORDS: dict[str, dict[str, list[str]]] = {
    "en": {
        "who": [
            "the superintendent", "a dissatisfied shareholder", "the office of fisheries", "an affluent philanthropist", "the well-known cartographer",
            "every staff member", "the interdisciplinary commission", "a self-taught watchmaker", "the offshore operator", "one of the beneficiaries",
            "the municipal archaeologist", "our correspondent", "the afflicted parishioners", "the shuffling procession", "a first-rate accompanist",
            "the flood-plain authority", "a professional stonemason", "the officers’ mess", "the constitutional assembly", "the representative",
            "the fjord’s ferryman", "the manufacturer of waffle irons", "the chief geophysicist", "a long-term resident", "the underprivileged majority",
        ],
        "did": [
            "acknowledged", "reconsidered", "photographed", "overestimated", "catalogued", "misunderstood", "refurbished", "counterbalanced",
            "exemplified", "officially dismissed", "re-examined", "subsequently abandoned", "differentiated", "rehabilitated", "affirmed",
            "unhesitatingly recommended", "half-heartedly defended", "systematically investigated", "disqualified", "superseded",
        ],
        "what": [
            "the insufficient documentation", "a quarter of the manuscripts", "the inflammable decorations", "an unprecedented configuration",
            "the profit-sharing agreement", "the waterproof instruments", "“an entirely different affair”", "several incompatible definitions",
            "the transatlantic correspondence", "the effects of sedimentation", "the two-thirds majority", "the refractive coefficients",
            "the so-called “coffee-house” circle", "the unofficial inventory", "a disproportionate compensation", "the flawless microfilm copies",
            "the refrigeration machinery", "the baffling circumstances", "the neighbour’s greenhouse", "the characteristic stratification",
        ],
        "how": [
            "without sufficient justification", "in nineteenth-century newspapers", "throughout the administrative district", "for 3.75% of the cases",
            "notwithstanding earlier recommendations", "because of the geographical distribution", "under exceptionally difficult conditions",
            "on the afternoon of 17 February 1923", "with considerable enthusiasm", "as far as anybody could ascertain", "at approximately 1,250 metres",
            "after the reorganisation of the department", "before the official announcement", "by means of a four-wheeled contraption",
        ],
        "join": [", although", "; nevertheless,", " – or so it was said –", ", whereas", " and", ", because", "—reluctantly—and"],
    },
    "de": {
        "who": [
            "die Geschäftsführung", "der Landschaftsarchitekt", "das Oberverwaltungsgericht", "eine Gesundheitsbehörde", "der Schiffbauingenieur",
            "die Kraftfahrzeugversicherung", "der Vermessungsausschuss", "das Bürgermeisteramt", "die Universitätsbibliothek", "der Königlich-Bayerische Rat",
            "die Trinkwasserversorgung", "der Straßenbahnführer", "das Auffanglager", "die Wirtschaftsprüfungsgesellschaft", "jede Handwerkskammer",
            "der Nordsee-Fischer", "die Öffentlichkeit", "der Sachverständige", "ein Apothekergehilfe", "die Mitgliederversammlung",
        ],
        "did": [
            "bezweifelte", "veröffentlichte", "vernachlässigte", "überprüfte", "beglaubigte", "unterschätzte", "vervollständigte", "widerlegte",
            "beschlagnahmte", "genehmigte", "verschwieg", "beeinträchtigte", "rechtfertigte", "verabschiedete", "fotografierte",
        ],
        "what": [
            "die Aufenthaltsgenehmigung", "den Jahresabschlussbericht", "sämtliche Schriftstücke", "die Rhein-Main-Verbindung", "das „große Missverständnis“",
            "die Geschwindigkeitsbegrenzung", "den Wasser- und Abwasserverband", "die Entschädigungszahlungen", "das Schifffahrtsmuseum",
            "die außergewöhnlichen Umstände", "den Grundstücksverkauf", "die Nachtzuschläge", "zwölf Aktenordner", "die Höchstgeschwindigkeiten",
            "das Auswahlverfahren", "die Hochwasserschutzmaßnahmen", "den Streitgegenstand", "die Rechtschreibprüfung",
        ],
        "how": [
            "nach jahrelangen Verhandlungen", "während der Sommermonate", "trotz mehrfacher Aufforderung", "ohne nachvollziehbare Begründung",
            "im neunzehnten Jahrhundert", "unter erschwerten Bedingungen", "am 3. Dezember 1897", "gegen eine Aufwandsentschädigung", "mit 4,5 % Abweichung",
            "aus wirtschaftlichen Erwägungen", "anlässlich der Grundsteinlegung", "infolge heftiger Niederschläge",
        ],
        "join": [", obwohl", "; gleichwohl", " und", ", weil", ", während", " – wie es hieß –"],
    },
    "fr": {
        "who": [
            "l’administration départementale", "le bibliothécaire adjoint", "une commission extraordinaire", "le garde-forestier", "l’arrière-grand-père",
            "la chambre d’agriculture", "le conservateur du musée", "l’ingénieur hydrographe", "chaque propriétaire", "la municipalité voisine",
            "l’officier d’état-major", "le vice-président", "une correspondante étrangère", "l’assemblée constituante", "le dernier héritier", "l’œuvre de bienfaisance",
        ],
        "did": [
            "abandonna", "photographia", "reconnaissait", "surestimait", "réorganisa", "désapprouvait", "approfondit", "bouleversa", "dénombrait",
            "soupçonnait", "recommandait", "expérimenta", "commercialisait", "transforma", "restituait",
        ],
        "what": [
            "l’ensemble des manuscrits", "les difficultés insurmontables", "une interprétation contestable", "la correspondance diplomatique",
            "l’approvisionnement en eau", "« une affaire embrouillée »", "les chefs-d’œuvre oubliés", "la procédure administrative", "les effets inattendus",
            "l’aménagement du territoire", "quelques documents inédits", "le développement économique", "la cinquième représentation", "les coefficients d’élasticité",
        ],
        "how": [
            "malgré les recommandations précédentes", "au cours du dix-neuvième siècle", "sans justification suffisante", "pendant l’après-midi du 14 juillet 1889",
            "à l’intérieur des établissements", "conformément aux dispositions réglementaires", "dans l’arrière-boutique", "aujourd’hui encore",
            "pour 12,5 % des habitants", "à cause des circonstances exceptionnelles", "en dépit d’un âge avancé",
        ],
        "join": [", tandis que", " ; cependant", " et", ", parce que", " – disait-on –", ", puisque"],
    },
    "pl": {
        "who": [
            "przewodniczący komitetu", "rada nadzorcza", "niedoświadczony księgowy", "urząd województwa", "każde przedsiębiorstwo", "miejscowy rzemieślnik",
            "dziewiętnastowieczny kartograf", "żołnierz północno-wschodniej straży", "współwłaściciel młyna", "biblioteka uniwersytecka", "zgromadzenie ogólne",
            "najstarszy mieszkaniec", "pełnomocnik rządu", "stowarzyszenie rybaków", "wiceprezes spółki",
        ],
        "did": [
            "zakwestionował", "sfotografował", "przeanalizował", "zaniedbywał", "uporządkował", "rozpowszechniał", "przewidział", "unieważnił",
            "odrestaurował", "przyspieszył", "wyszczególnił", "potwierdził", "lekceważył", "skompletował",
        ],
        "what": [
            "niewystarczającą dokumentację", "rozporządzenie ministra", "„całkowite nieporozumienie”", "biało-czerwone sztandary", "wszystkie rękopisy",
            "wyniki przeprowadzonych badań", "odszkodowanie za zniszczenia", "współczynnik załamania", "międzynarodową korespondencję", "źródła zaopatrzenia",
            "społeczno-gospodarcze skutki", "przebudowę oczyszczalni", "niebezpieczne urządzenia", "najważniejsze postanowienia",
        ],
        "how": [
            "pomimo wielokrotnych ostrzeżeń", "w ciągu następnych dziesięcioleci", "bez dostatecznego uzasadnienia", "na początku dwudziestego wieku",
            "w dniu 11 listopada 1918 roku", "ze względu na okoliczności", "w wyjątkowo trudnych warunkach", "za pośrednictwem towarzystwa",
            "z dokładnością do 2,5 %", "po zakończeniu prac konserwatorskich", "przed ogłoszeniem wyroku",
        ],
        "join": [", podczas gdy", " i", ", ponieważ", "; mimo to", ", chociaż", " – jak twierdzono –"],
    },
}  # fmt: skip


class Prose:
    """Sentences no two of which are the same."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self._rng, self._words = rng, WORDS[language]
        self._said: set[str] = set()

    def sentence(self) -> str:
        """The next one."""
        while True:
            text = self._draw()
            if text not in self._said:
                self._said.add(text)
                return text

    def short(self) -> str:
        """One of a few words, without an end: a title, an entry of a list, a line of verse."""
        while True:
            text = self._words_of("did", "what")
            if text not in self._said:
                self._said.add(text)
                return text[0].upper() + text[1:]

    def _words_of(self, *kinds: str) -> str:
        return " ".join(self._rng.choice(self._words[kind]) for kind in kinds)

    def _draw(self) -> str:
        text = self._words_of("who", "did", "what")
        if self._rng.random() < 0.7:
            text += " " + self._words_of("how")
        if self._rng.random() < 0.4:
            text += self._rng.choice(self._words["join"]) + " " + self._words_of("who", "did", "what")
        return text[0].upper() + text[1:] + "."
