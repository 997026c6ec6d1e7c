// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Works in a few threads, with rests, until the file that the argument names exists, then in as many new
 * threads.
 */
public final class Left {
    private Left() {
    }

    private static List<Thread> start(String until) {
        List<Thread> threads = new ArrayList<>();
        File file = new File(until);
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> {
                do {
                    Rough.work(50_000);
                    rest();
                } while (!file.exists());
            });
            t.start();
            threads.add(t);
        }
        return threads;
    }

    /** Tests that wait do not need all processors meanwhile. */
    private static void rest() {
        try {
            Thread.sleep(4);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        for (int round = 0; round < 2; round++) {
            for (Thread t : start(args[0])) {
                t.join();
            }
        }
        System.out.println("left");
    }
}
