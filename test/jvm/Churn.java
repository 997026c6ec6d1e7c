// SPDX-License-Identifier: Apache-2.0

import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;
import javax.management.ObjectName;

/**
 * Defines classes of eight methods, each with a loader of its own, makes objects in their methods,
 * and drops them. Arguments: classes, and any second one to have the VM's native memory printed,
 * which needs -XX:NativeMemoryTracking=summary.
 */
public final class Churn {
    public static volatile Object sink;

    public static final class Payload implements LongUnaryOperator {
        private long[] kept = new long[4];

        public long applyAsLong(long x) {
            return a(x) + b(x) + c(x) + d(x);
        }

        long a(long x) {
            sink = kept;
            return kept[(int) (x & 3)] = x;
        }

        long b(long x) {
            kept = new long[(int) (4 + (x & 3))];
            return x;
        }

        long c(long x) {
            return e(x) + kept.length;
        }

        long d(long x) {
            return x ^ kept[0];
        }

        long e(long x) {
            sink = new Object[] {this, kept};
            return x;
        }

        long unused(long x) {
            return x;
        }
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass("Churn$Payload", code, 0, code.length);
        }
    }

    static long round(byte[] code, long n) throws Exception {
        var op = (LongUnaryOperator) new Loader().define(code).getConstructor().newInstance();
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += op.applyAsLong(n + i);
        }
        return sum;
    }

    /** The VM's native memory in KiB, without what JIT compilers, collectors and threads take. */
    static long memory() throws Exception {
        System.gc();
        String text = (String) ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"), "vmNativeMemory",
            new Object[] {new String[] {"summary"}}, new String[] {String[].class.getName()});
        long sum = 0;
        for (String line : text.split("\n")) {
            String row = line.trim();
            if (row.matches("- *(Class|Internal|Other|Symbol|Metaspace|Module|Serviceability|"
                    + "Native Memory Tracking|Object Monitors) \\(.*")) {
                sum += Long.parseLong(row.replaceAll(".*committed=(\\d+)KB.*", "$1"));
            }
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        int classes = Integer.parseInt(args[0]);
        boolean tells = args.length > 1;
        byte[] code;
        try (var in = Churn.class.getResourceAsStream("Churn$Payload.class")) {
            code = in.readAllBytes();
        }
        long sum = 0;
        for (int i = 0; i < classes; i++) {
            sum += round(code, i);
            if (tells && i % 10000 == 9999) {
                System.out.println("memory " + (i + 1) + " " + memory());
            }
        }
        System.out.println("churn " + sum);
    }
}
