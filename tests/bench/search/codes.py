"""Numbers, codes and dates typed in another way than they are written: is the document that has them the first?

usage: codes.py [--show] [--half worked|held]
Makes a folder of notes, one for each of 66 codes, numbers and dates, and one with a near miss of each (the same
sentence, another number), asks for each as a person types it, and prints success@1 and @3 of each half and kind, by
words alone. Pairs of what is written and what is typed were written down before any was asked; halves go by the hash of
what is typed. One typed amount stands in two notes. When first asked: 0.690, 0.759 (worked, 29), 0.784, 0.865 (held,
37); counted again 0.966, 0.966 and 0.919, 0.973.
"""

import argparse
import asyncio
import hashlib
import tempfile
from collections import defaultdict
from pathlib import Path

from sidecar.app import open_application
from sidecar.config import Config, Folder

PAIRS: dict[str, list[tuple[str, str, str]]] = {
    "part": [
        ("AB-12990-X", "AB12990X", "AB-12909-X"), ("MX 5500/20", "MX5500-20", "MX 5500/30"),
        ("7.419.882", "7419882", "7.419.828"), ("HK-00731-B", "hk 00731 b", "HK-00713-B"),
        ("SKF 6204-2RS", "6204 2RS", "SKF 6304-2RS"), ("P/N 114-0092-03", "114009203", "P/N 114-0092-04"),
        ("Z4-TR.88", "Z4TR88", "Z4-TR.89"), ("W17/330-A", "W17 330 A", "W17/331-A"),
    ],
    "version": [
        ("2.10.3", "v2.10.3", "2.10.4"), ("v3.0.0-rc1", "3.0.0 rc1", "v3.0.0-rc2"), ("4.7.1b2", "4.7.1 b2", "4.7.1b3"),
        ("release 2024.11", "2024.11 release", "release 2024.12"), ("Version 12.0.1", "V12.0.1", "Version 12.0.2"),
        ("kernel 6.1.0-13-amd64", "6.1.0-13", "kernel 6.1.0-15-amd64"),
    ],
    "phone": [
        ("+49 30 901820-14", "+493090182014", "+49 30 901820-15"),
        ("(0221) 77 41 09", "0221 774109", "(0221) 77 41 90"),
        ("+1 (415) 555-0132", "415-555-0132", "+1 (415) 555-0133"), ("020 7946 0958", "02079460958", "020 7946 0985"),
        ("+33 1 70 18 99 00", "01 70 18 99 00", "+33 1 70 18 99 01"), ("030/4411-882", "030 4411882", "030/4411-883"),
    ],
    "account": [
        ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "DE89 3704 0044 0532 0131 00"),
        ("GB29NWBK60161331926819", "GB29 NWBK 6016 1331 9268 19", "GB29NWBK60161331926891"),
        ("FR76 3000 6000 0112 3456 7890 189", "FR7630006000011234567890189", "FR76 3000 6000 0112 3456 7890 198"),
        ("NL91ABNA0417164300", "nl91 abna 0417 1643 00", "NL91ABNA0417164301"),
        ("ATU 6388 1920", "ATU63881920", "ATU 6388 1921"), ("DE 811 907 980", "DE811907980", "DE 811 907 981"),
    ],
    "amount": [
        ("1.234,50 EUR", "1234.50", "1.234,60 EUR"), ("$ 18,275.00", "18275", "$ 18,725.00"),
        ("CHF 4'820.35", "4820.35", "CHF 4'802.35"), ("2 750,80 €", "2.750,80", "2 570,80 €"),
        ("96.400 kg", "96400 kg", "94.600 kg"), ("0,375 mm", "0.375 mm", "0,357 mm"),
        ("EUR 1234.5", "1.234,50 €", "EUR 1243.5"), ("12,5 %", "12.5%", "12,7 %"), ("£3,090", "3090 pounds", "£3,080"),
    ],
    "date": [
        ("14 March 2023", "2023-03-14", "15 March 2023"), ("2022-11-05", "5.11.2022", "2022-11-06"),
        ("03.07.2021", "3 July 2021", "04.07.2021"), ("Aug 9, 2020", "9 August 2020", "Aug 8, 2020"),
        ("21. Dezember 2019", "21.12.2019", "22. Dezember 2019"), ("2018/06/30", "30 June 2018", "2018/06/29"),
        ("le 2 février 2017", "2017-02-02", "le 3 février 2017"), ("May 2016", "2016-05", "June 2016"),
        ("20150912", "12 September 2015", "20150913"), ("11/25/2014", "25 Nov 2014", "11/26/2014"),
        ("1.4.13", "1 April 2013", "2.4.13"), ("Q3 2012", "third quarter 2012", "Q2 2012"),
    ],
    "order": [
        ("PO-2024-00871", "PO 2024 871", "PO-2024-00872"), ("INV/24/0042", "INV240042", "INV/24/0043"),
        ("RE 2023-1177", "RE20231177", "RE 2023-1171"), ("Ticket #88213", "88213", "Ticket #88231"),
        ("Az. 4 K 118/22", "4K118/22", "Az. 4 K 119/22"), ("CASE-7/2021-B", "case 7 2021 b", "CASE-8/2021-B"),
    ],
    "name": [
        ("ISO 9001:2015", "ISO9001", "ISO 9100:2015"), ("DIN EN 1090-2", "EN1090-2", "DIN EN 1091-2"),
        ("maria.vogel@hafen-nord.example", "maria.vogel@hafen-nord", "mario.vogel@hafen-nord.example"),
        ("192.168.44.17", "192.168.44.17", "192.168.44.71"), ("00:1B:44:11:3A:B7", "001B44113AB7", "00:1B:44:11:3A:B8"),
        ("978-3-16-148410-0", "9783161484100", "978-3-16-148410-1"), ("B-KR 2047", "BKR2047", "B-KR 2074"),
        ("/srv/data/plant_07/log.csv", "plant_07/log.csv", "/srv/data/plant_08/log.csv"),
        ("C:\\Users\\nora\\Tools\\sync.exe", "Tools\\sync.exe", "C:\\Users\\nora\\Tools\\sink.exe"),
        ("RFC 7231", "RFC7231", "RFC 7321"),
    ],
    "chinese": [
        ("这台机器的说明书在仓库里", "機器的說明書", "這台車的報告在辦公室裡"),
        ("請在報價單上簽名", "报价单签名", "请在收据上签字"),
        ("数据库备份每天凌晨运行", "資料庫備份", "網路設定每週檢查一次"),
    ],
}  # fmt: skip
"""Kind → what is written, what is typed, and what is written in the note that is not meant."""
_SENTENCES = (
    "The note from the workshop says {} and nothing else of it.", "Please see to {} before the end of the week.",
    "We wrote down {} when the delivery came in.", "On the label stands {}, as agreed with the supplier.",
)  # fmt: skip


