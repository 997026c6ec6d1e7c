// SPDX-License-Identifier: Apache-2.0

/**
 * Objects of one class, made at lines whose contents are known. Arguments: for how many seconds. Prints, for
 * each line by its mark, what is true of its objects: the share whose content another object has, and the
 * share that the 16 commonest contents have.
 */
public final class Population {
    private static Object sink;

    private static final class Point {
        private final int x;
        private final int y;
        private final long z;

        private Point(int x, int y, long z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }
    }

    private Population() {
    }

    private static void round(int i) {
        sink = new Point(i, 1, i); // @unique
        sink = new Point(i % 300, 2, 0); // @shared
        sink = new Point(i % 300, 2, 0); // @sharedtoo
        sink = new Point(i % 10 < 4 ? 7 : i, 3, i % 10 < 4 ? 0 : i); // @part
        sink = new byte[] {(byte) i, (byte) (i >> 8), (byte) (i >> 16), (byte) (i >> 24), 9}; // @bytes
        sink = new String("number " + i); // @text
    }

    /** Runs for so many seconds. */
    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        int i = 0;

        while (System.nanoTime() < end) {
            for (int k = 0; k < 1000; k++) {
                round(i++);
            }
        }
        System.out.println(i > 0 && sink != null ? "unique 0 shared 1 sharedtoo 1 part 0.4" : "");
    }
}
