// SPDX-License-Identifier: Apache-2.0
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/*
 * Some of everything that is recorded: loops over arrays, which compilers vectorise; equal and
 * distinct objects and strings; look-ups; several threads. Prints a checksum, the same on every
 * JVM.
 *
 *     java Loops ROUNDS
 */
final class Loops {
    static final int SIZE = 3000; // not a multiple of a vector's length
    static volatile Object kept;

    static final class Point {
        final int x, y;
        Point next;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }

    static long arrays(int round, int[] ints, long[] longs, byte[] bytes, double[] doubles, float[] floats) {
        for (int i = 0; i < SIZE; i++)
            ints[i] = round / 2 + i * 7;
        for (int i = 0; i < SIZE; i++)
            longs[i] = ints[i] * 31L + round;
        for (int i = 0; i < SIZE; i++)
            bytes[i] = (byte) (ints[i] ^ i);
        for (int i = 0; i < SIZE; i++)
            doubles[i] = ints[i] * 0.5;
        for (int i = 0; i < SIZE; i++)
            if ((i & 3) != 0)
                floats[i] = floats[i] * 0.5f + bytes[i];
        long sum = 0;
        for (int i = 0; i < SIZE; i++)
            sum += longs[i] ^ bytes[i];
        for (int i = 0; i < SIZE; i++)
            sum += (long) doubles[i] + (long) floats[i];
        Arrays.fill(bytes, (byte) round);
        int[] copy = Arrays.copyOf(ints, SIZE);
        for (int i = 0; i < SIZE; i++)
            sum += copy[SIZE - 1 - i];
        return sum + bytes[round % SIZE];
    }

    static long objects(int round) {
        long sum = 0;
        List<Object> some = new ArrayList<>();
        Point last = null;
        for (int i = 0; i < 200; i++) {
            Point p = new Point(i % 4 == 0 ? i : 1, 2);
            p.next = last;
            last = p;
            some.add(new String(new char[] {'t', (char) ('a' + i % 3)}));
        }
        kept = some;
        for (Point p = last; p != null; p = p.next)
            sum += p.x * 3 + p.y;
        for (Object s : some)
            sum = sum * 31 + s.hashCode();
        return sum;
    }

    static long work(int rounds) {
        int[] ints = new int[SIZE];
        long[] longs = new long[SIZE];
        byte[] bytes = new byte[SIZE];
        double[] doubles = new double[SIZE];
        float[] floats = new float[SIZE];
        TreeMap<Integer, String> map = new TreeMap<>();
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            sum = sum * 31 + arrays(round, ints, longs, bytes, doubles, floats) + objects(round);
            map.put(round % 500, "value " + round % 7);
            for (int i = 0; i < 20; i++)
                sum += map.getOrDefault(i * 13, "").length();
        }
        return sum;
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        long[] sums = new long[3];
        Thread[] threads = new Thread[sums.length];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> sums[number] = work(rounds + number));
            threads[i].start();
        }
        for (Thread t : threads)
            t.join();
        System.out.println("loops " + Arrays.hashCode(sums));
    }
}
