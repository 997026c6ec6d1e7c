// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Collections, buffers and builders that are made too early, too large or too small. */
final class AvoidableFilled {
    private static final StringBuilder BUILDER = new StringBuilder(64);
    private static final Map<String, String> NO_ENTRIES = Collections.emptyMap();

    static List<Avoidable.Case> cases() {
        return List.of(
            at("emptyList", "empty-collection", 700, AvoidableFilled::emptyList, AvoidableFilled::emptyListFixed),
            at("emptyMap", "empty-collection,unfilled-collection", 50, AvoidableFilled::emptyMap, AvoidableFilled::emptyMapFixed),
            at("buffer", "unfilled", 4, AvoidableFilled::buffer, AvoidableFilled::bufferFixed),
            at("wideList", "unfilled-collection", 56, AvoidableFilled::wideList, AvoidableFilled::wideListFixed),
            at("builder", "builder,builder-filled", 100, AvoidableFilled::builder, AvoidableFilled::builderFixed),
            at("growth", "growth,growth-filled", 20, AvoidableFilled::growth, AvoidableFilled::growthFixed));
    }

    private static Avoidable.Case at(String method, String rules, int times, Avoidable.Body before, Avoidable.Body after) {
        return new Avoidable.Case("AvoidableFilled." + method, "possible", rules, times, before, after);
    }

    private static long sizes(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((List<?>) Avoidable.BATCH[k]).size();
        return sum;
    }

    static long emptyList(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new ArrayList<String>();
        return sizes(times);
    }

    static long emptyListFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Collections.emptyList();
        return sizes(times);
    }

    private static long found(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((Map<?, ?>) Avoidable.BATCH[k]).get("planted") == null ? 1 : 0;
        return sum;
    }

    static long emptyMap(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new IdentityHashMap<String, String>();
        return found(times);
    }

    static long emptyMapFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = NO_ENTRIES;
        return found(times);
    }

    private static long fill(char[] buffer) {
        for (int i = 0; i < 10; i++)
            buffer[i] = (char) ('a' + i);
        return buffer[3] + buffer[9];
    }

    static long buffer(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            char[] buffer = new char[2048];
            Avoidable.BATCH[k] = buffer;
            sum += fill(buffer);
        }
        return sum;
    }

    static long bufferFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            char[] buffer = new char[16];
            Avoidable.BATCH[k] = buffer;
            sum += fill(buffer);
        }
        return sum;
    }

    static long wideList(int times) {
        for (int k = 0; k < times; k++) {
            List<String> list = new ArrayList<>(64);
            list.add("one");
            Avoidable.BATCH[k] = list;
        }
        return sizes(times);
    }

    static long wideListFixed(int times) {
        for (int k = 0; k < times; k++) {
            List<String> list = new ArrayList<>(2);
            list.add("one");
            Avoidable.BATCH[k] = list;
        }
        return sizes(times);
    }

    private static long write(StringBuilder b) {
        b.append("planted").append('=').append("truth");
        return b.charAt(7) + b.length();
    }

    static long builder(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            StringBuilder b = new StringBuilder(64);
            Avoidable.BATCH[k] = b;
            sum += write(b);
        }
        return sum;
    }

    static long builderFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            BUILDER.setLength(0);
            sum += write(BUILDER);
        }
        return sum;
    }

    static long growth(int times) {
        for (int k = 0; k < times; k++) {
            List<Integer> list = new ArrayList<>();
            for (int i = 0; i < 100; i++)
                list.add(i);
            Avoidable.BATCH[k] = list;
        }
        return sizes(times);
    }

    static long growthFixed(int times) {
        for (int k = 0; k < times; k++) {
            List<Integer> list = new ArrayList<>(100);
            for (int i = 0; i < 100; i++)
                list.add(i);
            Avoidable.BATCH[k] = list;
        }
        return sizes(times);
    }
}
