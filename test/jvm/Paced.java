// SPDX-License-Identifier: Apache-2.0

import java.io.File;

/**
 * Creates equal objects at a steady pace for some seconds, and says so on both streams. Prints its
 * input first, and at the end the number of rounds and their time. Ends with STATUS, or at once
 * when FILE exists.
 *
 *     java Paced SECONDS STATUS [FILE]
 */
public class Paced {
    static final class Point {
        int x = 4, y = 2;
    }

    static Object[] kept = new Object[1000];

    static int make(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            Point p = new Point();
            kept[i % kept.length] = p;
            sum += p.x + p.y;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int read = 0;
        while (System.in.read() >= 0)
            read++;
        System.out.println("read " + read + " bytes");
        long begin = System.nanoTime(), end = begin + Long.parseLong(args[0]) * 1_000_000_000L;
        int i = 0;
        for (; System.nanoTime() < end && !(args.length > 2 && new File(args[2]).exists()); i++) {
            make(50_000);
            System.out.println("out " + i);
            System.err.println("err " + i);
            Thread.sleep(20);
        }
        System.out.println("done after " + i + " in " + (System.nanoTime() - begin) / 1_000_000 + " ms");
        System.exit(Integer.parseInt(args[1]));
    }
}
