"""How many letters part two words, for one word and many others: optimal string alignment (a letter changed, put in,
left out, or swapped with its neighbour), a whole row of the table at a time as the bits of one integer (Hyyrö, "A
bit-vector algorithm for computing Levenshtein and Damerau edit distances", Nordic Journal of Computing 10, 2003)."""

from typing import TypeAlias

Row: TypeAlias = tuple[int, int, int, int, int]
"""The distances of a text to every beginning of the word: how many letters the text has, then as bits what each
distance adds to the one before (where it is one more, where one less), and what the next letter needs: where nothing
was added diagonally, and where the word has the last letter."""


class Distances:
    """The distances of other texts to `word`, letter by letter: what texts begin with alike is worked out once."""

    def __init__(self, word: str) -> None:
        self._places: dict[str, int] = {}
        for at, letter in enumerate(word):
            self._places[letter] = self._places.get(letter, 0) | 1 << at
        self._size = len(word)
        self._all = (1 << len(word)) - 1
        self.empty: Row = (0, self._all, 0, 0, 0)
        """The row of no text."""

    def after(self, row: Row, text: str) -> Row:
        """The row of the text of `row` with `text` behind it."""
        length, more, fewer, diagonal, last = row
        places, everywhere = self._places.get, self._all
        for letter in text:
            same = places(letter, 0)
            swapped = (~diagonal & same) << 1 & last
            diagonal = (((same & more) + more ^ more) | same | fewer | swapped) & everywhere
            rising = (fewer | ~(diagonal | more)) << 1 | 1
            more, fewer = ((diagonal & more) << 1 | ~(diagonal | rising)) & everywhere, rising & diagonal & everywhere
            last = same
        return length + len(text), more, fewer, diagonal, last

    def whole(self, row: Row) -> int:
        """The distance to the whole word."""
        return row[0] + row[1].bit_count() - row[2].bit_count()

    def beginnings(self, row: Row, most: int) -> list[int]:
        """Of each distance from 0 to `most` the lengths, as bits, of the beginnings of the word that are so far."""
        length, more, fewer, _, _ = row
        shortest = max(length - most, 0)
        before = (1 << shortest) - 1
        apart = length + (more & before).bit_count() - (fewer & before).bit_count()
        found = [0] * (most + 1)
        for size in range(shortest, min(length + most, self._size) + 1):
            if apart <= most:
                found[apart] |= 1 << size
            apart += (more >> size & 1) - (fewer >> size & 1)
        return found


def distance(one: str, other: str) -> int:
    """How many letters part two words."""
    distances = Distances(other)
    return distances.whole(distances.after(distances.empty, one))
