// SPDX-License-Identifier: Apache-2.0
import java.io.File;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that allocate, wait for a file, and allocate a little. Then it waits for another file.
 *
 *     java Waiting THREADS OBJECTS GO END
 */
public final class Waiting {
    static final class Point {
        int x, y;
    }

    static volatile Object last;

    static void early() {
        for (int i = 0; i < 40_000; i++)
            last = new int[2];
    }

    static void late(int objects) {
        for (int i = 0; i < objects; i++)
            last = new Point();
    }

    static void await(String file) throws InterruptedException {
        while (!new File(file).exists())
            Thread.sleep(50);
    }

    public static void main(String[] args) throws InterruptedException {
        int n = Integer.parseInt(args[0]), objects = Integer.parseInt(args[1]);
        CountDownLatch ready = new CountDownLatch(n), go = new CountDownLatch(1), done = new CountDownLatch(n);
        for (int i = 0; i < n; i++) {
            Thread thread = new Thread(() -> {
                early();
                ready.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                late(objects);
                done.countDown();
            });
            thread.start();
        }
        ready.await();
        System.out.println("ready");
        await(args[2]);
        go.countDown();
        done.await();
        System.out.println("done");
        await(args[3]);
    }
}
