// SPDX-License-Identifier: Apache-2.0

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Many threads that live at the same time and make objects. The argument is their number. */
public final class Crowd {
    static final int BOXES = 1000;

    private Crowd() {
    }

    static final class Box {
        final long value;

        Box(long value) {
            this.value = value;
        }
    }

    /** The work of one thread. No thread ends before all have made their boxes. */
    private static void member(CountDownLatch begun, CountDownLatch made, AtomicLong sum) {
        Box[] kept = new Box[64];
        long mine = 0;
        begun.countDown();
        await(begun);
        for (int i = 0; i < BOXES; i++) {
            kept[i & 63] = new Box(i);
            mine += kept[i & (i >> 1) & 63].value;
        }
        sum.addAndGet(mine);
        made.countDown();
        await(made);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = Integer.parseInt(args[0]);
        CountDownLatch begun = new CountDownLatch(n);
        CountDownLatch made = new CountDownLatch(n);
        AtomicLong sum = new AtomicLong();
        Thread[] threads = new Thread[n];
        for (int k = 0; k < n; k++) {
            threads[k] = new Thread(null, () -> member(begun, made, sum), "member " + k, 256 << 10);
            threads[k].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println("crowd " + sum.get());
    }
}
