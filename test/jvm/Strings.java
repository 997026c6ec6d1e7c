// SPDX-License-Identifier: Apache-2.0

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Makes strings, and objects with an identity; it is known how many are equal. Each kind has its
 * own method.
 *
 *     java Strings ROUNDS
 */
public final class Strings {
    static volatile Object kept;

    /**
     * Three of four have the same text, each with its own array; the text contains a terminal's
     * control sequence.
     */
    static Object decoded(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** All are equal and share one array. */
    static Object copied() {
        return new String("of the constant pool");
    }

    static Object distinct(long i) {
        return Long.toString(i);
    }

    static Object hashed() {
        Object o = new StringBuilder(8);
        o.hashCode();
        return o;
    }

    public static void main(String[] args) {
        long rounds = Long.parseLong(args[0]);
        Random random = new Random(1);
        byte[] hot = "secret\33[2J".getBytes(StandardCharsets.ISO_8859_1);
        for (long i = 0; i < rounds; i++) {
            kept = decoded(random.nextInt(4) > 0 ? hot : Long.toHexString(random.nextLong()).getBytes());
            kept = copied();
            kept = distinct(i);
            kept = hashed();
        }
    }
}
