# SPDX-License-Identifier: Apache-2.0
"""For Jython: words of generated text are counted, sorted and joined. Argument: how many rounds."""
import sys


def text(seed, words):
    """Returns so many words, each of a few letters."""
    state = seed
    for _ in range(words):
        state = (state * 1103515245 + 12345) % 2147483648
        yield ("%x" % (state % 40009))[::-1]


def tally(rounds):
    """Returns the number of different words, and a checksum of the most frequent ones."""
    counts, check = {}, 0
    for seed in range(rounds):
        for word in text(seed, 5000):
            counts[word] = counts.get(word, 0) + 1
        most = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:200]
        check = (check * 31 + len(",".join("%s=%d" % item for item in most))) % 1000003
    return len(counts), check


print(tally(int(sys.argv[1])))
