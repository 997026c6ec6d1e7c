// SPDX-License-Identifier: Apache-2.0

/**
 * Classes of whose objects it is known which are equal. Argument: how many objects of each class. Prints
 * nothing but a class name. THREADS threads make the objects, one after the other: each has a ring of its own,
 * which has room for all its samples, however late they are read.
 */
public final class Equality {
    private static final int THREADS = 4;
    private static volatile Object sink;
    private static int hashes;

    private Equality() {
    }

    private static final class Unique {
        private final int x;
        private final long y;

        private Unique(int x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    /** Four of ten are equal, the others are unique. */
    private static final class Part {
        private final int x;
        private final long y;

        private Part(int x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    /** 300 contents, each as common. */
    private static final class Few {
        private int x;
        private long y;

        private Few(int x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    /** Ten contents, by what an object refers to. */
    private static final class Holder {
        private final Object held;

        private Holder(Object held) {
            this.held = held;
        }
    }

    private static final class Held {
        private final int x;

        private Held(int x) {
            this.x = x;
        }
    }

    /** All are equal, but every fourth is asked for its identity hash code. */
    private static final class Hashed {
        private final int x;

        private Hashed(int x) {
            this.x = x;
        }
    }

    private static void round(int i) {
        sink = new Unique(i, -i); // @unique
        sink = new Part(i % 10 < 4 ? -1 : i, 1); // @part
        sink = new Few(i % 300, 2); // @few
        sink = new Holder(new Held(i % 10)); // @holder
        sink = new long[] {i % 20, 3}; // @array
        Hashed hashed = new Hashed(4); // @hashed
        sink = hashed;
        if (i % 4 == 0) {
            hashes += System.identityHashCode(hashed);
        }
    }

    private static void rounds(int first, int end) {
        for (int i = first; i < end; i++) {
            round(i);
        }
    }

    private static void await(Thread thread) {
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);

        Thread last = null;
        for (int part = 0; part < THREADS; part++) {
            Thread before = last;
            int first = n / THREADS * part;
            last = new Thread(() -> {
                await(before);
                rounds(first, first + n / THREADS);
            });
            last.start();
        }
        await(last);
        System.out.println(sink != null && hashes != 0 ? sink.getClass().getName() : "");
    }
}
