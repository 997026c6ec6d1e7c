// SPDX-License-Identifier: Apache-2.0

/**
 * A program that test/t_diff.sh records unchanged and edited. It makes the given number of objects
 * of each class: equal ones, distinct ones, and arrays.
 */
public final class Work {
    static final class Same {
        int a = 1, b = 2;
    }

    static final class Different {
        final long id;

        Different(long id) {
            this.id = id;
        }
    }

    static Object sink;
    static long sum;

    static void same() {
        Same same = new Same();
        sum += same.a + same.b;
        sink = same;
    }

    static void different(long i) {
        Different different = new Different(i);
        sum += different.id;
        sink = different;
    }

    static void bytes(int i) {
        byte[] bytes = new byte[64];
        bytes[5] = (byte) i;
        sum += bytes[3];
        sink = bytes;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        for (int i = 0; i < n; i++) {
            same();
            different(i);
            bytes(i);
        }
        System.out.println(sum);
    }
}
