// SPDX-License-Identifier: Apache-2.0

/**
 * Threads that do little but allocate small objects, as fast as they can; each keeps its latest ones.
 * Arguments: how many threads, and how many million objects each allocates. Prints a checksum.
 *
 * The work is fixed, not the time. So however soon the threads begin, and however many run at once,
 * the same is to be done. (A program that counts what it gets done in five seconds does more of it
 * while few of its threads have been started: then a change in how soon they start looks like a cost.)
 */
public final class Allocate {
    private static final int KEPT = 256;
    private static final int AT_ONCE = 1000;

    /** Runs the threads and prints the sum of what they computed. */
    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        long objects = Long.parseLong(args[1]) * 1_000_000;
        long[] sums = new long[threads.length];

        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> sums[number] = work(objects, number));
            threads[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            sum += sums[i];
        }
        System.out.println(sum);
    }

    private static long work(long objects, int number) {
        Object[] kept = new Object[KEPT];
        long sum = number;

        for (long done = 0; done < objects; done += 2 * AT_ONCE) {
            sum = some(kept, sum);
        }
        return sum;
    }

    private static long some(Object[] kept, long before) {
        long sum = before;

        for (int i = 0; i < AT_ONCE; i++) {
            kept[i % KEPT] = new int[] {i, (int) sum};
            kept[(i + 7) % KEPT] = Long.valueOf(sum + 1000);
            sum += ((int[]) kept[i % KEPT])[0];
        }
        return sum;
    }
}
