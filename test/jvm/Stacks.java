// SPDX-License-Identifier: Apache-2.0

import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Allocates on stacks of all kinds: deep and shallow; through interfaces, lambdas, reflection,
 * native code and class initialisation; in synchronized methods; while exceptions are thrown and
 * classes are unloaded; on several threads and, if available, on virtual threads. Argument: rounds
 * of each thread.
 */
public final class Stacks {
    static volatile Object sink;

    /** Is loaded again and again. The VM calls its initialiser, which makes objects. */
    public static final class Payload implements IntFunction<Object> {
        static final Object first = new int[9];

        public Object apply(int depth) {
            return depth == 0 ? new Payload() : twice(depth);
        }

        private Object twice(int depth) {
            apply(depth - 1);
            return new long[] {depth, apply(depth - 1).hashCode()};
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass("Stacks$Payload", code, 0, code.length);
        }
    }

    static Object deep(int n, int kind) {
        if (n == 0) {
            return switchOn(kind);
        }
        return (n & 1) == 0 ? deep(n - 1, kind) : deeper(n - 1, kind);
    }

    static Object deeper(int n, int kind) {
        Object made = deep(n, kind);
        return n % 16 == 0 ? new Object[] {made} : made;
    }

    static Object switchOn(int kind) {
        switch (kind % 6) {
            case 0: return new StringBuilder().append(kind).append(" times").toString();
            case 1: return Arrays.asList(kind, kind + 1000, new int[3]);
            case 2: return IntStream.range(0, 5).mapToObj(i -> "x" + i).collect(Collectors.toList());
            case 3: return locked(kind);
            case 4: return new byte[16].clone();
            default: return Integer.valueOf(kind + 100000);
        }
    }

    static synchronized Object locked(int kind) {
        return new int[] {kind};
    }

    static void thrown(int n) {
        try {
            failing(n);
        } catch (IllegalStateException e) {
            sink = new Object[] {e};
        }
    }

    static void failing(int n) {
        if (n == 0) {
            throw new IllegalStateException("at the bottom");
        }
        try {
            failing(n - 1);
        } finally {
            sink = new char[n];
        }
    }

    static void overflow(int n) {
        sink = n % 64 == 0 ? new int[2] : sink;
        overflow(n + 1);
    }

    public static Object reflected(Integer n) {
        return new Object[] {n, deep(n % 20, n)};
    }

    /**
     * Sorting calls back from the library. The finaliser's and other threads have their own stacks.
     */
    static void sorted(int n) {
        Integer[] all = new Integer[20];
        Arrays.setAll(all, i -> (i * 7919 + n) % 1009);
        Arrays.sort(all, new Comparator<Integer>() {
            @Override
            public int compare(Integer a, Integer b) {
                sink = new int[] {a, b};
                return Integer.compare(a, b);
            }
        });
    }

    static void round(int i, Method reflected, byte[] code) throws Exception {
        sink = deep(i % 97, i);
        sink = reflected.invoke(null, i);
        sink = AccessController.doPrivileged((PrivilegedAction<Object>) () -> deep(i % 7, i));
        thrown(i % 30);
        sorted(i);
        if (i % 50 == 0) {
            sink = ((IntFunction<?>) new Loader().define(code).getConstructor().newInstance()).apply(i / 50 % 6);
        }
        if (i % 400 == 0) {
            sink = deep(1500, i);
        }
        if (i % 2000 == 100) {
            try {
                overflow(0);
            } catch (StackOverflowError e) {
                sink = e;
            }
        }
        if (i % 1000 == 0) {
            System.gc();
        }
    }

    static void rounds(int n, byte[] code) {
        try {
            Method reflected = Stacks.class.getMethod("reflected", Integer.class);
            for (int i = 0; i < n; i++) {
                round(i, reflected, code);
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** A virtual thread; null if this JVM has none. */
    static Thread virtual(Runnable work) throws Exception {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        } catch (NoSuchMethodException | java.lang.reflect.InvocationTargetException e) {
            return null;
        }
    }

    /** Waits in between, so that its frames move to the heap and back. */
    static void onVirtual(int n, CountDownLatch over) {
        try {
            for (int i = 0; i < n; i++) {
                sink = deep(i % 60, i);
                if (i % 100 == 0) {
                    Thread.sleep(1);
                }
                sink = paused(i % 40, i);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            over.countDown();
        }
    }

    static Object paused(int n, int kind) throws InterruptedException {
        if (n == 0) {
            if (kind % 200 == 0) {
                Thread.sleep(1);
            }
            return switchOn(kind);
        }
        Object made = paused(n - 1, kind);
        return n % 8 == 0 ? new Object[] {made} : made;
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        byte[] code;
        try (var in = Stacks.class.getResourceAsStream("Stacks$Payload.class")) {
            code = in.readAllBytes();
        }
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> rounds(n, code));
            threads[i].start();
        }
        CountDownLatch over = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            if (virtual(() -> onVirtual(n, over)) == null) {
                over.countDown();
            }
        }
        for (Thread t : threads) {
            t.join();
        }
        over.await();
        System.out.println("over");
    }
}
