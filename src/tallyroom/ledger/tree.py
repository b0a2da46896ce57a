"""The Merkle tree of RFC 6962: leaf and node hashes, head, inclusion and consistency proofs with their verifiers.

Pure. Hashes are 32 bytes. The tree of n leaves splits at the largest power of two below n (RFC 6962, 2.1), so the
tree so far is a row of perfect trees, one for each bit of n: the `Frontier` keeps their roots, widest first.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EMPTY = sha256(b"").digest()
"""Head of no leaves."""

_LEAF, _NODE = sha256(b"\x00"), sha256(b"\x01")  # begun hashes: to copy one is faster than to begin anew


def leaf_hash(raw: bytes) -> bytes:
    """Hash of one entry's bytes: SHA-256(0x00 || raw)."""
    hashing = _LEAF.copy()
    hashing.update(raw)
    return hashing.digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash of two subtrees: SHA-256(0x01 || left || right)."""
    hashing = _NODE.copy()
    hashing.update(left + right)
    return hashing.digest()


class Frontier:
    """The tree so far, ready to grow: O(log n) memory, one node hash an append on average.

    Attributes:
        count: leaves so far.
        peaks: roots of the perfect subtrees, widest first.
    """

    __slots__ = ("count", "peaks")

    def __init__(self, count: int = 0, peaks: Iterable[bytes] = ()) -> None:
        self.count = count
        self.peaks = list(peaks)
        assert len(self.peaks) == count.bit_count()

    def append(self, leaf: bytes) -> None:
        """Add one leaf hash on the right."""
        self.extend((leaf,))

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Add leaf hashes on the right."""
        peaks, count = self.peaks, self.count
        for leaf in leaves:
            node, filled = leaf, count
            while filled & 1:
                node = node_hash(peaks.pop(), node)
                filled >>= 1
            peaks.append(node)
            count += 1
        self.count = count

    def root(self) -> bytes:
        """The tree head of the leaves so far."""
        if not self.peaks:
            return EMPTY
        root = self.peaks[-1]
        for peak in self.peaks[-2::-1]:
            root = node_hash(peak, root)
        return root


def head(leaves: Iterable[bytes]) -> bytes:
    """Tree head of leaf hashes (RFC 6962, 2.1)."""
    frontier = Frontier()
    frontier.extend(leaves)
    return frontier.root()


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Audit path of one leaf, nearest sibling first (RFC 6962, 2.1.1).

    Raises:
        IndexError: there is no such leaf.
    """
    if not 0 <= index < len(leaves):
        raise IndexError(f"no leaf {index} in a tree of {len(leaves)}")
    start, stop, path = 0, len(leaves), list[bytes]()
    while stop - start > 1:
        middle = start + _split(stop - start)
        if index < middle:
            path.append(head(leaves[middle:stop]))
            stop = middle
        else:
            path.append(head(leaves[start:middle]))
            start = middle
    return path[::-1]


def consistency(leaves: Sequence[bytes], first: int) -> list[bytes]:
    """Proof that the tree of all leaves only adds to that of the first ones (RFC 6962, 2.1.2).

    Raises:
        IndexError: the first tree is empty or larger than the whole.
    """
    if not 0 < first <= len(leaves):
        raise IndexError(f"no consistency from {first} to {len(leaves)} leaves")
    start, stop, proof, whole = 0, len(leaves), list[bytes](), True
    while first != stop:
        middle = start + _split(stop - start)
        if first <= middle:
            proof.append(head(leaves[middle:stop]))
            stop = middle
        else:
            proof.append(head(leaves[start:middle]))
            start, whole = middle, False
    return proof[::-1] if whole else [head(leaves[start:stop]), *reversed(proof)]


def proves_inclusion(leaf: bytes, index: int, count: int, path: Sequence[bytes], root: bytes) -> bool:
    """Whether an audit path shows that a leaf stands at `index` in the tree of `count` leaves (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < count:
        return False
    node, last = index, count - 1
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            leaf = node_hash(sibling, leaf)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            leaf = node_hash(leaf, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and leaf == root


def proves_consistency(first: int, second: int, old: bytes, new: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the tree `new` of `second` leaves only adds to `old` of `first` (9162, 2.1.4.2)."""
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and old == new
    path = [old, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    node, last = first - 1, second - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    older = newer = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            older, newer = node_hash(sibling, older), node_hash(sibling, newer)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            newer = node_hash(newer, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and older == old and newer == new


def _split(width: int) -> int:
    return 1 << (width - 1).bit_length() - 1
