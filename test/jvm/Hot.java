// SPDX-License-Identifier: Apache-2.0
/**
 * One line makes nearly all objects, and twenty others one in a thousand each. Hot objects are all alike in the first half of the
 * run, and all different in the second. Of the cold lines, those with an even number make equal objects, the others different ones.
 * Arguments: how many times a thousand objects are made; how deep the stack is, which is another one for each thousand then.
 */
public class Hot {
    static final int COLD = 20, HOT = 980;

    static final class Point {
        final long x, y;

        Point(long x, long y) {
            this.x = x;
            this.y = y;
        }
    }

    static final Point[] sink = new Point[1 << 10];
    static int at;

    static void keep(Point p) {
        sink[at++ & (sink.length - 1)] = p;
    }

    static long cold(int line, long i) {
        return line % 2 == 0 ? 7 : i;
    }

    static void some(long i, boolean first) {
        for (int k = 0; k < HOT; k++)
            keep(new Point(1, first ? 1 : i * HOT + k)); // @hot
        keep(new Point(1000, cold(0, i)));
        keep(new Point(1001, cold(1, i)));
        keep(new Point(1002, cold(2, i)));
        keep(new Point(1003, cold(3, i)));
        keep(new Point(1004, cold(4, i)));
        keep(new Point(1005, cold(5, i)));
        keep(new Point(1006, cold(6, i)));
        keep(new Point(1007, cold(7, i)));
        keep(new Point(1008, cold(8, i)));
        keep(new Point(1009, cold(9, i)));
        keep(new Point(1010, cold(10, i)));
        keep(new Point(1011, cold(11, i)));
        keep(new Point(1012, cold(12, i)));
        keep(new Point(1013, cold(13, i)));
        keep(new Point(1014, cold(14, i)));
        keep(new Point(1015, cold(15, i)));
        keep(new Point(1016, cold(16, i)));
        keep(new Point(1017, cold(17, i)));
        keep(new Point(1018, cold(18, i)));
        keep(new Point(1019, cold(19, i)));
    }

    // each bit of `path` is another place to call from
    static void descend(int depth, long path, long i, boolean first) {
        if (depth == 0)
            some(i, first);
        else if ((path & 1) == 0)
            descend(depth - 1, path >> 1, i, first);
        else
            other(depth, path, i, first);
    }

    static void other(int depth, long path, long i, boolean first) {
        descend(depth - 1, path >> 1, i, first);
    }

    public static void main(String[] args) {
        long n = Long.parseLong(args[0]), random = 1;
        int depth = args.length > 1 ? Integer.parseInt(args[1]) : 0;

        for (long i = 0; i < n; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            descend(depth, random >>> 20, i, i < n / 2);
        }
    }
}
