// SPDX-License-Identifier: Apache-2.0

/**
 * A planted program: it makes a stated number of objects at one known line (marked `@site`), in
 * batches. A batch is made into an array that escapes, then used, so that no compiler can leave out
 * the objects or the loads. What share of the objects has which content is known by construction
 * and stands in truth.py.
 *
 * Arguments: how many objects; a seed. It prints a checksum of all that it loaded.
 */
abstract class Planted<T> {
    static final int BATCH = 64;

    /** The batch that was made last; other code could see it at any time. */
    static volatile Object[] escaped;

    final long count;
    final long seed;
    long sum;

    Planted(String[] args) {
        count = Long.parseLong(args[0]);
        seed = Long.parseLong(args[1]);
    }

    /** Makes object number i, 0 <= i < count. */
    abstract T make(long i);

    /** What happens to a batch's objects between making and use. */
    void change(T object) {
    }

    /** Loads all that the object holds. */
    abstract long use(T object);

    @SuppressWarnings("unchecked")
    void run() {
        Object[] batch = new Object[BATCH];
        escaped = batch;
        for (long i = 0; i < count; ) {
            int n = (int) Math.min(BATCH, count - i);
            for (int k = 0; k < n; k++) {
                batch[k] = make(i + k);
            }
            for (int k = 0; k < n; k++) {
                change((T) batch[k]);
            }
            for (int k = 0; k < n; k++) {
                sum = sum * 31 + use((T) batch[k]);
            }
            i += n;
        }
    }

    void finish() {
        System.out.println(getClass().getSimpleName() + " " + Long.toHexString(sum));
    }

    /** A random number in 0..n-1 that depends on the seed and i alone. (splitmix64's finalizer.) */
    int random(long i, int n) {
        long z = (seed << 40) + (i + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return (int) ((z >>> 33) % n);
    }
}
