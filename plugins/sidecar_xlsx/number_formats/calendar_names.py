"""Month and weekday names for the languages a format code may ask for (`[$-407]mmmm`). Knows no formats."""

from __future__ import annotations

from typing import NamedTuple

_PRIMARY = {
    0x04: "zh", 0x05: "cs", 0x06: "da", 0x07: "de", 0x09: "en", 0x0A: "es", 0x0B: "fi", 0x0C: "fr", 0x0E: "hu",
    0x10: "it", 0x11: "ja", 0x12: "ko", 0x13: "nl", 0x14: "no", 0x15: "pl", 0x16: "pt", 0x19: "ru", 0x1D: "sv",
    0x1F: "tr",
}  # fmt: skip

# Months, then weekdays from Sunday, then the lengths of the short forms (0: as long, with no short form).
_NAMES = {
    "cs": "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec|"
    "neděle pondělí úterý středa čtvrtek pátek sobota|3 2",
    "da": "januar februar marts april maj juni juli august september oktober november december|"
    "søndag mandag tirsdag onsdag torsdag fredag lørdag|3 3",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember|"
    "Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag|3 2",
    "en": "January February March April May June July August September October November December|"
    "Sunday Monday Tuesday Wednesday Thursday Friday Saturday|3 3",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre|"
    "domingo lunes martes miércoles jueves viernes sábado|3 3",
    "fi": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu|"
    "sunnuntai maanantai tiistai keskiviikko torstai perjantai lauantai|5 2",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre|"
    "dimanche lundi mardi mercredi jeudi vendredi samedi|4 3",
    "hu": "január február március április május június július augusztus szeptember október november december|"
    "vasárnap hétfő kedd szerda csütörtök péntek szombat|3 3",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre|"
    "domenica lunedì martedì mercoledì giovedì venerdì sabato|3 3",
    "ja": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月|日曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日|0 1",
    "ko": "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월|일요일 월요일 화요일 수요일 목요일 금요일 토요일|0 1",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december|"
    "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag|3 2",
    "no": "januar februar mars april mai juni juli august september oktober november desember|"
    "søndag mandag tirsdag onsdag torsdag fredag lørdag|3 3",
    "pl": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień|"
    "niedziela poniedziałek wtorek środa czwartek piątek sobota|3 3",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro|"
    "domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado|3 3",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь|"
    "воскресенье понедельник вторник среда четверг пятница суббота|3 2",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december|"
    "söndag måndag tisdag onsdag torsdag fredag lördag|3 3",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık|"
    "Pazar Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi|3 3",
    "zh": "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月|"
    "星期日 星期一 星期二 星期三 星期四 星期五 星期六|0 0",
}


class CalendarNames(NamedTuple):
    """Names of one language: 12 months from January, 7 weekdays from Sunday, each also in its short form."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    days: tuple[str, ...]
    short_days: tuple[str, ...]


def language_of(tag: str) -> str:
    """The language of a format code's locale: hexadecimal Windows id ("407") or name ("de-DE"); "" when unknown."""
    name = tag.lower().partition("-")[0]
    if name in _NAMES:
        return name
    try:
        return _PRIMARY.get(int(tag[-4:], 16) & 0x3FF, "")
    except ValueError:
        return ""


def names(language: str) -> CalendarNames:
    """The names of a language, English where it is not known."""
    months, days, lengths = _NAMES.get(language, _NAMES["en"]).split("|")
    month_length, day_length = (int(length) or None for length in lengths.split())
    full_months, full_days = tuple(months.split()), tuple(days.split())
    return CalendarNames(
        full_months,
        tuple(name[:month_length] for name in full_months),
        full_days,
        tuple(name[:day_length] for name in full_days),
    )
