// SPDX-License-Identifier: Apache-2.0

/** Programs that have plans of their own for signals, made by their native code: see signals.c. */
public final class Signals {
    private static final int SIGTRAP = 5;
    private static final int SIGURG = 23;
    static volatile Box last;

    private Signals() {
    }

    static final class Box {
        volatile int first;
        volatile int second;

        Box(int value) {
            first = value;
            second = value;
        }
    }

    /** Blocks nearly all signals for the calling thread. */
    static native void block();

    /** Whether anybody else has a handler for SIGURG. */
    static native boolean isHandled();

    /** Installs a handler of our own. */
    static native void handle(int signal);

    /** Resets all signals that are not the JVM's to what they do by default. */
    static native void reset();

    /** Has a file of ours under the number of each perf event, or as well each socket; how many there are. */
    static native int takeOver(boolean sockets);

    /** How many of these are our file still. */
    static native int stillThere();

    /**
     * Has a filter kill the process for calls that only a profiler makes, in this thread or in all.
     */
    static native boolean filter(boolean all);

    /** Ends the JVM by a fatal error. */
    static native void crash();

    /** Sends one signal to ourselves; how often our handlers saw one that was sent so. */
    static native int send(int signal);

    private static long boxes(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            Box box = new Box(i & 3);
            last = box;
            for (int k = 0; k < 200; k++) {
                sum += box.first + box.second;
            }
        }
        return sum;
    }

    /** Until a recording, if there is one, watches. */
    private static void awaitHandler() throws InterruptedException {
        for (int i = 0; i < 500 && !isHandled(); i++) {
            Thread.sleep(10);
        }
    }

    /** Files under numbers that a thread's events had, beyond the end of that thread. */
    private static String descriptors(boolean sockets) throws InterruptedException {
        int[] n = new int[1];
        long[] sum = new long[1];
        Thread thread = new Thread(() -> {
            sum[0] = boxes(100_000);
            n[0] = takeOver(sockets);
            sum[0] += boxes(200_000);
        });
        thread.start();
        thread.join();
        System.err.println("events " + n[0]);
        return sum[0] + " " + (n[0] == stillThere());
    }

    /** Work of threads that were there before the filter, and of such as are made under it. */
    private static String filtered(boolean all) throws InterruptedException {
        Thread[] threads = new Thread[4];
        long[] sum = new long[threads.length];
        boolean filtered = false;
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> sum[number] = boxes(200_000));
            if (i == 2) {
                boxes(50_000);
                filtered = filter(all);
            }
            threads[i].start();
        }
        long own = boxes(100_000);
        System.gc();
        own += boxes(100_000);
        for (int i = 0; i < threads.length; i++) {
            threads[i].join();
            own += sum[i];
        }
        System.gc();
        return filtered + " " + own;
    }

    public static void main(String[] args) throws InterruptedException {
        System.load(args[1]);
        String more = "";
        switch (args[0]) {
        case "open":
            awaitHandler();
            break;
        case "crash":
            break;
        case "collect":
            boxes(100_000);
            System.gc();
            break;
        case "blocked":
            block();
            break;
        case "trap":
            handle(SIGTRAP);
            more = " " + send(SIGTRAP);
            awaitHandler();
            break;
        case "urgent":
            awaitHandler();
            boxes(100_000);
            handle(SIGURG);
            more = " " + send(SIGURG);
            break;
        case "before":
            awaitHandler();
            more = " " + send(SIGURG);
            break;
        case "descriptors":
        case "everything":
            awaitHandler();
            boxes(300_000); // something to record before the descriptors are gone
            System.out.println(args[0] + " " + descriptors(args[0].equals("everything")));
            return;
        case "filter-one":
        case "filter-all":
            awaitHandler();
            System.out.println("filter " + filtered(args[0].equals("filter-all")));
            return;
        case "reset":
            awaitHandler();
            boxes(100_000);
            reset();
            break;
        default:
            throw new IllegalArgumentException(args[0]);
        }
        long sum = boxes(300_000);
        if (args[0].equals("crash")) {
            crash();
        }
        System.out.println(args[0] + " " + sum + more);
    }
}
