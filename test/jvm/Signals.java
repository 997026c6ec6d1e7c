// SPDX-License-Identifier: Apache-2.0

/** Programs that use signals themselves, by their native code: see signals.c. */
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

    /** Whether SIGURG has another handler. */
    static native boolean isHandled();

    /** Installs a handler of the program. */
    static native void handle(int signal);

    /** Resets all signals except the JVM's to their default actions. */
    static native void reset();

    /**
     * Puts a file of the program under the number of each perf event, or also of each socket.
     * Returns their number.
     */
    static native int takeOver(boolean sockets);

    /** How many of these are still the program's file. */
    static native int stillThere();

    /**
     * Installs a filter, in this thread or in all, that kills the process for calls that only a
     * profiler makes.
     */
    static native boolean filter(boolean all);

    /** Ends the JVM with a fatal error. */
    static native void crash();

    /** Sends one signal to itself. Returns how often the program's handlers saw such a signal. */
    static native int send(int signal);

    /** Sends itself a SIGTRAP as of a debug exception without a cause. Returns 0 if it could. */
    static native int stray();

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

    /** Waits until a recording, if any, watches. */
    private static void awaitHandler() throws InterruptedException {
        for (int i = 0; i < 500 && !isHandled(); i++) {
            Thread.sleep(10);
        }
    }

    /** Files under the numbers of a thread's events, past the end of that thread. */
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

    /** Work of threads that are older than the filter, and of threads started under it. */
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
        case "stray":
            awaitHandler();
            boxes(100_000);
            more = " " + stray();
            break;
        case "trapped":
            awaitHandler();
            boxes(100_000);
            send(SIGTRAP);
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
