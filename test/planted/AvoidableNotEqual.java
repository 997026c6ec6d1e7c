// SPDX-License-Identifier: Apache-2.0

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/** Objects of which no two are equal, or that change between two moments at which they are: none can stand for another. */
final class AvoidableNotEqual {
    private static final int[] SIXTEEN = new int[16];
    private static int serial;

    static List<Avoidable.Case> cases() {
        return List.of(
            at("distinctLambda", "lambda,lambda-some", 1000, AvoidableNotEqual::distinctLambda),
            at("distinctBoxes", "boxing", 1000, AvoidableNotEqual::distinctBoxes),
            at("distinctReals", "boxing-real", 1000, AvoidableNotEqual::distinctReals),
            at("distinctBig", "big-number", 250, AvoidableNotEqual::distinctBig),
            at("distinctOptional", "optional", 500, AvoidableNotEqual::distinctOptional),
            at("distinctView", "view", 250, AvoidableNotEqual::distinctView),
            at("distinctText", "text", 320, AvoidableNotEqual::distinctText),
            at("distinctCut", "text-cut", 320, AvoidableNotEqual::distinctCut),
            at("distinctEntry", "entry", 64, AvoidableNotEqual::distinctEntry),
            at("changedInterfaces", "reflection", 300, AvoidableNotEqual::changedInterfaces),
            at("distinctPair", "few-values,equal-some", 500, AvoidableNotEqual::distinctPair),
            restored("changedPair", "same,alike-at-end", 500, AvoidableNotEqual::changedPair),
            restored("clearedPair", "alike-empty", 500, AvoidableNotEqual::clearedPair),
            at("distinctSlice", "same-target", 500, AvoidableNotEqual::distinctSlice),
            at("distinctFunction", "lambda,lambda-some", 1000, AvoidableNotEqual::distinctFunction),
            at("builtText", "builder,text", 160, AvoidableNotEqual::builtText),
            restored("restoredPair", "same,alike-in-use,unproven,alike-some,changing-some", 500, AvoidableNotEqual::restoredPair),
            at("changedCopy", "copy", 200, AvoidableNotEqual::changedCopy),
            at("distinctArray", "constant-array,repeated-array,some-arrays", 330, AvoidableNotEqual::distinctArray),
            at("distinctBuilder", "builder,builder-filled", 150, AvoidableNotEqual::distinctBuilder),
            at("grow", "growth,growth-some,growth-filled", 100, AvoidableNotEqual::distinctGrowth),
            at("distinctCopy", "copied-array", 200, AvoidableNotEqual::distinctCopy),
            at("distinctDate", "same-result,few-results,some-results", 500, AvoidableNotEqual::distinctDate),
            at("matrix", "fields,fields-in-use", 200, AvoidableNotEqual::matrix),
            new Avoidable.Case("AvoidableNotEqual$Shape.<init>", "none", "part,part-some", 300, AvoidableNotEqual::distinctPart, null),
            new Avoidable.Case("AvoidableNotEqual$Id.box-impl", "none", "value-class", 500, AvoidableNotEqual::distinctValue, null));
    }

    /** As a value class of Kotlin, whose compiler calls the method box-impl (planted.py). */
    static final class Id {
        private final int value;

        private Id(int value) {
            this.value = value;
        }

        static Id box_impl(int value) {
            return new Id(value);
        }

        @Override
        public int hashCode() {
            return value;
        }
    }

    private static final Class<?>[] KINDS = {Object.class, String.class, Integer.class, Long.class, Short.class, Byte.class, Double.class,
        Float.class, Character.class, Boolean.class, Number.class, Math.class, System.class, Thread.class, Runnable.class, Iterable.class};

    /* Each is filled with other classes. */
    static long changedInterfaces(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = java.util.ArrayList.class.getInterfaces();
        for (int k = 0; k < times; k++) {
            Class<?>[] types = (Class<?>[]) Avoidable.BATCH[k];
            for (int i = 0; i < types.length; i++)
                types[i] = KINDS[Avoidable.next(KINDS.length)];
            sum += types[1] == Object.class ? 1 : 0;
        }
        return sum;
    }

