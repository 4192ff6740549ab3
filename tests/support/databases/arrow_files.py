"""Arrow files that pyarrow 26 wrote, deflated and in base 85: a table of eleven columns as a Feather file packed with
LZ4 and with Zstandard and as a stream of two batches, Feather's first version, and a column of 20,000 numbers."""

from __future__ import annotations

import base64
import zlib

__all__ = ["LONG", "OLD", "PACKED", "PACKED_ZSTD", "ROWS", "STREAM"]

ROWS = [
    ("id", "weight", "note", "kind", "seen", "at", "ok", "price", "tags", "place", "raw"),
    (
        "7",
        "2.5",
        "Te Papa é",
        "kiwi",
        "2020-03-26",
        "2021-01-01 01:02:03.456",
        "true",
        "-4.99",
        "a, b",
        "land: NZ, x: 1",
        "",
    ),
    ("-3", "", "", "kaka", "", "", "false", "", "", "", ""),
    ("", "0.1", "x", "kiwi", "1959-12-31", "", "", "0.05", "", "x: 2", "text"),
]  # fmt: skip
"""What the table says; the first value of `raw` is not text."""


def _unfolded(lines: str) -> bytes:
    return zlib.decompress(base64.b85decode("".join(lines.split())))


PACKED = _unfolded(
    r"""
    c-rk(J8Tm{5S_g{e@Gm3kpeQp2or>`AVugxg(F466a*_mBBIJcPKo8<Sc#>$pg7UcQU;VFr4bDU5}zs(ZHg2WDJUo?QlTJG(8R~g?VNMFI)Bol
    tTdjToj0>Hv%9zJ>AATFk8T0@*uVs^f!YvcAPEUbV-K6Kz(V%($oGj4BW)W1^GF4x?*d>8sg6`a${>9}%mfnQx6qE9knb@bqlVMLnzI3aQNJTG
    BUv2FGX`D54BI4->MPDu7kQ!W`-c*5=st03Xd?Xx^dO4(lWPaq1YxrgEb$emwn+Wwh?$YN4Ef8kUPSyioTYWbwh&kE;j_|kpHY7gF`E*XvLksx
    n9o`z$R~}}w(vKN{WF~Rp0rEq`H^n5inYb{`XezzaTuooFivZVQZC>k9T)4m>(;108(?VtvlvGbQW%qsUgdre3GzRs<v_ezk@b_&Tl@>KApHr#
    ?_+=4Kdx6!^HE!ExUw(z*{;Nzdd-qZ8*XK3xgjNrGsziKtYO@g1;=gZ^HFUoi?ZfvM5lS%*sP~>@QLe5Era!tCm|Df2Ez(!Sc2mg&D{=ca>%WY
    %{<32#`8lbcbTsV-P={>1?HC{I-&WK@v`sn``Lx!3lzPu%xO?!R&XeK)yhVt>QtRh9j444bug_Ur=}U5Tg^Lb9OrGu<Q>f=tMN<Br?l}h^9kmj
    rr%_Ko%s&)apnhFy$-ZG+d}nM5URec>6eANKCd)=OOtmrd7tH*;kp>AK5wY`l(Yp8<uJZF%NN3UG=DA4zNPu!)9ep5d?;TF>u#$4Cr#Dgys54y
    wX>1^AR>3cATspP8z=N9G&?xq{N3<EJzpq#X7~+@jHBqK;K*0bv}Tux)|bc6VRsb4SFB<R-lOp5HMP%o`uVZdahp%j5YupIKdj<V^d7qTvQu~R
    U*9(Ses6^S9qSfPjQzX2a_Gx%zh_-UOkGB?`x1VAySMu>fi~q{_GT}?-Qt~8$LZ5{d!+3PxQHg_@p>!w&D-p;4n~Cf)mPcFhKfVcbDj)P|3Tx3
    @jv@G=KIZhI^s73&gvP1?SnpXgvTcC{P^vL+iXPcZ|K~^W5FwdUNRZJc}o1P4&QcJei#(_07vgL(%YtbkA(OB>09{pE&M;fh3Py@2mcNK0Z+tt
    Vg
    """
)
PACKED_ZSTD = _unfolded(
    r"""
    c-rk(Jxmlq6n?Y2w=CRYRweOFPCbnUCMKR#c0xiTHb{txKNYKN;Bp8TIOPgWv@o%>L_=|<#>PV9Pld6eprEjzu%NK8Fh&y#8g6}W=k49>uzQN7
    VUo9RX5KgNZ+>@ZeEiatvj71WFacbk(gQiLAp;K9um}q*WM8&}fOr<EVE|l3>PPx40G5%eNFzu&q*sVJjYRlm97jq>cOUmrL31$gEy5PcS0tu4
    k9|ePplTTAF&U)ljCa#V-ro#@9};iqI?*)Lkv2m)h(Y`mnjtnr*t~)zKI6?!QvEJsh9xdX`U)%;ivF56wLsWsh^uzcS+4oFsJ@PvC5h{DmAD{^
    XTBW9<6yQe{5n|g=D648I9rd8WOEhFEzZ|3iRnqgcr}0%G^f}qgj_gDzApIwEY(Lt49$NY{ji}6eR5H&Tn{2c`p;=G5U-SF{-pO7e*q?>K0){m
    tT%#oz6zR-*}0l8>vEl~Nvx^o%tl)D%Tv=e*&;t}j+lIn{H7?_Z$r07xhYS|oI8kic-gotr+u)(`J|G=e8`=U3pImbg*hCAc2Q$@!!bvZTdgq@
    NGCb>2B^gjeX!XF6Vl5O=0)a*6`9zf7o@MWS6-jlF6O*;vYp6hMeYpIL@t&qUd2=LFlctjgK33%Et;y$c-%#!9k<yb?qiDN0P{TaL(EH>e1!Qa
    =5<Z}nE7$$Z<!aEZ)o}2(DJ;c>2pO~UJ{x=+>T<I*5voK_LA0qDdO|HuF1cOcs#B);ZeKgAGZ%i{uyz76WaKw9qE6hjc;i9hK66&^lxf%$BfS>
    m3_*(5XznKH*NTX+}Nc)p^bxG+E2p^b)Sju7Qj~fZM=ZHU^_^{XX5)I?9YFQ%vr5-=;;$G@6M;$Wj(Ii?>+#&?j>d0ab#6o_8P!tzc}Vqz2e8`
    _0;o4#LuK8`#Z+HxF9>;{|pl27fJEorUUr<r;BTEG6-;Rv8ClXO<$USCAGhF4?B9B0SfUl8o2YVYNpvq%&VbLr*m03zztPy?8l4z#_s1c!R`*d
    qt_Gi`Ve4Dw6FpOR*ZjHPmyg~J@K{m9yDuyy(ZtCt$VXCycy`_k>d-C&iQ`jEtcnte1!9^-ajOFxxLDL(f-(byY9VR|L3<Wz14=of4Sc|$$+K
    """
)
STREAM = _unfolded(
    r"""
    c-pmAF>Dh-5ZrseohSJq7YKb}35&`F1!X#1L?TEiazSBH<sq-+<&ap3rMRG=q@*+`MM@)DBm@-_ZHg2WDJUo?QX!Bi(!|g1-(7MZ+i{S>O6$G*
    otxX;yIVQSvWyBuWfGaCkV;gffJZFKC!fua(<~D^$GYzkHCbz{-xSdvYnye6HDrCym^-Y3-{W;cBHTC3Hxb^Bw&PtoVgF~1nUDBe)nJ&K7R{O>
    YkMPpny{@6vh0_}d&tRKQ<wF7?k82}pUNP|76ltQSg{-N=BkXJGiFiaLgA|zzjF9H@!F1H`;2Q}z?pWEXEHuyOi$xx%1&Nn^Vv@Gd;+ev&%XhW
    ubI3L^|}(~C%&x~*Ot%gkH*Z7!^9n;+j6EntK?P%<6_-Ol1&*e=NLKvh~p^H498SvR(&5-QTP`i2eGYG*H1_9n_r?8&8Gx^#N++!yj~UH*xc$Q
    daUo+fyNfFW+m3$BwbtY=$XV>G8s#(Hg3tn#O>jJQk!&D*F0c!V6IKs_<8HBZ|W%$@<_jgFlQ#u&wY{c>ldQ)wr?jg=P90t=DSDdQlQBa8e2Z&
    KNkf&<kZmOTIp`uid(VdQ7gE4+#JrM;O99sm1P-@JM>25zI8#|C5Tr+9=2XJ@ZW{J>&DI*+kkx<fL{T=b?|q={{rIa0e=th`!MfA+()qf2=+e)
    |1tPaoO|hRWcLfy@OnG9>mxP1z6y9dxA`sre;xQ5YWO@wu8+BQ9@J&h{HpQvpYStun%TbWyexYi>CJ1AkM~^vtWl9iNwpET<LZ~UU4o+|m-pR$
    Z9o0i{q_v=^Xr3y55<vprC|O1AR7|I7stF!5At{WNc?1Uor_<7JerGJze($|K_}^UbU(dJAL`S^eMn8{Lkjwi2YrVo^wS9Z5%{aXUjuy2>Ah}0
    AedYK0`S#gza{WDVBQ4&Cgima_%`r&VSN|+&`a=Nc5eA!fq&9Gn9_Fx=(|4jAq9D=3Gd}!=hG}r`A%094~p$O?tfcXY#*5>#Y<q+l)jn&2hLx$
    e%E6E0ui6v2>
    """
)
OLD = _unfolded(
    r"""
    c-nJwbu?rE0!9W1V1m*jP@0E90!*?nZ~#e&I1`dOm|l<^2UHygn9aZ-167xq!oVQFpuoTm78d}L5?~StSUAw^g^DvY0I?g;Z2&=I1g`
    """
)
LONG = _unfolded(
    r"""
    c-rMuF>b;z6n!=(M3tomB}0%HP}K`m>H(6iO98QP3nVs9fH(ppM`2`Z$6kSrv0M85{RL5(5d$x>9sj)l?0osTp3NrnH=rR_05SwT!6QKzDc=a=
    I0t7bd#63aY=z_$j3wv^D^m?)!#Gqfl)n%i&(;&25Uvo{->P1KN2xpTqKb|at#6AnJR_OxCvrY?y`V7~UwBR)pp|-suhvKNFJG{X1o!e;R@Ht$
    PEKNOQsg#;vv@A$CmtDxsnn>?;uQASbXb(rqt~SQiA7nn<>t4!<7ug<m*X7fP``URCJ`59(Q9<eJNws`&o`R4)3NQtTiy#{y;|<5KLQ$-r~
    """
)
