// SPDX-License-Identifier: Apache-2.0

/** Programs that have plans of their own for SIGTRAP, made by their native code: see signals.c. */
public final class Signals {
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

    /** Blocks SIGTRAP and most other signals for the calling thread. */
    static native void block();

    /** Whether anybody has a handler for SIGTRAP. */
    static native boolean isHandled();

    /** Installs a handler of our own for SIGTRAP. */
    static native void handle();

    /** Ends the JVM by a fatal error. */
    static native void crash();

    /** Sends one SIGTRAP to ourselves; how often our handler saw one that was sent so. */
    static native int send();

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

    public static void main(String[] args) throws InterruptedException {
        System.load(args[1]);
        switch (args[0]) {
        case "open":
            awaitHandler();
            break;
        case "crash":
            break;
        case "blocked":
            block();
            break;
        case "handler":
            awaitHandler();
            boxes(100_000);
            handle();
            break;
        default:
            throw new IllegalArgumentException(args[0]);
        }
        long sum = boxes(300_000);
        if (args[0].equals("crash")) {
            crash();
        }
        System.out.println(args[0] + " " + sum + (args[0].equals("handler") ? " " + send() : ""));
    }
}
