"""The character sets of WordPerfect, by their number and the place in them (WordPerfect's reference, appendix P)."""

from collections.abc import Mapping
from typing import Final

INTERNATIONAL: Final = "åÅæÆäÄáàâãÃçÇëéÉèêíñÑøØõÕöÖüÜúùß"
"""What single bytes from 1 stand for in WordPerfect 6 and newer."""
_NONE: Final = "\ufffd"
_SETS: Final[Mapping[int, str]] = {
    1: _NONE * 23 + "ßĸ" + _NONE + "ÁáÂâÄäÀàÅåÆæÇçÉéÊêËëÈèÍíÎîÏïÌìÑñÓóÔôÖöÒòÚúÛûÜüÙùŸÿÃãĐđØøÕõÝýÐðÞþĂăĀāĄąĆćČčĈĉĊċĎďĚě"
    "ĖėĒēĘęǴǵĞğǦǧĢģĜĝĠġĤĥĦħİ" + _NONE + "ĪīĮįĨĩĲĳĴĵĶķĹĺĽľĻļĿŀŁłŃń" + _NONE + "ŉŇňŅņŐőŌōŒœŔŕŘřŖŗŚśŠšŞşŜŝŤťŢţŦŧŬŭŰűŪūŲų"
    "ŮůŨũŴŵŶŷŹźŽžŻżŊŋ",
    4: "●○■•" + _NONE + "¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³‛’‘‟”“–—‹›○□†‡™℠℞●◦■▪□▫‒ﬀﬃﬄﬁﬂ…" + _NONE + "₣₢₠₤‚„⅓⅔⅛⅜⅝⅞ⓂⓅ€℅℆‰№—¹",
    6: "−±≤≥∝" + _NONE + "∕∖÷∣⟨⟩∼≈≡∈∩∥∑∞¬→←↑↓↔↕▸◂▴▾⋅" + _NONE + "∘∙Å°µ‾×∫∏∓∇∂′″→ℯℓℏℑℜ℘⇄⇆⇒⇐⇑⇓⇔⇕↗↘↖↙∪⊂⊃⊆⊇∍∅",
    8: "ΑαΒβΒϐΓγΔδΕεΖζΗηΘθΙιΚκΛλΜμΝνΞξΟοΠπΡρΣσΣςΤτΥυΦφΧχΨψΩωΆάΈέΉήΊίΪϊΌόΎύΫϋΏώ",
    10: "АаБбВвГгДдЕеЁёЖжЗзИиЙйКкЛлМмНнОоПпРрСсТтУуФфХхЦцЧчШшЩщЪъЫыЬьЭэЮюЯя",
}  # fmt: skip
"""1 has letters with marks, 4 typographic signs, 6 those of mathematics, 8 Greek, 10 Cyrillic."""
_ASCII: Final = 0


def character(number: int, charset: int) -> str:
    """A character of one of the sets; U+FFFD for one that is not known here."""
    if charset == _ASCII:
        return chr(number) if number < 0x7F else _NONE
    known = _SETS.get(charset, "")
    return known[number] if number < len(known) else _NONE
