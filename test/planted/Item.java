// SPDX-License-Identifier: Apache-2.0

/** 40 bytes of content. Two items of different keys (below 2^31) differ in every field. */
class Item {
    long key;
    long inverse;
    double real;
    int small;
    int negative;
    long twice;

    Item(long key) {
        set(key);
    }

    final void set(long key) {
        this.key = key;
        inverse = ~key;
        real = key;
        small = (int) key;
        negative = (int) -key;
        twice = key << 1;
    }

    /** Loads every field. */
    long use() {
        return key + inverse + (long) real + small + negative + twice;
    }
}
