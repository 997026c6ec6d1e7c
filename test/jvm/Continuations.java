// SPDX-License-Identifier: Apache-2.0

import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/**
 * Makes objects in continuations on platform threads, one within another, and between them. They
 * yield from deep stacks, so that some frames lie in the heap. Argument: rounds. Needs --add-exports
 * java.base/jdk.internal.vm=ALL-UNNAMED.
 */
public final class Continuations {
    static final ContinuationScope OUTER = new ContinuationScope("outer");
    static final ContinuationScope INNER = new ContinuationScope("inner");
    static volatile Object sink;

    static int deep(int depth, ContinuationScope scope) {
        sink = new int[] {depth};
        if (depth == 0) {
            Continuation.yield(scope);
            return 0;
        }
        int r = deep(depth - 1, scope) + 1;
        sink = new String("x" + depth);
        return r;
    }

    static void body() {
        for (int i = 0; i < 50; i++) {
            if (deep(i, OUTER) != i) {
                throw new AssertionError();
            }
            Continuation inner = new Continuation(INNER, () -> {
                deep(10, INNER);
                deep(5, INNER);
            });
            while (!inner.isDone()) {
                inner.run();
            }
        }
    }

    static void round() {
        Continuation c = new Continuation(OUTER, Continuations::body);
        while (!c.isDone()) {
            c.run();
            sink = new byte[100];
        }
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[2];
        for (int k = 0; k < threads.length; k++) {
            threads[k] = new Thread(() -> {
                for (int i = Integer.parseInt(args[0]); i > 0; i--) {
                    round();
                }
            });
            threads[k].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println("over");
    }
}
