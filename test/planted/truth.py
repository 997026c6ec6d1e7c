# SPDX-License-Identifier: Apache-2.0
"""What is true of each planted program, by construction.

A Site is one allocation context that a report must show: the objects that were made at the line
marked `@site` (or another marker), where `through` names markers of callers that its stack must
hold as well. Probabilities are exact for the generator's distribution; the seeds of a run move the
program's real shares by less than 0.0005.

 share      of the program's objects that are made there
 largest    X_N/X: share of the largest group of identical objects
 identical  A/n: two objects drawn at random are the same as a whole
 theta      two objects drawn at random are the same in one random field or element; None: not asked
 verdicts   those that are right; where few uses are seen, `some-equal` and `alike-at-end` stand for what could change
 apart      the fields that keep all pairs apart, as (declaring class, name, last); None: not asked
"""

from dataclasses import dataclass, field

ITEM = 56  # bytes of an Item with compressed class pointers; a rough figure is enough


@dataclass
class Site:
    cls: str
    largest: float
    identical: float
    theta: float
    verdicts: tuple
    marker: str = "site"
    through: tuple = ()
    share: float = 1.0
    contexts: int = 1  # at most so many contexts make up the site
    apart: tuple = None


@dataclass
class Program:
    name: str
    objects: int
    size: int  # bytes of an object, on average
    output: str  # what it prints of that many objects and seed 1, when nobody looks, too
    sites: list = field(default_factory=list)
    sizes: int = 1  # different object sizes; with more, a, b and c are not simple counts
    positions: int = 1  # kinds of positions, by how often they are equal
    mixed: bool = True  # the contents come in random order
    watch: bool = True  # the allocating thread itself uses the objects; None: another one, and few uses are seen
    interval: int = 64 << 10  # bytes between samples: some 15 000 of them


PROGRAMS = [
    Program("AllSame", 20_000_000, ITEM, "d4f7f8c634004000",
            [Site("Item", 1, 1, 1, ("replica",))]),
    Program("AllDistinct", 20_000_000, ITEM, "68561f0b8f75f380",
            [Site("Item", 0, 0, 0, ("distinct",))]),
    Program("Same75", 20_000_000, ITEM, "b90b1fd5f2ecdd50",
            [Site("Item", 0.75, 0.5625, 0.5625, ("replica",))]),
    Program("TenGroups", 20_000_000, ITEM, "5ae9339feb112a77",
            [Site("Item", 0.1, 0.1, 0.1, ("few-values",))]),
    Program("TenPhases", 20_000_000, ITEM, "f883b691da69800",
            [Site("Item", 0.1, 0.1, 0.1, ("few-values",))], mixed=False),
    # One element of 1024 differs: whoever compares one word calls them replicas.
    Program("BigArray", 400_000, 4112, "36fa89e3511c4ac0",
            [Site("int[]", 0, 0, 1023 / 1024, ("partial",))], positions=2),
    Program("ChangedBeforeUse", 20_000_000, ITEM, "e2ddb2a89b79b380",
            [Site("Item", 0, 0, 0, ("distinct",))]),
    Program("TwoCallers", 30_000_000, ITEM, "d2b9dd29a89f3a9a",
            [Site("Item", 1, 1, 1, ("replica",), through=("constant",), share=0.5),
             Site("Item", 0, 0, 0, ("distinct",), through=("changing",), share=0.5)]),
    Program("HandedOver", 20_000_000, ITEM, "b90b1fd5f2ecdd50",
            [Site("Item", 0.75, 0.5625, 0.5625, ("replica", "few-values"))], watch=None),
    Program("BoxedIntegers", 60_000_000, 16, "cc0f546449a38727",
            [Site("java.lang.Integer", 0.25, 0.25, 0.25, ("few-values",))]),
    # Folding leaves a few contexts of the forty depths: ends of the recursion that are shorter
    # than a cycle, and for the mutual one both parities.
    Program("Recursion", 20_000_000, ITEM, "b90b1fd5f2ecdd50",
            [Site("Item", 0.75, 0.5625, 0.5625, ("replica",), share=0.5, contexts=6),
             Site("Item", 0.75, 0.5625, 0.5625, ("replica",), marker="mutual",
                  share=0.5, contexts=8)]),
    # Arrays of unequal length are never the same: 0.01 each way, although any two of one length are.
    Program("HundredLengths", 5_000_000, 256, "a0f3bb0284dd6910",
            [Site("int[]", 0.01, 0.01, 0.01, ("few-values",))], sizes=100),
    Program("SharedConstants", 40_000_000, 24, "78fcab337e798a8e",
            [Site("SharedConstants$Pair", 0.75, 0.5625, 0.5625, ("replica", "few-values"))]),
    # Its theta depends on the size of a reference.
    Program("Counter", 20_000_000, 56, "419b12432d6be680",
            [Site("Counter$Thing", 0, 0, None, ("partial",),
                  apart=(("Counter$Thing", "serial", "serial"),))], positions=2),
    Program("Shadowed", 20_000_000, 48, "9aa3c11a4390680",
            [Site("Shadowed$Derived", 0, 0, 24 / 28, ("partial",),
                  apart=(("Shadowed$Derived", "id", "id"),))], positions=2),
    Program("IndexRange", 10_000_000, 80, "c214c2f383a87400",
            [Site("int[]", 0, 0, 12 / 16, ("partial",),
                  apart=((None, "[4]", "[7]"),))], positions=2),
]
