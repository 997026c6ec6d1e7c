// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/*
 * Loops in which one access of each PERIOD differs from the others. When a compiler unrolls such a
 * loop, or makes vectors of it, an instruction always meets the same kind of element. The fraction
 * of wasted accesses follows from the source, and is printed. The thread works for the given number
 * of seconds of its own CPU time.
 *
 *     java Patterns SHAPE PERIOD SECONDS
 *
 * Shapes of silent stores: choose, jump, hand, vector. Of dead stores: dead. Of silent loads: load,
 * of period 2 only.
 */
final class Patterns {
    static final int SIZE = 1920; // a multiple of all periods
    static int[] ints = new int[SIZE];
    static long[] longs = new long[SIZE], bases = new long[SIZE], masks = new long[SIZE];
    static long sink;

    /* One of each period is silent. */
    static void choose2(int[] x, int round) {
        for (int i = 0; i < x.length; i++)
            x[i] = (i & 1) == 0 ? 7 : round * 131 + i;
    }

    static void choose3(int[] x, int round) {
        for (int i = 0; i < x.length; i++)
            x[i] = i % 3 == 0 ? 7 : round * 131 + i;
    }

    static void choose8(int[] x, int round) {
        for (int i = 0; i < x.length; i++)
            x[i] = (i & 7) == 0 ? 7 : round * 131 + i;
    }

    /* The arms take times that differ, and are too long for a conditional move. */
    static void jump(int[] x, int period, int round) {
        for (int i = 0, k = 0; i < x.length; i++) {
            if (k == 0) {
                x[i] = 7;
            } else {
                int v = round * 131 + i;
                v = v / (k + 2) + (v ^ v >>> 3) % (k + 5);
                x[i] = v * 64 + (round & 63);
            }
            if (++k == period)
                k = 0;
        }
    }

    static void hand2(int[] x, int round) {
        for (int i = 0; i < x.length; i += 2) {
            x[i] = 7;
            x[i + 1] = round * 131 + i;
        }
    }

    static void hand3(int[] x, int round) {
        for (int i = 0; i < x.length; i += 3) {
            x[i] = 7;
            x[i + 1] = round * 131 + i;
            x[i + 2] = round * 17 - i;
        }
    }

    static void hand8(int[] x, int round) {
        for (int i = 0; i < x.length; i += 8) {
            x[i] = 7;
            x[i + 1] = round * 131 + i;
            x[i + 2] = round * 17 - i;
            x[i + 3] = round * 3;
            x[i + 4] = round * 5 + i;
            x[i + 5] = round * 9;
            x[i + 6] = round - i;
            x[i + 7] = round;
        }
    }

    static void vector(long[] x, long[] base, long[] mask, long round) {
        for (int i = 0; i < x.length; i++)
            x[i] = base[i] + (mask[i] & round);
    }

    /* Loads all elements but one of each period. */
    static long skip(int[] x, int period) {
        long sum = 0;
        for (int i = 0, k = 0; i < x.length; i++) {
            if (k != 0)
                sum += x[i];
            if (++k == period)
                k = 0;
        }
        return sum;
    }

    static void fill(int[] x, int round) {
        for (int i = 0; i < x.length; i++)
            x[i] = round * 131 + i;
    }

    static long load(int[] x) {
        long a = 0, b = 0;
        for (int i = 0; i < x.length; i += 2) {
            a += x[i];
            b ^= x[i + 1];
        }
        return a + b;
    }

    private static void choose(int period, int round) {
        switch (period) {
        case 2: choose2(ints, round); break;
        case 3: choose3(ints, round); break;
        default: choose8(ints, round);
        }
    }

    private static void hand(int period, int round) {
        switch (period) {
        case 2: hand2(ints, round); break;
        case 3: hand3(ints, round); break;
        default: hand8(ints, round);
        }
    }

    private static void step(String shape, int period, int round) {
        switch (shape) {
        case "choose": choose(period, round); break;
        case "jump": jump(ints, period, round); break;
        case "hand": hand(period, round); break;
        case "vector": vector(longs, bases, masks, round); break;
        case "dead":
            fill(ints, round);
            sink += skip(ints, period);
            break;
        case "load":
            choose(period, round);
            sink += load(ints);
            break;
        default:
            throw new IllegalArgumentException(shape);
        }
    }

    public static void main(String[] args) {
        String shape = args[0];
        int period = Integer.parseInt(args[1]);
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long end = clock.getCurrentThreadCpuTime() + (long) (Double.parseDouble(args[2]) * 1e9);

        for (int i = 0; i < SIZE; i++) {
            bases[i] = i * 1000003L;
            masks[i] = i % period == 0 ? 0 : -1;
        }
        for (int round = 1; round % 100 != 0 || clock.getCurrentThreadCpuTime() < end; round++)
            step(shape, period, round);
        System.out.println(1.0 / period + " " + sink);
    }
}
