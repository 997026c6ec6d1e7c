// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.TreeMap;

/*
 * Loops with a known share of wasted accesses. Within a mode the instructions of one line make all
 * accesses of the kind, so that time-based sampling weighs them alike. The thread works for the
 * given number of seconds of its own CPU time, since that is sampled, however busy the machine is.
 *
 *     java Waste dead|silent|tree SECONDS
 */
final class Waste {
    static final int SIZE = 2048;
    static int[] ints = new int[SIZE];
    static double[] doubles = new double[SIZE];
    static double sink;

    static void storeInts(int[] to, int seed) {
        for (int i = 0; i < to.length; i++)
            to[i] = seed + i * 7; // line: dead
    }

    static int sumInts(int[] from) {
        int sum = 0;
        for (int i = 0; i < from.length; i++)
            sum += from[i];
        return sum;
    }

    static void storeDoubles(double[] to, double seed) {
        for (int i = 0; i < to.length; i++)
            to[i] = seed + i; // line: silent store
    }

    /* Four sums, so that no addition waits for the last one: else this is nearly all of the time. */
    static double sumDoubles(double[] from) {
        double a = 0, b = 0, c = 0, d = 0;
        for (int i = 0; i < from.length; i += 4) {
            a += from[i]; b += from[i + 1]; c += from[i + 2]; d += from[i + 3]; // line: silent load
        }
        return a + b + c + d;
    }

    /* In 3 of 10 rounds the array is filled twice before it is read: 3 of 13 stores are dead. */
    static void dead(int round) {
        int times = round % 10 < 3 ? 2 : 1;
        for (int k = 0; k < times; k++)
            storeInts(ints, round * 31 + k * 5);
        sink += sumInts(ints);
    }

    /*
     * Every second round stores, and then loads, the previous values; the others differ by far more
     * than 1 %.
     */
    static void silent(int round) {
        storeDoubles(doubles, 1e9 * (1 + round / 2 % 7));
        sink += sumDoubles(doubles);
    }

    /* Looks up values that never change. */
    static void tree(TreeMap<Integer, Integer> map) {
        for (int i = 0; i < map.size(); i++)
            sink += map.get(i);
    }

    public static void main(String[] args) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        for (int i = 0; i < 1000; i++)
            map.put(i * 7 % 1000, i);
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        long end = clock.getCurrentThreadCpuTime() + Long.parseLong(args[1]) * 1_000_000_000L;
        for (int round = 0; round % 100 != 0 || clock.getCurrentThreadCpuTime() < end; round++) {
            switch (args[0]) {
            case "dead":
                dead(round);
                break;
            case "silent":
                silent(round);
                break;
            default:
                tree(map);
            }
        }
        System.out.println(sink);
    }
}
