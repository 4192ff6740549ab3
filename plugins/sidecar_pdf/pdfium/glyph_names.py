"""What names of glyphs say that pdfium does not know: ligatures, the signs of TeX's fonts, the numbers by which fonts
of signs call theirs. pdfium knows the Adobe Glyph List and `uniXXXX`; of other glyphs it gives the code as character.

Names of TeX's signs are those of the fonts cmsy, cmex, msam and msbm; their meaning is in TeX's texglyphlist.txt. The
numbers of Linotype's Universal Pi fonts stand in the order of their keys, which the fonts' own encodings tell."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LIGATURES = {"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "longs_t": "ſt", "germandbls": "ß"}
NEGATION = "\u0338"
"""The stroke through a sign, which TeX sets before it."""
_TEX = r"""
diamondmath:⋄ minusplus:∓ circleminus:⊖ circledivide:⊘ circledot:⊙ circlecopyrt:© equivasymptotic:≍ precedesequal:⪯
followsequal:⪰ precedes:≺ follows:≻ lessmuch:≪ greatermuch:≫ arrownortheast:↗ arrowsoutheast:↘ arrownorthwest:↖
arrowsouthwest:↙ similarequal:≃ prime:′ owner:∋ triangle:△ triangleinv:▽ mapsto:↦ latticetop:⊤ turnstileleft:⊢
turnstileright:⊣ floorleft:⌊ floorright:⌋ ceilingleft:⌈ ceilingright:⌉ angbracketleft:⟨ angbracketright:⟩ bardbl:‖
arrowbothv:↕ arrowdblbothv:⇕ wreathproduct:≀ coproduct:∐ unionmulti:⊎ unionsq:⊔ intersectionsq:⊓ subsetsqequal:⊑
supersetsqequal:⊒ reflexsubset:⊆ reflexsuperset:⊇ element:∈ emptyset:∅ epsilon1:ϵ theta1:ϑ rho1:ϱ sigma1:ς phi1:φ
omega1:ϖ lscript:ℓ weierstrass:℘ dotlessj:ȷ partialdiff:∂ slurbelow:⌣ slurabove:⌢ star:⋆ triangleright:▹
triangleleft:◃ harpoonleftup:↼ harpoonleftdown:↽ harpoonrightup:⇀ harpoonrightdown:⇁ vector:⃗ tie:⁀ summation:∑
product:∏ integral:∫ union:∪ intersection:∩ logicaland:∧ logicalor:∨ contintegral:∮ circledottext:⊙ circleplustext:⊕
circlemultiplytext:⊗ parenleft:( parenright:) bracketleft:[ bracketright:] braceleft:{ braceright:} radical:√
slash:/ backslash:\ square:□ squaresolid:■ squaredot:⊡ squareplus:⊞ squareminus:⊟ squaremultiply:⊠ lozenge:◊
lozengesolid:⧫ check:✓ maltesecross:✠ circleR:® defines:≜ forces:⊩ satisfies:⊨ therefore:∴ because:∵
bardblleft:⊪ lessorequalslant:⩽ greaterorequalslant:⩾ lessorsimilar:≲ greaterorsimilar:≳ lessorgreater:≶
greaterorless:≷ lessequalgreater:⋚ greaterequalless:⋛ lessdblequal:≦ greaterdblequal:≧ muchless:⋘ muchgreater:⋙
equaldots:≑ equalsdots:≑ dotequal:≐ circleequal:≗ geomequivalent:≎ approxorequal:≊ similardbl:∼ notlessequal:≰
notgreaterequal:≱ notless:≮ notgreater:≯ notelement:∉ notexistential:∄ notsubsetoreql:⊈ notsupersetoreql:⊉
notturnstile:⊬ notforces:⊮ subsetnoteql:⊊ supersetnoteql:⊋ arrowright:→ arrowleft:← dblarrowright:⇉ dblarrowleft:⇇
dblarrowup:⇈ dblarrowdwn:⇊ arrowsquiggleright:⇝ arrowtailright:↣ arrowtailleft:↢ arrowparrrightleft:⇄
arrowparrleftright:⇆ arrowrightbar:↦ planckover2pi:ℏ planckover2pi1:ℏ aleph:ℵ beth:ℶ gimel:ℷ daleth:ℸ Finv:Ⅎ
Gmir:⅁ mho:℧ emptysetstress:∅ square4:◻ Equal:= visiblespace:␣
Rfractur:ℜ Ifractur:ℑ pi1:ϖ vextendsingle:| vextenddouble:‖ arrowlefttophalf:↼ arrowleftbothalf:↽
arrowrighttophalf:⇀ arrowrightbothalf:⇁ arrowhookleft:↩ arrowhookright:↪ flat:♭ natural:♮ sharp:♯ diamondsolid:⧫
clockwise:↻ anticlockwise:↺ harpoonleftright:⇋ harpoonrightleft:⇌ dblarrowheadright:↠ dblarrowheadleft:↞
harpoonupright:↾ harpoondownright:⇂ harpoonupleft:↿ harpoondownleft:⇃ shiftleft:↰ shiftright:↱ squiggleright:⇝
squiggleleftright:↭ leadsto:⇝ followsorequal:≽ precedesorequal:≼ precedesorcurly:≼ followsorcurly:≽
greaterorapproxeql:⪆ lessorapproxeql:⪅ multimap:⊸ equalorless:⪕ equalorgreater:⪖ primereverse:‵ squareimage:⊏
squareoriginal:⊐ trianglerightequal:⊵ triangleleftequal:⊴ between:≬ triangledownsld:▼ trianglerightsld:▶
triangleleftsld:◀ trianglesolid:▲ ringinequal:≖ greaterlessequal:⋛ arrowtripleright:⇛ arrowtripleleft:⇚
orunderscore:⊻ nand:⊼ measuredangle:∡ sphericalangle:∢ smile:⌣ frown:⌢ subsetdbl:⋐ supersetdbl:⋑ uniondbl:⋓
intersectiondbl:⋒ uprise:⋏ downfall:⋎ multiopenleft:⋋ multiopenright:⋌ multicloseleft:⋉ multicloseright:⋊
subsetdblequal:⫅ supersetdblequal:⫆ difference:≏ fork:⋔ dotplus:∔ revsimilar:∽ revasymptequal:⋍ complement:∁
intercal:⊺ circlering:⊚ circleasterisk:⊛ lessornotequal:≨ greaterornotequal:≩ lessornotdbleql:≨
greaterornotdbleql:≩ lessnotequal:⪇ greaternotequal:⪈ notfollows:⊁ notprecedes:⊀ notsimilar:≁ nsimilar:≁
notapproxequal:≇ napproxequal:≉ subsetornoteql:⊊ supersetornoteql:⊋ notsubseteql:⊈ notsuperseteql:⊉ notbar:∤
notshortbar:∤ notshortparallel:∦ nparallel:∦ parallel1:∥ notsatisfies:⊭ nottriangleleft:⋪ nottriangleright:⋫
nottriangeqlright:⋭ nottriangeqlleft:⋬ notarrowleft:↚ notarrowright:↛ notdblarrowleft:⇍ notdblarrowright:⇏
notdblarrowboth:⇎ notarrowboth:↮ dividemultiply:⋇ lessdot:⋖ greaterdot:⋗ equalorsimilar:≂ barshort:∣ parallelshort:∥
integerdivide:∖ archleftdown:↶ archrightdown:↷ epsiloninv:϶ nequal:≠ nequivalence:≢ nelement:∉ nowner:∌
npropersubset:⊄ npropersuperset:⊅ nsimilarequal:≄ nsubsetsqequal:⋢ nsupersetsqequal:⋣ simequal:≃ doteq:≐
mapsfrom:↤ colonequal:≔ equalcolon:≕ Colonequal:⩴ dblbracketleft:⟦ dblbracketright:⟧ llbracket:⟦ rrbracket:⟧
lhd:⊲ rhd:⊳ unlhd:⊴ unrhd:⊵ sqsubset:⊏ sqsupset:⊐ iinteg:∬ iiinteg:∭ dblcontinteg:∯ iint:∬ iiint:∭ oiint:∯
hatwide:ˆ hatwider:ˆ hatwidest:ˆ tildewide:˜ tildewider:˜ tildewidest:˜ parenlefttp:⎛ parenleftex:⎜ parenleftbt:⎝
bracketlefttp:⎡ bracketleftex:⎢ bracketleftbt:⎣ bracelefttp:⎧ braceleftmid:⎨ braceleftbt:⎩ braceex:⎪ parenrighttp:⎞
parenrightex:⎟ parenrightbt:⎠ bracketrighttp:⎤ bracketrightex:⎥ bracketrightbt:⎦ bracerighttp:⎫ bracerightmid:⎬
bracerightbt:⎭ bracehtipdownleft:╭
bracehtipdownright:╮ bracehtipupleft:╰ bracehtipupright:╯ circleplusdisplay:⊕ circlemultiplydisplay:⊗ bracehext:⎪
lessdbleqlgreater:⪋ greaterdbleqlless:⪌ equaldotleftright:≒ equaldotrightleft:≓ equalorprecedes:⋞ equalorfollows:⋟
curlyleft:⊰ curlyright:⊱ arrowaxisright:⇢ arrowaxisleft:⇠ circleS:Ⓢ rightanglenw:⌜ rightanglene:⌝ rightanglesw:⌞
rightanglese:⌟ squaresmallsolid:▪ Yen:¥ Digamma:Ϝ downslope:⟍ upslope:⟋ lessornotsimilar:⋦ greaterornotsimilar:⋧
precedeornoteqvlnt:⋨ followornoteqvlnt:⋩ precedenotdbleqv:⪹ follownotdbleqv:⪺ precedenotslnteql:⪵ follownotslnteql:⪶
lessnotdblequal:⪉ greaternotdblequal:⪊ notprecedesoreql:⋠ notfollowsoreql:⋡ notforcesextra:⊯ iiiintegtext:⨌
iiiintegdisplay:⨌ tplcontinteg:∰ Mapsto:⤇ Perpendicular:⫫ lambdabar:ƛ strict:⥽
"""
"""`name:sign`."""
_SIGNS = {name: sign for name, _, sign in (entry.partition(":") for entry in _TEX.split())} | {
    "negationslash": NEGATION
}
_KNOWN = """
minus:− periodcentered:· multiply:× asteriskmath:∗ divide:÷ plusminus:± circleplus:⊕ circlemultiply:⊗ openbullet:◦
bullet:• equivalence:≡ lessequal:≤ greaterequal:≥ similar:∼ approxequal:≈ propersubset:⊂ propersuperset:⊃ arrowleft:←
arrowup:↑ arrowdown:↓ arrowright:→ arrowboth:↔ arrowdblleft:⇐ arrowdblup:⇑ arrowdbldown:⇓ arrowdblright:⇒ arrowdblboth:⇔
proportional:∝ infinity:∞ universal:∀ existential:∃ logicalnot:¬ gradient:∇ nabla:∇ section:§ dagger:† daggerdbl:‡
paragraph:¶ club:♣ heart:♥ spade:♠ diamond:♦ bar:| greater:> less:< equal:= plus:+ dotlessi:ı angle:∠ congruent:≅
notequal:≠ suchthat:∋ ellipsis:… perpendicular:⊥ ring:˚ macron:¯ tilde:˜ circumflex:ˆ dieresis:¨ dotaccent:˙ acute:´
grave:` caron:ˇ breve:˘ period:. comma:, slash:/
"""
"""As `_TEX`, of names that pdfium knows."""
_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega
"""
_SIZES = re.compile(r"(?:text|display|big|Big|bigg|Bigg|tp|bt|ex|mid)+$")
"""What TeX's names say of the size of a sign, or which piece of a tall one it is."""
_OMS = "−·×∗÷⋄±∓⊕⊖⊗⊘⊙○∘∙≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽"
"""TeX's encoding of signs from 0 on: fonts of 3B2 typesetters call their signs C0, C1, … by the places in it."""
_PI: dict[int, str] = {
    first + at: sign
    for first, signs in (
        (9001, "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"), (9251, "αβγδεζηθικλμνξοπρσςτυφχψω"),
        (11001, "+−×÷=±∓"), (11011, "∼"), (11015, "≈"), (11021, "<>"), (11032, "′″°"), (11349, "≤≥"),
    ) for at, sign in enumerate(signs)
} | {9277: "ϑ", 9278: "φ", 9280: "ε"}  # fmt: skip
_NUMBERED = re.compile(r"H(\d{4,5})")
_DOUBLE_STRUCK = re.compile(r"bb[A-Z]")
_PLACED = re.compile(r"C(\d{1,2})")


def sign(name: str) -> str:
    """The sign a glyph name stands for, whether pdfium knows it or not; "" of names that say nothing, and of letters
    and figures."""
    return meaning(name) or _known_signs().get(name, "")


@cache
def _known_signs() -> dict[str, str]:
    """`{name: sign}` of signs and Greek letters that pdfium knows."""
    signs = {name: sign for name, _, sign in (entry.partition(":") for entry in _KNOWN.split())}
    for name in _GREEK.split():
        spelled = name.replace("lambda", "lamda").upper()
        signs[name] = unicodedata.lookup(f"GREEK SMALL LETTER {spelled}")
        signs[name.capitalize()] = unicodedata.lookup(f"GREEK CAPITAL LETTER {spelled}")
    return signs


def meaning(name: str, font: str = "") -> str:
    """The characters a glyph name stands for, where pdfium does not know them; "" of others."""
    base = name.partition(".")[0]
    if base in _LIGATURES:
        return _LIGATURES[base]
    number = _NUMBERED.fullmatch(base)
    if number:
        return _PI.get(int(number[1]), "")
    if _DOUBLE_STRUCK.fullmatch(base):
        letter = base[-1]
        return unicodedata.lookup(f"{'' if letter in 'CHNPQRZ' else 'MATHEMATICAL '}DOUBLE-STRUCK CAPITAL {letter}")
    place = _PLACED.fullmatch(base) if font.startswith("Adv") else None
    if place:
        return _OMS[int(place[1])] if int(place[1]) < len(_OMS) else ""
    sign = _SIGNS.get(base) or _SIGNS.get(_SIZES.sub("", base))
    return sign or _ligature(base)


def _ligature(base: str) -> str:
    """The letters of a name such as `f_i` (Adobe Glyph List Specification, 2)."""
    parts = base.split("_")
    if len(parts) < 2 or any(part != "longs" and not (len(part) == 1 and part.isalpha()) for part in parts):
        return ""
    return "".join("ſ" if part == "longs" else part for part in parts)
