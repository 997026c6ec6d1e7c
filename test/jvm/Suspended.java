// SPDX-License-Identifier: Apache-2.0

import java.lang.reflect.Array;
import java.util.Random;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Suspends one of several threads at random moments, as a debugger does, and checks that the others
 * go on. All threads copy arrays of ever new classes, the same classes at about the same time. The
 * classes are made, and all code has run, before that: a thread that is suspended while it makes a
 * class, or links what a method refers to, stops the others by itself. The native half is jvmti.c.
 */
public final class Suspended {
    private static final int THREADS = 5;
    private static final int CLASSES = 8_000;
    private static final int DIMENSIONS = 200; // an array type has at most 255
    private static final int STEP = 10; // classes per suspension
    private static final int WARM_UP = 1_000; // classes before the first suspension
    private static final int COPIES = 4;
    private static final long PATIENCE_MS = 300_000;
    private static final Object[][] arrays = new Object[CLASSES][];
    private static final AtomicIntegerArray done = new AtomicIntegerArray(THREADS);
    private static volatile int limit;
    static volatile Object kept;

    private Suspended() {
    }

    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass(null, code, 0, code.length);
        }
    }

    static final class Box {
    }

    private static native void suspend(Thread thread);

    private static native void resume(Thread thread);

    private static void makeClasses() throws Exception {
        byte[] code;
        try (var in = Suspended.class.getResourceAsStream("Suspended$Box.class")) {
            code = in.readAllBytes();
        }
        Class<?> type = null;
        for (int i = 0; i < CLASSES; i++) {
            type = i % DIMENSIONS == 0 ? new Loader().define(code) : arrays[i - 1].getClass();
            arrays[i] = (Object[]) Array.newInstance(type, 0);
        }
    }

    private static void work(int number) {
        for (int i = 0; i < CLASSES; i++) {
            while (i >= limit) {
                LockSupport.parkNanos(50_000);
            }
            for (int k = 0; k < COPIES; k++) {
                kept = arrays[i].clone();
            }
            done.set(number, i + 1);
        }
    }

    /** Waits until all threads, or all but one, have reached their limit. */
    private static boolean goOn(int but) {
        long end = System.currentTimeMillis() + PATIENCE_MS;
        for (int i = 0; i < THREADS; i++) {
            while (i != but && done.get(i) < limit) {
                if (System.currentTimeMillis() > end) {
                    return false;
                }
                LockSupport.parkNanos(20_000);
            }
        }
        return true;
    }

    public static void main(String[] args) throws Exception {
        System.load(args[0]);
        makeClasses();
        done.set(0, 0); // the first call takes JDK locks: no thread is suspended with these
        goOn(-1);
        LockSupport.parkNanos(1);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> work(number));
            threads[i].setDaemon(true);
            threads[i].start();
        }
        Random random = new Random(1);
        limit = WARM_UP;
        boolean going = goOn(-1);
        while (going && limit + STEP < CLASSES) {
            int chosen = random.nextInt(THREADS);
            long start = System.nanoTime(), wait = random.nextInt(300_000);
            limit += STEP;
            while (System.nanoTime() - start < wait) {
                Thread.onSpinWait();
            }
            suspend(threads[chosen]);
            going = goOn(chosen);
            resume(threads[chosen]);
            going = going && goOn(-1);
        }
        System.out.println("suspended " + going);
    }
}
