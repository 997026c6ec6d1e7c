// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Allocates in every possible way and counts: `--exact` must give the same numbers. Each site has
 * its own method. At the end it prints a line per site, `method class objects bytes`. The bytes are
 * those of a JVM with class pointers of four bytes (the default, without compact headers).
 *
 * Every object is stored where other threads could see it. Otherwise the compiler would not
 * allocate it.
 *
 *     java Counted SCALE [FILE]      begins when the file exists
 */
public final class Counted {
    static final Object[] kept = new Object[1024];
    static int stored;

    static final class Box implements Cloneable {
        long a, b;

        Box(long a) {
            this.a = a;
        }

        @Override
        public Box clone() throws CloneNotSupportedException {
            return (Box) super.clone();
        }
    }

    static final class Shared {
        int x;
    }

    static final class Reflected {
        byte x;
    }

    static final class Met {
        int x;
    }

    static final class Virtual {
        long x;
    }

    static final class Brief {
        long x, y, z;
    }

    private static void keep(Object o) {
        kept[stored++ & (kept.length - 1)] = o;
    }

    private static final StringBuilder truth = new StringBuilder();

    private static void expect(String method, String type, long objects, long bytes) {
        truth.append(method).append(' ').append(type).append(' ').append(objects).append(' ').append(bytes)
                .append('\n');
    }

    private static long padded(long bytes) {
        return (bytes + 7) & ~7L;
    }

    static void boxes(int n) {
        for (int i = 0; i < n; i++)
            keep(new Box(i));
    }

    static void clones(int n) throws CloneNotSupportedException {
        Box one = new Box(1);
        for (int i = 0; i < n - 1; i++)
            keep(one.clone());
    }

    static long lengths(int n) {
        long bytes = 0;
        for (int i = 0; i < n; i++) {
            keep(new byte[i % 300]);
            bytes += padded(16 + i % 300);
        }
        return bytes;
    }

    /** Not int[]: the VM itself makes an empty one for each class. */
    static void copies(int n) {
        float[] from = new float[10];
        keep(from);
        for (int i = 0; i < n - 1; i++)
            keep(i % 2 == 0 ? Arrays.copyOf(from, 10) : from.clone());
    }

    static void matrices(int n) {
        for (int i = 0; i < n; i++)
            keep(new char[3][5]);
    }

    /** Larger than a TLAB. */
    static void large(int n) {
        for (int i = 0; i < n; i++)
            keep(new long[1 << 17]);
        Arrays.fill(kept, null);
    }

    /** Some in a TLAB, some outside. */
    static void medium(int n) {
        for (int i = 0; i < n; i++)
            kept[i & 63] = new short[2000];
    }

    static void reflected(int n) throws ReflectiveOperationException {
        for (int i = 0; i < n; i++)
            keep(Reflected.class.getDeclaredConstructor().newInstance());
    }

    static void shared(int n) {
        Object[] own = new Object[64];
        for (int i = 0; i < n; i++)
            own[i & 63] = new Shared();
        synchronized (Counted.class) {
            keep(own);
        }
    }

    static void brief(int n) {
        Object[] own = new Object[8];
        for (int i = 0; i < n; i++)
            own[i & 7] = new Brief();
        synchronized (Counted.class) {
            keep(own);
        }
    }

    static void virtual(int n) {
        Object[] own = new Object[8];
        for (int i = 0; i < n; i++) {
            own[i & 7] = new Virtual();
            if (i % 16 == 0)
                Thread.yield(); // to another carrier
        }
        synchronized (Counted.class) {
            keep(own);
        }
    }

    /** The bits choose the calls, and so the stack. */
    private static Object descend(int bits, int depth) {
        if (depth == 0)
            return new Met();
        return (bits & 1) == 0
                ? descend(bits >> 1, depth - 1)
                : descend(bits >> 1, depth - 1);
    }

    /** Threads that have the same new stack at the same time. */
    static void meeting(int n) {
        Object[] own = new Object[8];
        for (int i = 0; i < n; i++)
            own[i & 7] = descend(i, 10);
        synchronized (Counted.class) {
            keep(own);
        }
    }

    private static void run(int threads, Runnable body) throws InterruptedException {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(body);
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all)
            thread.join();
    }

    /** False if the JVM has no virtual threads. */
    private static boolean runVirtual(int threads, Runnable body) throws ReflectiveOperationException,
            InterruptedException {
        if (Runtime.version().feature() < 21)
            return false;
        Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++)
            all.add((Thread) start.invoke(null, body));
        for (Thread thread : all)
            thread.join();
        return true;
    }

    public static void main(String[] args) throws Exception {
        int k = Integer.parseInt(args[0]);

        if (args.length > 1)
            while (!new File(args[1]).exists())
                Thread.sleep(20);
        boxes(40 * k);
        expect("boxes", "Box", 40L * k, 32L * 40 * k);
        clones(5 * k);
        expect("clones", "Box", 5L * k, 32L * 5 * k);
        expect("lengths", "byte[]", 20L * k, lengths(20 * k));
        copies(10 * k);
        expect("copies", "float[]", 10L * k, 56L * 10 * k);
        matrices(k);
        expect("matrices", "char[]", 3L * k, 32L * 3 * k);
        large(100);
        expect("large", "long[]", 100, 100 * (16 + (8L << 17)));
        medium(k);
        expect("medium", "short[]", k, 4016L * k);
        reflected(k);
        expect("reflected", "Reflected", k, 16L * k);
        run(4, () -> shared(5 * k));
        expect("shared", "Shared", 4 * 5L * k, 16L * 4 * 5 * k);
        run(8, () -> meeting(k));
        expect("meeting", "Met", 8L * k, 16L * 8 * k);
        for (int i = 0; i < 10; i++)
            run(30, () -> brief(k / 300));
        expect("brief", "Brief", 300L * (k / 300), 40L * 300 * (k / 300));
        if (runVirtual(100, () -> virtual(k / 100)))
            expect("virtual", "Virtual", 100L * (k / 100), 24L * 100 * (k / 100));
        System.out.print(truth);
    }
}
