// SPDX-License-Identifier: Apache-2.0

import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/**
 * A method whose class is redefined while it runs. Its frame stays on the stack, in a version that
 * no class has any more, and goes on making and using objects. A Java agent and its program in one.
 */
public final class Redefined {
    static final int OLD = 0x01234567;
    static final int NEW = 0x07654321;

    static Instrumentation instrumentation;

    private Redefined() {
    }

    static final class Box {
        int first;
        int second;

        Box(int value) {
            first = value;
            second = value;
        }
    }

    /** The state that both threads share. */
    static volatile boolean stop;
    static volatile Box slot = new Box(0);

    /** The class to redefine. It makes no objects, so its methods have no ids yet. */
    static final class Loop {
        static volatile long rounds;
        static long sum;

        private Loop() {
        }

        static int version() {
            return 0x01234567;
        }

        static void run() {
            long total = 0;
            for (long i = 0; !stop; i++) {
                Box box = slot;
                total += box.first;
                total += box.second ^ 0x01234567;
                if (i % 1000 == 0) {
                    rounds = i;
                }
            }
            sum = total;
        }
    }

    private static void produce() {
        for (int i = 0; !stop; i++) {
            slot = new Box(i & 7);
            for (int k = 0; k < 1000; k++) {
                Thread.onSpinWait();
            }
        }
    }

    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
    }

    /** The class file with the constant replaced. */
    private static byte[] newVersion() throws Exception {
        byte[] code;
        try (InputStream in = Redefined.class.getResourceAsStream("Redefined$Loop.class")) {
            code = in.readAllBytes();
        }
        int found = 0;
        for (int i = 0; i + 4 <= code.length; i++) {
            if (word(code, i) == OLD) {
                found++;
                for (int k = 0; k < 4; k++) {
                    code[i + k] = (byte) (NEW >>> (24 - 8 * k));
                }
            }
        }
        if (found == 0) {
            throw new IllegalStateException("the constant is not in the class file");
        }
        return code;
    }

    private static int word(byte[] bytes, int i) {
        return bytes[i] << 24 | (bytes[i + 1] & 255) << 16 | (bytes[i + 2] & 255) << 8
            | bytes[i + 3] & 255;
    }

    /** Milliseconds that both work before and after the redefinition. */
    public static void main(String[] args) throws Exception {
        long each = Long.parseLong(args[0]);
        Thread[] threads = {new Thread(Redefined::produce), new Thread(Loop::run)};
        for (Thread t : threads) {
            t.start();
        }
        Thread.sleep(each);
        instrumentation.redefineClasses(new ClassDefinition(Loop.class, newVersion()));
        long before = Loop.rounds;
        Thread.sleep(each);
        stop = true;
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(Loop.version() == NEW && Loop.rounds > before ? "redefined" : "not redefined");
    }
}
