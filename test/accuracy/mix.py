# SPDX-License-Identifier: Apache-2.0
"""How contents are spread over the objects of one place, and what follows from it.

A program looks up the key of its object number i in a table of `size` entries that it goes through
again and again, in random order. `counts[g]` entries hold the key g; `unique` entries stand for a
key that no other object has. A place makes a whole multiple of the table, so that shares are exact,
not those of a random generator: what is computed here is the truth, not its expectation.
"""

from collections import Counter

SIZE = 4093  # a prime: nothing that a program does regularly falls in step with it
UNIQUE_KEYS = 1 << 20  # a unique key is this plus the object's number; below 2^24, see shapes.py


class Mix:
    def __init__(self, kind, counts, unique):
        self.kind = kind
        self.counts = sorted(counts, reverse=True)
        self.unique = unique
        self.size = sum(counts) + unique

    def shares(self):
        return [count / self.size for count in self.counts]

    def unique_share(self):
        return self.unique / self.size

    def largest(self, objects):
        """X_N / X"""
        return max(self.counts[0] / self.size if self.counts else 0, 1 / objects)

    def identical(self, objects):
        """A/n: that two different objects have the same key."""
        repeats = objects / self.size
        return sum(c * repeats * (c * repeats - 1) for c in self.counts) / (objects * (objects - 1))

    def contents(self, objects):
        return len(self.counts) + self.unique * objects / self.size

    def merged(self, objects):
        """Share of the objects that would not be there if equal ones were merged."""
        return 1 - self.contents(objects) / objects

    def held(self, contents):
        """Share of the objects of so many contents, the commonest."""
        return sum(self.shares()[:contents])

    def equal(self, value, values):
        """That value(key) is the same for two random objects.

        Unique keys have one of `values` values each, equally likely; 0: one of their own.
        """
        masses, unique = Counter(), self.unique_share()
        for key, share in enumerate(self.shares()):
            masses[value(key)] += share
        same = sum(m * m for m in masses.values())
        return same + (unique * (2 - unique) / values if values else 0)


def apportion(weights, entries):
    """Whole numbers in proportion to the weights, of the given sum, each at least 1."""
    total = sum(weights)
    counts = [max(1, int(w / total * entries)) for w in weights]
    counts[0] += entries - sum(counts)
    return counts


def random_mix(random, objects):
    """A mix for a place that makes about so many objects."""
    size = SIZE if objects >= SIZE else objects
    kind = random.choices(["same", "distinct", "one", "equal", "zipf", "random"],
                          [1, 1.5, 5, 3, 3, 4])[0]
    if kind == "same":
        return Mix(kind, [size], 0)
    if kind == "distinct":
        return Mix(kind, [], size)
    if kind == "one":
        group = round(size * random.uniform(0.06, 0.97))
        return Mix(kind, [group], size - group)
    if kind == "equal":
        groups = random.choice([2, 2, 3, 3, 4, 5, 6, 8, 10, 15, 20, 50])
        return Mix(kind, apportion([1] * groups, size), 0)
    if kind == "zipf":
        power = random.uniform(0.7, 1.8)
        groups = random.choice([5, 10, 30, 100])
        return Mix(kind, apportion([(g + 1) ** -power for g in range(groups)], size), 0)
    unique = round(size * random.uniform(0, 0.6))
    groups = random.randint(2, 12)
    return Mix(kind, apportion([random.expovariate(1) for _ in range(groups)], size - unique), unique)
