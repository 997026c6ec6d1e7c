// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Many threads that live at the same time, make objects, and then are idle. Arguments: the number
 * of threads, a file to make when they are idle, a file to wait for then, and a library (if given,
 * it locks the memory first). No thread begins while there is a file IDLE.hold beside the first.
 */
public final class Memory {
    static final int BOXES = Integer.getInteger("boxes", 20_000);

    private Memory() {
    }

    /** Locks all present and future memory of the process. Returns 0 or errno. */
    static native int lockAll();

    static final class Box {
        final long value;

        Box(long value) {
            this.value = value;
        }
    }

    private static long make(int n) {
        Box[] kept = new Box[64];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            kept[i & 63] = new Box(i);
            sum += kept[i & (i >> 1) & 63].value & 7;
        }
        return sum;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        CountDownLatch made = new CountDownLatch(n);
        CountDownLatch end = new CountDownLatch(1);
        AtomicLong sum = new AtomicLong();
        String locked = "";
        if (args.length > 3) {
            System.load(args[3]);
            locked = " " + lockAll();
        }
        while (Files.exists(Path.of(args[1] + ".hold"))) {
            Thread.sleep(20);
        }
        for (int k = 0; k < n; k++) {
            new Thread(null, () -> {
                sum.addAndGet(make(BOXES));
                made.countDown();
                await(end);
            }, "member " + k, 256 << 10).start();
        }
        made.await();
        Files.createFile(Path.of(args[1]));
        while (!Files.exists(Path.of(args[2]))) {
            Thread.sleep(20);
        }
        end.countDown();
        System.out.println("memory " + sum.get() + locked);
    }
}