def main() -> None:
    """Make, index, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--half", choices=("worked", "held"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(ask(Path(made), given))


def write_notes(folder: Path) -> list[tuple[str, str, str]]:
    """Notes of all pairs; (kind, name of the right one, what is typed)."""
    asked: list[tuple[str, str, str]] = []
    pairs = [(kind, *pair) for kind, several in PAIRS.items() for pair in several]
    for at, (kind, written, typed, other) in enumerate(pairs):
        sentence = _SENTENCES[at % len(_SENTENCES)]
        (folder / f"{at:02}-right.md").write_text(sentence.format(written), "utf-8")
        (folder / f"{at:02}-near.md").write_text(sentence.format(other), "utf-8")
        asked.append((kind, f"{at:02}-right.md", typed))
    return asked


async def ask(work: Path, given: argparse.Namespace) -> None:
    """All questions."""
    folder, data = work / "documents", work / "index"
    folder.mkdir()
    data.mkdir()
    asked = write_notes(folder)
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    async with open_application(Config(data_dir=data, folders=(Folder(folder),))) as app:
        await app.index_once()
        app.searcher.semantic = None
        for kind, right, typed in asked:
            half = "held" if int(hashlib.sha256(typed.encode()).hexdigest(), 16) % 2 else "worked"
            if given.half not in (None, half):
                continue
            hits = (await app.library.search(typed, 10)).hits
            names = [hit.path.rpartition("/")[2] for hit in hits]
            at = names.index(right) + 1 if right in names else 0
            for key in (half, f"{half} {kind}"):
                counts[key] = [old + new for old, new in zip(counts[key], (1, at == 1, 1 <= at <= 3), strict=True)]
            if given.show and half == "worked" and at != 1:
                print(f"  {kind}: {typed!r} at {at}: {names[:3]}, {hits[0].snippet if hits else ''!r}")
    for key, (all_of, first, third) in sorted(counts.items()):
        print(f"{key:16} success@1 {first / all_of:.3f}  success@3 {third / all_of:.3f}  ({all_of})")


if __name__ == "__main__":
    main()
