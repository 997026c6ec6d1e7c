// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Does all at once what is hard on a profiler: short threads, constant garbage collection, classes that are
 * loaded and unloaded, exceptions, deep stacks, arrays that are copied. Each round does the same work
 * and must come to the same checksum. Arguments: for how many seconds. Prints the checksum.
 */
public final class Stress {
    static final int THREADS = 4;

    private Stress() {
    }

    /** What the unloaded classes do; this file is loaded again for it. */
    public static final class Plugin implements Supplier<Long> {
        @Override
        public Long get() {
            long sum = 0;
            for (int i = 0; i < 2000; i++) {
                sum += new StringBuilder("plugin ").append(i).toString().hashCode();
            }
            return sum;
        }
    }

    /** Implemented by proxies, each in a loader of its own. */
    public interface Greeter {
        String greet(String name);
    }

    private static long classes(int n) throws Exception {
        URL[] here = {new File(System.getProperty("java.class.path")).toURI().toURL()};
        long sum = 0;
        for (int k = 0; k < n; k++) {
            try (URLClassLoader loader = new URLClassLoader(here, null)) {
                Supplier<?> plugin = (Supplier<?>) loader.loadClass("Stress$Plugin")
                    .getDeclaredConstructor().newInstance();
                sum += (Long) plugin.get();
            }
            Greeter greeter = (Greeter) Proxy.newProxyInstance(new ClassLoader(Stress.class.getClassLoader()) {
            }, new Class<?>[] {Greeter.class}, (proxy, method, args) -> "hello " + args[0]);
            sum += greeter.greet("number " + k).hashCode();
        }
        return sum;
    }

    private static long shortThreads(int n) throws InterruptedException {
        long[] sums = new long[n];
        for (int k = 0; k < n; k += 8) {
            List<Thread> some = new ArrayList<>();
            for (int j = k; j < Math.min(n, k + 8); j++) {
                int index = j;
                Thread t = new Thread(() -> sums[index] = strings(500 + index));
                some.add(t);
                t.start();
            }
            for (Thread t : some) {
                t.join();
            }
        }
        long sum = 0;
        for (long s : sums) {
            sum = sum * 31 + s;
        }
        return sum;
    }

    private static long strings(int n) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < n; i++) {
            counts.merge("key " + i % 97, i + 1000, Integer::sum);
        }
        return counts.hashCode();
    }

    private static long exceptions(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            try {
                sum += fail(i, i % 50);
            } catch (IllegalStateException e) {
                sum += e.getStackTrace()[0].getLineNumber() > 0 ? e.getMessage().length() : 0;
            }
            try {
                sum += ((Object[]) arrays(3)[i % 3]).length;
            } catch (NullPointerException e) {
                sum += 5;
            }
        }
        return sum;
    }

    private static Object[] arrays(int n) {
        return new Object[][] {new Object[n], null, new Object[2 * n]};
    }

    private static int fail(int i, int depth) {
        if (depth > 0) {
            return fail(i, depth - 1) + 1;
        }
        throw new IllegalStateException("at " + i);
    }

    private static long copies(int n) {
        List<int[]> kept = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < n; i++) {
            int[] original = new int[64 + i % 1000];
            java.util.Arrays.fill(original, i);
            int[] copy = original.clone();
            System.arraycopy(original, 0, copy, copy.length / 2, copy.length - copy.length / 2);
            sum += java.util.Arrays.hashCode(copy);
            kept.add(copy);
            if (kept.size() > 2000) {
                kept.subList(0, 1000).clear();
            }
        }
        return sum;
    }

    /** One worker's work; the same in each round. */
    private static long work(int worker) throws Exception {
        ConcurrentHashMap<Integer, Integer> boxes = new ConcurrentHashMap<>();
        for (int i = 0; i < 50_000; i++) {
            boxes.put(i % 5000, i);
        }
        return classes(10) + 3 * shortThreads(40) + 5 * exceptions(1000) + 7 * copies(10_000 + worker)
            + boxes.values().stream().mapToLong(Integer::longValue).sum();
    }

    private static long round(ExecutorService pool) throws Exception {
        List<Callable<Long>> tasks = new ArrayList<>();
        for (int w = 0; w < THREADS; w++) {
            int worker = w;
            tasks.add(() -> work(worker));
        }
        long sum = 0;
        for (Future<Long> f : pool.invokeAll(tasks)) {
            sum = sum * 31 + f.get();
        }
        System.gc();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        ExecutorService pool = Executors.newFixedThreadPool(THREADS, work -> {
            Thread t = new Thread(work);
            t.setDaemon(true);
            return t;
        });
        long first = round(pool);
        int rounds = 1;
        while (System.nanoTime() < end) {
            long again = round(pool);
            if (again != first) {
                throw new AssertionError("round " + rounds + " gives " + again + ", not " + first);
            }
            rounds++;
        }
        System.err.println(rounds + " rounds");
        System.out.println("checksum " + Long.toHexString(first));
    }
}
