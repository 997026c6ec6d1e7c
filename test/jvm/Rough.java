// SPDX-License-Identifier: Apache-2.0

import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/** Programs that go to the limits of a JVM, which a profiler must not change. */
public final class Rough {
    static volatile Object kept;

    private Rough() {
    }

    /** Work that allocates and reads; its result does not depend on time. */
    static long work(int n) {
        long sum = 0;
        int[][] some = new int[64][];
        for (int i = 0; i < n; i++) {
            int[] a = new int[] {i, i & 7, 3};
            some[i & 63] = a;
            kept = a;
            sum += some[(i * 7) & 63] == null ? 0 : some[(i * 7) & 63][1];
            sum += a[0] & 1;
        }
        return sum;
    }

    static int deep(int depth, int[] most, long[] sum) {
        most[0] = Math.max(most[0], depth);
        Integer boxed = Integer.valueOf(depth + 1000);
        kept = boxed;
        sum[0] += boxed & 3;
        return deep(depth + 1, most, sum) + boxed;
    }

    private static void overflow(int times) throws InterruptedException {
        int[] caught = new int[1];
        Thread t = new Thread(null, () -> {
            for (int i = 0; i < times; i++) {
                int[] most = new int[1];
                try {
                    deep(0, most, new long[1]);
                } catch (StackOverflowError e) {
                    caught[0] += most[0] > 500 ? 1 : 0;
                }
            }
        }, "deep", 1 << 20);
        t.start();
        t.join();
        System.out.println("overflow " + caught[0] + " " + work(200_000));
    }

    private static void exec(int times) throws Exception {
        AtomicLong good = new AtomicLong();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < times; i++) {
                        work(20_000);
                        Process p = new ProcessBuilder("/bin/sh", "-c", "read x; echo $x; exit 3")
                            .redirectErrorStream(true).start();
                        p.getOutputStream().write("hello\n".getBytes());
                        p.getOutputStream().close();
                        String said;
                        try (InputStream in = p.getInputStream()) {
                            said = new String(in.readAllBytes());
                        }
                        if (p.waitFor() == 3 && said.equals("hello\n")) {
                            good.incrementAndGet();
                        }
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println("exec " + good);
    }

    /** Ends while other threads and shutdown hooks work. */
    private static void exits(int status) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook " + work(300_000))));
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> {
                while (true) {
                    work(1000);
                }
            });
            t.setDaemon(i > 0);
            t.start();
        }
        Thread t = new Thread(() -> {
            work(100_000);
            System.exit(status);
        });
        t.start();
        work(200_000);
        t.join();
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[1]);
        switch (args[0]) {
        case "overflow":
            overflow(n);
            break;
        case "exec":
            exec(n);
            break;
        case "exits":
            exits(n);
            break;
        case "work":
            System.out.println("work " + work(n));
            break;
        default:
            throw new IllegalArgumentException(args[0]);
        }
    }
}
