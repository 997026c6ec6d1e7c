// SPDX-License-Identifier: Apache-2.0

import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Copies by methods that the interpreter calls and for which compilers insert their own code: first
 * interpreted, then compiled, in one place each.
 *
 *     java Copies ROUNDS
 */
final class Copies implements Cloneable {
    static Object sink;
    final long[] padding = null;
    int value;

    Object copy() throws CloneNotSupportedException {
        return clone(); // line: object
    }

    static int[] copyArray(int[] from) {
        return from.clone(); // line: array
    }

    static String[] copyRange(String[] from) {
        return Arrays.copyOf(from, 40); // line: references
    }

    static Object make(Class<?> type) {
        return java.lang.reflect.Array.newInstance(type, 40); // line: reflection
    }

    enum Color { RED, GREEN, BLUE }

    static Object colors() {
        return Color.values(); // line: constants
    }

    static final Supplier<Object> lambda = () -> new short[40]; // line: lambda

    static void round(Copies one, int[] numbers, String[] texts) throws CloneNotSupportedException {
        sink = one.copy();
        sink = copyArray(numbers);
        sink = copyRange(texts);
        sink = make(Copies.class);
        sink = colors();
        sink = lambda.get();
    }

    public static void main(String[] args) throws CloneNotSupportedException {
        Copies one = new Copies();
        int[] numbers = new int[40];
        String[] texts = new String[20];
        for (int i = Integer.parseInt(args[0]); i > 0; i--)
            round(one, numbers, texts);
    }
}
