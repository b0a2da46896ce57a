"""The tree of RFC 6962: known vectors, and a slow oracle written straight from the text."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tallyroom.ledger.tree import (
    EMPTY,
    Frontier,
    consistency,
    head,
    inclusion,
    leaf_hash,
    proves_consistency,
    proves_inclusion,
)

# The reference log's test inputs and roots (certificate-transparency, merkle_tree_test).
INPUTS = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [leaf_hash(text) for text in INPUTS]
MANY = [leaf_hash(bytes([at])) for at in range(41)]


def slow_head(leaves):
    """MTH of RFC 6962, 2.1."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return sha256(b"\x01" + slow_head(leaves[:k]) + slow_head(leaves[k:])).digest()


def slow_path(m, leaves):
    """PATH of RFC 6962, 2.1.1."""
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m < k:
        return [*slow_path(m, leaves[:k]), slow_head(leaves[k:])]
    return [*slow_path(m - k, leaves[k:]), slow_head(leaves[:k])]


def slow_proof(m, leaves, whole=True):
    """SUBPROOF of RFC 6962, 2.1.2."""
    if m == len(leaves):
        return [] if whole else [slow_head(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if m <= k:
        return [*slow_proof(m, leaves[:k], whole), slow_head(leaves[k:])]
    return [*slow_proof(m - k, leaves[k:], False), slow_head(leaves[:k])]


def test_roots_of_the_reference_log():
    assert [head(LEAVES[: at + 1]).hex() for at in range(8)] == ROOTS
    assert EMPTY.hex() == head([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_proofs_of_the_reference_log():
    assert [step.hex() for step in inclusion(LEAVES, 0)] == [
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]
    assert [step.hex() for step in consistency(LEAVES, 6)] == [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]
    assert consistency(LEAVES, 8) == []


def test_growing_tree_has_the_head_of_its_leaves_at_every_size():
    tree = Frontier()
    for count in range(len(MANY) + 1):
        assert tree.root() == head(MANY[:count]) == slow_head(MANY[:count])
        assert (tree.count, len(tree.peaks)) == (count, count.bit_count())
        if count < len(MANY):
            tree.append(MANY[count])


@given(st.lists(st.integers(0, 9), max_size=12))
def test_tree_grows_the_same_in_batches_of_any_size(sizes):
    tree, count = Frontier(), 0
    for size in sizes:
        tree.extend(leaf_hash(bytes([at])) for at in range(count, count + size))
        count += size
        leaves = [leaf_hash(bytes([at])) for at in range(count)]
        assert tree.root() == slow_head(leaves)
        assert tree.peaks == [slow_head(perfect) for perfect in perfect_parts(leaves)]
        assert tree.count == count


def perfect_parts(leaves):
    """The leaves of each perfect subtree, widest first."""
    while leaves:
        width = 1 << len(leaves).bit_length() - 1
        yield leaves[:width]
        leaves = leaves[width:]


def test_tree_goes_on_from_its_count_and_peaks():
    tree = Frontier()
    tree.extend(MANY[:11])
    onward = Frontier(tree.count, tree.peaks)
    onward.extend(MANY[11:])
    assert (tree.root(), onward.root()) == (head(MANY[:11]), head(MANY))


def test_every_entry_of_every_tree_is_proved():
    for count in range(1, len(MANY) + 1):
        leaves = MANY[:count]
        for index in range(count):
            path = inclusion(leaves, index)
            assert path == slow_path(index, leaves)
            assert proves_inclusion(leaves[index], index, count, path, head(leaves))


def test_every_tree_is_proved_to_add_to_every_smaller_one():
    for second in range(1, len(MANY) + 1):
        leaves = MANY[:second]
        for first in range(1, second + 1):
            proof = consistency(leaves, first)
            assert proof == slow_proof(first, leaves)
            assert proves_consistency(first, second, head(leaves[:first]), head(leaves), proof)


@given(st.data(), st.integers(1, 41))
def test_false_inclusion_is_refused(data, count):
    leaves, index = MANY[:count], data.draw(st.integers(0, count - 1))
    path, root = inclusion(leaves, index), head(leaves)
    other = data.draw(st.integers(0, count).filter(lambda at: at != index))
    assert not proves_inclusion(leaves[index], other, count, path, root)
    assert not proves_inclusion(leaf_hash(b"another"), index, count, path, root)
    assert not proves_inclusion(leaves[index], index, count, [*path, root], root)
    assert not proves_inclusion(leaves[index], index, count, path, leaf_hash(b"another"))
    if path:
        assert not proves_inclusion(leaves[index], index, count, path[:-1], root)
        at = data.draw(st.integers(0, len(path) - 1))
        flipped = bytes([path[at][0] ^ 1]) + path[at][1:]
        assert not proves_inclusion(leaves[index], index, count, [*path[:at], flipped, *path[at + 1 :]], root)


@given(st.data(), st.integers(2, 41))
def test_rewritten_past_is_refused(data, second):
    first = data.draw(st.integers(1, second - 1))
    changed = data.draw(st.integers(0, first - 1))
    leaves = MANY[:second]
    old = head(leaves[:first])
    rewritten = [*leaves[:changed], leaf_hash(b"another"), *leaves[changed + 1 :]]
    assert not proves_consistency(first, second, old, head(rewritten), consistency(rewritten, first))
    proof = consistency(leaves, first)
    assert not proves_consistency(first, second, old, head(leaves), proof[:-1])
    assert not proves_consistency(first, second, old, head(leaves), [*proof, old])


def test_no_proof_of_what_is_not_there():
    for index in (-1, 3):
        with pytest.raises(IndexError, match="in a tree of 3"):
            inclusion(MANY[:3], index)
        assert not proves_inclusion(MANY[0], index, 3, [], head(MANY[:3]))
    for first in (0, 4):
        with pytest.raises(IndexError, match="to 3 leaves"):
            consistency(MANY[:3], first)
        assert not proves_consistency(first, 3, head(MANY[:first]), head(MANY[:3]), [])
    assert not proves_consistency(3, 3, head(MANY[:3]), head(MANY[:3]), [MANY[0]])
    assert not proves_consistency(3, 5, head(MANY[:3]), head(MANY[:5]), [])
