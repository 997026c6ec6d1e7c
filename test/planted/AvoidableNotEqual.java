// SPDX-License-Identifier: Apache-2.0

import java.math.BigInteger;
import java.util.ArrayList;
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
            at("distinctLambda", "lambda", 1000, AvoidableNotEqual::distinctLambda),
            at("distinctBoxes", "boxing", 1000, AvoidableNotEqual::distinctBoxes),
            at("distinctReals", "boxing-real", 1000, AvoidableNotEqual::distinctReals),
            at("distinctBig", "big-number", 250, AvoidableNotEqual::distinctBig),
            at("distinctOptional", "optional", 500, AvoidableNotEqual::distinctOptional),
            at("distinctView", "view", 250, AvoidableNotEqual::distinctView),
            at("distinctText", "text", 320, AvoidableNotEqual::distinctText),
            at("distinctCut", "text-cut", 320, AvoidableNotEqual::distinctCut),
            at("distinctEntry", "entry", 64, AvoidableNotEqual::distinctEntry),
            at("distinctPair", "few-values", 500, AvoidableNotEqual::distinctPair),
            at("changedPair", "same", 500, AvoidableNotEqual::changedPair),
            at("restoredPair", "same", 500, AvoidableNotEqual::restoredPair),
            at("changedCopy", "copy", 200, AvoidableNotEqual::changedCopy),
            at("distinctArray", "constant-array", 330, AvoidableNotEqual::distinctArray));
    }

    private static Avoidable.Case at(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNotEqual." + method, "none", rule, times, body, null);
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
            if (k % 8 == 0)
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
}
