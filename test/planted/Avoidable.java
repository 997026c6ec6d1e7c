// SPDX-License-Identifier: Apache-2.0

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Methods that allocate what a fix avoids, each with its fix beside it, and methods that look like one of them and are not. The
 * JVM counts what both make while the program runs, so whatever the compiler eliminates is in the truth.
 *
 *     java Avoidable ROUNDS [KIND...]
 *
 * It prints a line for each method: its name, what a report may say of it (certain, likely, possible; none, seen, restored:
 * nothing is avoidable), the rules that fit, the bytes that it made, those that the fix avoids, and by how much both may be less where only
 * what each call makes is counted: the first call also loads classes.
 */
final class Avoidable {
    /** Objects that are alive at the same time. */
    static final Object[] BATCH = new Object[1024];
    static volatile Object sink;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long SELF = Thread.currentThread().getId();
    private static int random = 1;
    private static int texts;

    /** Does its work so many times. */
    interface Body {
        long run(int times);
    }

    /** A method, and the same work done without what can be avoided; null if nothing can. */
    static final class Case {
        final String method;
        final String kind;
        final String rules;
        private final int times;
        private final Body before;
        private final Body after;
        private long made;
        private long fixed;
        private long slack;
        private long sum;

        Case(String method, String kind, String rules, int times, Body before, Body after) {
            this.method = method;
            this.kind = kind;
            this.rules = rules;
            this.times = times;
            this.before = before;
            this.after = after;
        }

        void round(int number) {
            long start = THREADS.getThreadAllocatedBytes(SELF);
            sum += before.run(times);
            long middle = THREADS.getThreadAllocatedBytes(SELF);
            sum += after == null ? 0 : after.run(times);
            long end = THREADS.getThreadAllocatedBytes(SELF);
            made += middle - start - COUNTING;
            fixed += end - middle - COUNTING;
            if (number == 0)
                slack = end - start;
            else if (number == 1)
                slack = Math.max(0, slack - (end - start));
        }

        @Override
        public String toString() {
            long avoidable = after == null ? 0 : made - fixed;
            return String.join(" ", method, kind, rules, Long.toString(made), Long.toString(avoidable), Long.toString(slack));
        }
    }

    /** What asking for the count allocates. */
    private static final long COUNTING = counting();

    private static long counting() {
        long least = Long.MAX_VALUE;
        for (int k = 0; k < 100; k++) {
            long before = THREADS.getThreadAllocatedBytes(SELF);
            least = Math.min(least, THREADS.getThreadAllocatedBytes(SELF) - before);
        }
        return least;
    }

    /** The same numbers in each run. */
    static int next() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return random >>> 1;
    }

    static int next(int bound) {
        return next() % bound;
    }

    /** A text that no other call returns. */
    static String newText() {
        return Integer.toString(1_000_000_000 + ++texts);
    }

    public static void main(String[] args) {
        List<String> kinds = List.of(args).subList(1, args.length);
        List<Case> cases = new ArrayList<>();
        cases.addAll(AvoidableCalls.cases());
        cases.addAll(AvoidableEqual.cases());
        cases.addAll(AvoidableFilled.cases());
        cases.addAll(AvoidableNot.cases());
        cases.addAll(AvoidableNotCalls.cases());
        cases.addAll(AvoidableNotEqual.cases());
        cases.removeIf(c -> !kinds.isEmpty() && !kinds.contains(c.kind));
        for (int number = 0; number < Integer.parseInt(args[0]); number++)
            for (Case c : cases)
                c.round(number);
        long sum = 0;
        for (Case c : cases) {
            System.out.println(c);
            sum = 31 * sum + c.sum;
        }
        System.out.println("Avoidable " + Long.toHexString(sum));
    }
}
