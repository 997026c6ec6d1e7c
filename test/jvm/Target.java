// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The program of t_jvm.sh. The first argument chooses an action, the second is its number. */
public final class Target {
    static volatile Object[] escaped = new Object[256];

    private Target() {
    }

    /** A class of its own, so that a report can be searched for it. */
    static final class Box {
        final long value;

        Box(long value) {
            this.value = value;
        }
    }

    static final class Early {
        int value = 1;
    }

    static final class Late {
        int value = 2;
    }

    /** Makes and uses n boxes. */
    public static long boxes(long n) {
        long sum = 0;
        Object[] kept = escaped;
        for (long i = 0; i < n; i++) {
            kept[(int) i & 255] = new Box(i & 7);
            sum += ((Box) kept[(int) (i * 7) & 255 & (int) i]).value;
        }
        return sum;
    }

    static void threads(int n) throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        for (int k = 0; k < n; k += 20) {
            List<Thread> some = new ArrayList<>();
            for (int j = 0; j < 20; j++) {
                some.add(new Thread(() -> sum.addAndGet(localBoxes(2000))));
            }
            some.forEach(Thread::start);
            for (Thread t : some) {
                t.join();
            }
        }
        System.out.println("threads " + sum.get());
    }

    private static long localBoxes(int n) {
        Box[] kept = new Box[16];
        long sum = 0;
        for (int i = 0; i < n; i++) {
            kept[i & 15] = new Box(i);
            sum += kept[i & (i >> 1) & 15].value;
        }
        escaped[0] = kept;
        return sum;
    }

    /** Loads this class again and again, uses it and drops it. */
    static void unload(int n) throws Exception {
        URL[] here = {new File(System.getProperty("java.class.path")).toURI().toURL()};
        long sum = 0;
        for (int k = 0; k < n; k++) {
            try (URLClassLoader loader = new URLClassLoader(here, null)) {
                sum += (Long) loader.loadClass("Target").getDeclaredMethod("boxes", long.class)
                    .invoke(null, 5000L);
            }
            if (k % 50 == 0) {
                System.gc();
            }
        }
        System.out.println("unload " + sum);
    }

    /** Starts this program in another JVM. */
    static void child() throws Exception {
        boxes(2_000_000);
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
            System.getProperty("java.class.path"), "Target", "boxes", "3000000").inheritIO().start();
        System.out.println("child ended with " + process.waitFor());
    }

    /** Early objects at once, late ones once the file exists, others in between. */
    static void delayed(File go) throws InterruptedException {
        for (int i = 0; i < 300_000; i++) {
            escaped[i & 255] = new Early();
        }
        System.out.println("ready");
        for (int i = 0; !go.exists(); i++) {
            escaped[i & 255] = new byte[4000];
            Thread.sleep(5);
        }
        for (int i = 0; i < 3_000_000; i++) {
            escaped[i & 255] = new Late();
        }
        System.out.println("delayed");
    }

    static void virtual(int n) throws Exception {
        // By reflection: this file is compiled for JDK 11.
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        AtomicLong sum = new AtomicLong();
        List<Thread> all = new ArrayList<>();
        for (int k = 0; k < n; k++) {
            Runnable work = () -> {
                for (int round = 0; round < 10; round++) {
                    sum.addAndGet(localBoxes(500));
                    Thread.yield();
                }
            };
            all.add((Thread) Class.forName("java.lang.Thread$Builder").getMethod("start", Runnable.class)
                .invoke(builder, work));
        }
        for (Thread t : all) {
            t.join();
        }
        System.out.println("virtual " + sum.get());
    }

    private static void boxesUntil(File end) {
        System.out.println("ready");
        while (!end.exists()) {
            boxes(100_000);
        }
        System.out.println("done");
    }

    private static void memory() {
        List<long[]> all = new ArrayList<>();
        while (true) {
            all.add(new long[1000]);
        }
    }

    public static void main(String[] args) throws Exception {
        int n = args.length > 1 && args[1].matches("[0-9]+") ? Integer.parseInt(args[1]) : 0;
        switch (args[0]) {
        case "boxes":
            System.out.println("boxes " + boxes(n));
            break;
        case "exit":
            boxes(2_000_000);
            System.exit(n);
            break;
        case "halt":
            boxes(2_000_000);
            Runtime.getRuntime().halt(n);
            break;
        case "throw":
            boxes(2_000_000);
            throw new IllegalStateException("on purpose");
        case "run":
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            boxesUntil(new File(args[1]));
            break;
        case "threads":
            threads(n);
            break;
        case "unload":
            unload(n);
            break;
        case "child":
            child();
            break;
        case "delayed":
            delayed(new File(args[1]));
            break;
        case "virtual":
            virtual(n);
            break;
        case "memory":
            memory();
            break;
        case "property":
            boxes(2_000_000);
            System.out.println("property " + System.getProperty("x"));
            break;
        case "cat":
            System.out.println("read " + new BufferedReader(new InputStreamReader(System.in)).readLine());
            break;
        default:
            throw new IllegalArgumentException(args[0]);
        }
    }
}