    /** Has a part of its own, which no other has. */
    static final class Shape {
        final AvoidableNot.Pair size;

        Shape(int width, int height) {
            size = new AvoidableNot.Pair(width, height);
        }
    }

    private static Avoidable.Case at(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNotEqual." + method, "none", rule, times, body, null);
    }

    /* Others for a time: what is alike at the first use and in the end does not tell. */
    private static Avoidable.Case restored(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNotEqual." + method, "restored", rule, times, body, null);
    }

    private static long hashes(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += Avoidable.BATCH[k].hashCode();
        return sum;
    }

    static long distinctLambda(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            int value = ++serial;
            Avoidable.BATCH[k] = (IntSupplier) () -> value;
        }
        for (int k = 0; k < times; k++)
            sum += ((IntSupplier) Avoidable.BATCH[k]).getAsInt();
        return sum;
    }

    static long distinctBoxes(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = 1000 + ++serial;
        return hashes(times);
    }

    static long distinctReals(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = 0.25 * ++serial;
        return hashes(times);
    }

    static long distinctBig(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = BigInteger.valueOf(10_000 + ++serial);
        return hashes(times);
    }

    static long distinctOptional(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Optional.of(1000 + ++serial);
        return hashes(times);
    }

    static long distinctValue(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Id.box_impl(++serial);
        return hashes(times);
    }

    static long distinctView(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Collections.unmodifiableList(new ArrayList<>(List.of(++serial)));
        return hashes(times);
    }

    static long distinctText(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Integer.toString(10_000_000 + ++serial);
        return hashes(times);
    }

    static long distinctCut(int times) {
        String all = Long.toString(1_000_000_000_000L + Avoidable.next()) + Long.toString(Avoidable.next() + 1_000_000_000_000L);
        for (int k = 0; k < times; k++) {
            if (k % 4 == 0)
                all = Long.toString(1_000_000_000_000L + 7L * ++serial * 1_000_003);
            Avoidable.BATCH[k] = all.substring(k % 4, k % 4 + 9);
        }
        return hashes(times);
    }

    static long distinctEntry(int times) {
        for (int k = 0; k < times; k++) {
            Map<Integer, Integer> map = new HashMap<>();
            for (int i = 0; i < 3; i++)
                map.put(++serial, i);
            Avoidable.BATCH[k] = map;
        }
        return hashes(times);
    }

    static long distinctPair(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new AvoidableNot.Pair(++serial, Avoidable.next());
        for (int k = 0; k < times; k++)
            sum += ((AvoidableNot.Pair) Avoidable.BATCH[k]).first + ((AvoidableNot.Pair) Avoidable.BATCH[k]).second;
        return sum;
    }

    /* Alike when made and when dead, and not in between. */
    static long changedPair(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new AvoidableNot.Pair(1, 2);
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            pair.first = ++serial;
            pair.second += pair.first;
        }
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            sum += pair.first + pair.second;
            pair.first = 1;
            pair.second = 2;
        }
        return sum;
    }

    /* They hold nothing when they are made and when they are dead, and something in between. */
    static long clearedPair(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new AvoidableNot.Pair(0, 0);
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            pair.first = ++serial;
            pair.second = pair.first * 3;
        }
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            sum += pair.first + pair.second;
            pair.first = 0;
            pair.second = 0;
        }
        return sum;
    }

    private static final byte[] TARGET = new byte[256];

    /** A part of a buffer. */
    static final class Slice {
        final byte[] target;
        final int start;
        final long length;

        Slice(byte[] target, int start, long length) {
            this.target = target;
            this.start = start;
            this.length = length;
        }
    }

    /* All refer to one array, which changes, and each to another part of it. */
    static long distinctSlice(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            TARGET[k & 255] = (byte) ++serial;
            Avoidable.BATCH[k] = new Slice(TARGET, serial & 255, serial);
        }
        for (int k = 0; k < times; k++) {
            Slice slice = (Slice) Avoidable.BATCH[k];
            sum += slice.target[slice.start] + slice.length;
        }
        return sum;
    }

    /** As Scala 2.11 has a by-name argument. */
    static final class Shop$$anonfun$load$1 implements IntSupplier {
        private final int value;

        Shop$$anonfun$load$1(int value) {
            this.value = value;
        }

        @Override
        public int getAsInt() {
            return value;
        }
    }

    static long distinctFunction(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Shop$$anonfun$load$1(++serial);
        for (int k = 0; k < times; k++)
            sum += ((IntSupplier) Avoidable.BATCH[k]).getAsInt();
        return sum;
    }

    /* Each text is another one, though the builders begin alike. */
    static long builtText(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new StringBuilder(48).append("planted truth: ").append(1_000_000 + ++serial).toString();
        return hashes(times);
    }

    /* The same, and they are read once before they change. */
    static long restoredPair(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new AvoidableNot.Pair(1, 2);
        for (int k = 0; k < times; k++)
            sum += ((AvoidableNot.Pair) Avoidable.BATCH[k]).first + ((AvoidableNot.Pair) Avoidable.BATCH[k]).second;
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            pair.first = ++serial;
            pair.second += pair.first;
        }
        for (int k = 0; k < times; k++) {
            AvoidableNot.Pair pair = (AvoidableNot.Pair) Avoidable.BATCH[k];
            sum += pair.first + pair.second;
            pair.first = 1;
            pair.second = 2;
        }
        return sum;
    }

    static long changedCopy(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = SIXTEEN.clone();
        for (int k = 0; k < times; k++) {
            int[] copy = (int[]) Avoidable.BATCH[k];
            for (int i = 0; i < copy.length; i++)
                copy[i] = ++serial;
            sum += copy[3] + copy[15];
        }
        return sum;
    }

    static long distinctArray(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new int[] {++serial, serial + 1, serial + 2, serial + 3, serial + 4, serial + 5, serial + 6, serial + 7};
        for (int k = 0; k < times; k++)
            sum += ((int[]) Avoidable.BATCH[k])[1] + ((int[]) Avoidable.BATCH[k])[7];
        return sum;
    }

    static long distinctBuilder(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new StringBuilder(32).append(1_000_000_000 + ++serial).append(serial);
        for (int k = 0; k < times; k++)
            sum += ((StringBuilder) Avoidable.BATCH[k]).charAt(9);
        return sum;
    }

    private static int[] grow(int[] array) {
        return Arrays.copyOf(array, 2 * array.length);
    }

    static long distinctGrowth(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = grow(SIXTEEN);
        for (int k = 0; k < times; k++)
            sum += fill((int[]) Avoidable.BATCH[k]);
        return sum;
    }

    static long distinctCopy(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Arrays.copyOf(SIXTEEN, SIXTEEN.length);
        for (int k = 0; k < times; k++)
            sum += fill((int[]) Avoidable.BATCH[k]);
        return sum;
    }

    private static int fill(int[] array) {
        for (int i = 0; i < array.length; i++)
            array[i] = ++serial;
        return array[3] + array[15];
    }

    static long distinctDate(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = LocalDate.ofEpochDay(++serial);
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((LocalDate) Avoidable.BATCH[k]).getYear();
        return sum;
    }

    /* They differ in what they move by alone, and a reference to the rest would be no smaller. */
    static long matrix(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new float[] {1, 0, 0, 0, 1, 0, ++serial, serial + 0.5f, 1};
        float sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((float[]) Avoidable.BATCH[k])[6] + ((float[]) Avoidable.BATCH[k])[7];
        return (long) sum;
    }

    static long distinctPart(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Shape(++serial, k);
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((Shape) Avoidable.BATCH[k]).size.first + ((Shape) Avoidable.BATCH[k]).size.second;
        return sum;
    }
}
