// SPDX-License-Identifier: Apache-2.0
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/*
 * Arrays whose accesses take a known share of the time. The program measures the CPU time of loops
 * over one group of arrays and over another, whose only heap accesses are to these arrays, and
 * prints the share of the first group. Within a mode the same loop goes over both groups. The
 * thread works for the given number of seconds of its own CPU time, since that is sampled, however
 * busy the machine is.
 *
 *     java Locality order|search|hot|old|phases|bloat SECONDS
 */
final class Locality {
    static final int BIG = 1 << 20, MIDDLE = 1 << 16;
    static final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    static final List<byte[]> garbage = new ArrayList<>();
    static long sink;

    static int[] makeFirst(int length) {
        return new int[length]; // line: first
    }

    static int[] makeSecond(int length) {
        return new int[length]; // line: second
    }

    /* All elements: every stride-th, beginning at each of the first `stride` ones. */
    static long walk(int[] a, int stride) {
        long sum = 0;
        for (int first = 0; first < stride; first++)
            for (int i = first; i < a.length; i += stride)
                sum += a[i]; // line: walk
        return sum;
    }

    /* The index of a value; -1 if missing. */
    static int search(int[] a, int value) {
        for (int i = 0; i < a.length; i++)
            if (a[i] == value) // line: search
                return i;
        return -1;
    }

    static long walkAll(int[][] arrays, int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int[] a : arrays)
                sum += walk(a, 1);
        return sum;
    }

    static long searchOften(int[] a, int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += search(a, 1);
        return sum;
    }

    static void churn(int kilobytes) {
        for (int i = 0; i < kilobytes; i++) {
            garbage.add(new byte[1000]);
            if (garbage.size() > 4000)
                garbage.clear();
        }
    }

    interface Work {
        long run();
    }

    static long now() {
        return clock.getCurrentThreadCpuTime();
    }

    /* Repeats both. Returns the first one's share of their CPU time. */
    static double share(long end, Work first, Work second, int kilobytes) {
        long one = 0, other = 0;
        while (now() < end) {
            long t0 = now();
            sink += first.run();
            long t1 = now();
            sink += second.run();
            long t2 = now();
            one += t1 - t0;
            other += t2 - t1;
            churn(kilobytes);
        }
        return (double) one / (one + other);
    }

    /* Across the memory order, and along it. */
    static double order(long end) {
        int[] across = makeFirst(4 * BIG), along = makeSecond(4 * BIG);
        return share(end, () -> walk(across, 2048), () -> walk(along, 1), 0);
    }

    static double search(long end) {
        int[] large = makeFirst(BIG), small = makeSecond(MIDDLE);
        return share(end, () -> searchOften(large, 1), () -> searchOften(small, 5), 10);
    }

    /* One large array that is often used, among many others. */
    static double hot(long end) {
        int[] hot = makeFirst(4 * BIG);
        int[][] cold = new int[16][];
        for (int i = 0; i < cold.length; i++)
            cold[i] = makeSecond(MIDDLE);
        return share(end, () -> walk(hot, 1), () -> walkAll(cold, 1), 10);
    }

    /* Arrays in use that survive many collections, which move them. */
    static double old(long end) {
        int[][] often = new int[48][], seldom = new int[48][];
        for (int i = 0; i < often.length; i++) {
            churn(200);
            often[i] = makeFirst(MIDDLE);
            seldom[i] = makeSecond(MIDDLE);
        }
        for (int i = 0; i < 3; i++) {
            churn(2000);
            System.gc();
        }
        return share(end, () -> walkAll(often, 3), () -> walkAll(seldom, 1), 1000);
    }

    /* One array for a quarter of the time, then another. */
    static double phases(long end) {
        long begin = now();
        int[] first = makeFirst(BIG), second = makeSecond(BIG);
        while (now() < begin + (end - begin) / 4)
            sink += walk(first, 1);
        long changed = now();
        while (now() < end)
            sink += walk(second, 1);
        return (double) (changed - begin) / (now() - begin);
    }

    /* Arrays that are made, used once and dropped. Returns their number in place of a share. */
    static double bloat(long end) {
        int made = 0;
        while (now() < end) {
            sink += walk(makeFirst(MIDDLE), 1);
            made++;
        }
        return made;
    }

    static double run(String mode, long end) {
        switch (mode) {
        case "order":
            return order(end);
        case "search":
            return search(end);
        case "hot":
            return hot(end);
        case "old":
            return old(end);
        case "phases":
            return phases(end);
        default:
            return bloat(end);
        }
    }

    public static void main(String[] args) {
        System.out.println(run(args[0], now() + Long.parseLong(args[1]) * 1000000000L));
        if (sink == 42)
            System.out.println();
    }
}
