// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Collections, buffers and builders that are made too early, too large or too small. */
final class AvoidableFilled {
    private static final byte[] WORD = {'p', 'l', 'a', 'n', 't', 'e', 'd'};
    private static final OutputStream OUT = OutputStream.nullOutputStream();
    private static final OutputStream BUFFERED = new BufferedOutputStream(OUT, 4096);
    private static final StringBuilder BUILDER = new StringBuilder(64);
    private static final Map<String, String> NO_ENTRIES = Collections.emptyMap();

    static List<Avoidable.Case> cases() {
        return List.of(
            at("emptyList", "empty-collection", 700, AvoidableFilled::emptyList, AvoidableFilled::emptyListFixed),
            at("emptyMap", "empty-collection,unfilled-collection", 50, AvoidableFilled::emptyMap, AvoidableFilled::emptyMapFixed),
            at("buffer", "unfilled", 4, AvoidableFilled::buffer, AvoidableFilled::bufferFixed),
            at("bufferInside", "unfilled", 2, AvoidableFilled::bufferInside, AvoidableFilled::bufferInsideFixed),
            at("replaced", "alike-at-end,same", 500, AvoidableFilled::replaced, AvoidableFilled::replacedFixed),
            at("unchanged", "same,few-values", 500, AvoidableFilled::unchanged, AvoidableFilled::unchangedFixed),
            at("unread", "unread", 500, AvoidableFilled::unread, AvoidableFilled::unreadFixed),
            at("wideMap", "capacity,unfilled-collection", 4, AvoidableFilled::wideMap, AvoidableFilled::wideMapFixed),
            at("wideList", "capacity,unfilled-collection", 56, AvoidableFilled::wideList, AvoidableFilled::wideListFixed),
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

    private static long writeTo(OutputStream out) {
        try {
            out.write(WORD);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return WORD.length;
    }

    static long bufferInside(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            Avoidable.BATCH[k] = new BufferedOutputStream(OUT, 4096);
            sum += writeTo((OutputStream) Avoidable.BATCH[k]);
        }
        return sum;
    }

    static long bufferInsideFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += writeTo(BUFFERED);
        return sum;
    }

    /** A place that is read from a file in the end. */
    static final class Place {
        long first;
        long second;
    }

    /** What has a place. */
    static final class Placed {
        Place place;
    }

    private static final Place[] PLACES = {new Place(), new Place()};
    private static final Placed[] PLACED = new Placed[1024];

    private static long replace(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            PLACED[k].place = PLACES[k & 1];
            sum += PLACED[k].place.first + PLACED[k].place.second;
        }
        return sum;
    }

    static long replaced(int times) {
        for (int k = 0; k < times; k++)
            PLACED[k].place = new Place();
        return replace(times);
    }

    static long replacedFixed(int times) {
        return replace(times);
    }

    static {
        for (int k = 0; k < PLACED.length; k++)
            PLACED[k] = new Placed();
        for (Place place : PLACES)
            place.first = place.second = 7;
    }

    private static long places(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((Place) Avoidable.BATCH[k]).first + ((Place) Avoidable.BATCH[k]).second;
        return sum;
    }

    /* Nobody changes them, but could. */
    static long unchanged(int times) {
        for (int k = 0; k < times; k++) {
            Place place = new Place();
            place.first = 1;
            place.second = 2;
            Avoidable.BATCH[k] = place;
        }
        return places(times);
    }

    static long unchangedFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = PLACES[k & 1];
        return places(times);
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

    private static long values(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((Map<?, ?>) Avoidable.BATCH[k]).get("planted") == null ? 0 : 1;
        return sum;
    }

    static long wideMap(int times) {
        for (int k = 0; k < times; k++) {
            Map<String, String> map = new IdentityHashMap<>(256);
            map.put("planted", "truth");
            Avoidable.BATCH[k] = map;
        }
        return values(times);
    }

    static long wideMapFixed(int times) {
        for (int k = 0; k < times; k++) {
            Map<String, String> map = new IdentityHashMap<>(1);
            map.put("planted", "truth");
            Avoidable.BATCH[k] = map;
        }
        return values(times);
    }

    private static int noted;

    /* For a message that nobody writes. */
    static long unread(int times) {
        for (int k = 0; k < times; k++) {
            Place note = new Place();
            note.first = ++noted;
            note.second = ~noted;
            Avoidable.BATCH[k] = note;
        }
        return times;
    }

    static long unreadFixed(int times) {
        for (int k = 0; k < times; k++) {
            ++noted;
            Avoidable.BATCH[k] = null;
        }
        return times;
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
