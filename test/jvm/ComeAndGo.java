// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.Random;
import java.util.function.LongUnaryOperator;

/**
 * Classes with loaders of their own, lambdas, threads and stacks that come and go at a steady pace, far faster than in a service, until a
 * file exists. Prints how many there were, now and then.
 *
 *     java ComeAndGo FILE [ROUNDS A SECOND [GUESTS OF A ROUND [DEPTH OF STACKS]]]
 */
public final class ComeAndGo {
    public static volatile Object sink;

    public static final class Guest implements LongUnaryOperator {
        public long applyAsLong(long x) {
            LongUnaryOperator f = y -> (sink = new long[] {x, y}) == null ? 0 : y + x;
            sink = new Guest[(int) (x & 7)];
            return f.applyAsLong(x);
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass("ComeAndGo$Guest", code, 0, code.length);
        }
    }

    static void guest(byte[] code, long n) throws Exception {
        LongUnaryOperator op = (LongUnaryOperator) new Loader().define(code).getConstructor().newInstance();
        for (int i = 0; i < 50; i++)
            op.applyAsLong(n + i);
    }

    static void left(Random way, int depth) {
        down(way, depth);
    }

    static void right(Random way, int depth) {
        down(way, depth);
    }

    /** A stack that hardly ever comes again. */
    static void down(Random way, int depth) {
        if (depth == 0)
            for (int i = 0; i < 100; i++)
                sink = new int[64];
        else if (way.nextBoolean())
            left(way, depth - 1);
        else
            right(way, depth - 1);
    }

    static void thread(String name) throws InterruptedException {
        Thread t = new Thread(() -> {
            for (int i = 0; i < 200; i++)
                sink = new byte[100];
        }, name);
        t.start();
        t.join();
    }

    public static void main(String[] args) throws Exception {
        byte[] code;
        try (var in = ComeAndGo.class.getResourceAsStream("ComeAndGo$Guest.class")) {
            code = in.readAllBytes();
        }
        long pause = 1_000_000_000L / (args.length > 1 ? Long.parseLong(args[1]) : 20);
        int guests = args.length > 2 ? Integer.parseInt(args[2]) : 10;
        int depth = args.length > 3 ? Integer.parseInt(args[3]) : 20;
        Random way = new Random(1);
        long next = System.nanoTime(), told = next;
        for (long n = 0; !new File(args[0]).exists(); n++) {
            for (int i = 0; i < guests; i++) {
                guest(code, n);
                thread("guest-" + n + "-" + i + "x");
            }
            for (int i = 0; i < 10; i++)
                down(way, depth);
            next += pause;
            long now = System.nanoTime();
            if (next > now)
                Thread.sleep((next - now) / 1_000_000);
            else
                next = now;
            if (now - told > 1_000_000_000L) {
                System.out.println("classes " + 2 * guests * (n + 1) + " threads " + guests * (n + 1));
                told = now;
            }
        }
    }
}
