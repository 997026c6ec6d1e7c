// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What looks like something that can be avoided and is not: nothing may be promised of it as certain. */
final class AvoidableNot {
    private static final int KEPT = 1 << 16;
    private static final Calendar[] CALENDARS = new Calendar[KEPT];
    private static final Matcher[] MATCHERS = new Matcher[KEPT];
    private static final List<Integer> COPY_ON_WRITE = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
    private static final List<Integer> LINKED = new LinkedList<>(List.of(1, 2, 3));
    private static final List<String> NAMES = new ArrayList<>(List.of("alpha", "beta"));
    private static final Map<Integer, Integer> MAP = new HashMap<>(Map.of(1, 1, 2, 2));
    private static final DecimalFormat TWO_DIGITS = new DecimalFormat("0.00");
    private static final Writer BUFFERED =
        new BufferedWriter(new OutputStreamWriter(OutputStream.nullOutputStream(), StandardCharsets.UTF_8));
    private static final Pattern WORD = Pattern.compile("[a-z]+");
    /* What the first calls load is not counted. */
    static final Object[] LOADED = {Calendar.getInstance(), Pattern.compile("[a-z]+" + KEPT)};
    static final Integer[] NUMBERS = {1, 2, 3, 4, 5, 6, 7, 8};
    private static int serial;
    private static int calendars;
    private static int matchers;
    private static int length = 1;

    enum Card { ACE, KING, QUEEN, JACK, TEN, NINE, EIGHT, SEVEN }

    static final class Untraced extends RuntimeException {
        Untraced() {
            super(null, null, false, false);
        }
    }

    static final class Pair {
        long first;
        long second;

        Pair(long first, long second) {
            this.first = first;
            this.second = second;
        }
    }

    static List<Avoidable.Case> cases() {
        return List.of(
            at("clearedBuffer", "unfilled", 16, AvoidableNot::clearedBuffer),
            at("emptiedMap", "empty-collection", 32, AvoidableNot::emptiedMap),
            at("emptiedIdentityMap", "unfilled-collection", 50, AvoidableNot::emptiedIdentityMap),
            at("usedList", "capacity", 30, AvoidableNot::usedList),
            at("readLater", "unread", 500, AvoidableNot::readLater),
            at("emptiedList", "empty-collection", 200, AvoidableNot::emptiedList),
            at("laterFilledList", "empty-collection", 200, AvoidableNot::laterFilledList),
            at("trimmedList", "empty-collection", 200, AvoidableNot::trimmedList),
            restored("handedOver", "same", 500, AvoidableNot::handedOver),
            at("sharedLoop", "iterator", 500, AvoidableNot::sharedLoop),
            at("linkedLoop", "iterator", 400, AvoidableNot::linkedLoop),
            at("mapLoop", "iterator", 350, AvoidableNot::mapLoop),
            at("joined", "iterator", 160, AvoidableNot::joined),
            at("lock", "lock", 1000, AvoidableNot::lock),
            at("failUntraced", "exception", 300, AvoidableNot::failUntraced),
            seen("keptCalendar", "text-format", 4, AvoidableNot::keptCalendar),
            at("keptFormat", "text-format", 60, AvoidableNot::keptFormat),
            at("compileDistinct", "regex-compile", 16, AvoidableNot::compileDistinct),
            seen("keptMatcher", "regex-matcher", 8, AvoidableNot::keptMatcher),
            at("encodeBuffered", "encoder", 200, AvoidableNot::encodeBuffered),
            seen("shuffled", "enum-values", 300, AvoidableNot::shuffled),
            at("oneElement", "empty-array", 600, AvoidableNot::oneElement));
    }

    private static Avoidable.Case at(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNot." + method, "none", rule, times, body, null);
    }

    /* Calls do not tell that nothing is in vain, but their objects do. */
    private static Avoidable.Case seen(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNot." + method, "seen", rule, times, body, null);
    }

    /* Others for a time: what is alike at the first use and in the end does not tell. */
    private static Avoidable.Case restored(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNot." + method, "restored", rule, times, body, null);
    }

    static long clearedBuffer(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new byte[1024];
        for (int k = 0; k < times; k++) {
            byte[] buffer = (byte[]) Avoidable.BATCH[k];
            for (int i = 0; i < buffer.length; i++)
                buffer[i] = (byte) (i * (k + 3) | 1);
            sum += buffer[77] + buffer[1000];
        }
        for (int k = 0; k < times; k++)
            Arrays.fill((byte[]) Avoidable.BATCH[k], (byte) 0);
        return sum;
    }

    @SuppressWarnings("unchecked")
    private static long fillAndEmpty(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int i = 0; i < 6; i++)
                ((Map<Integer, Integer>) Avoidable.BATCH[k]).put(i, (i * k) & 127);
        for (int k = 0; k < times; k++) {
            Map<Integer, Integer> map = (Map<Integer, Integer>) Avoidable.BATCH[k];
            sum += map.get(5);
            map.clear();
        }
        return sum;
    }

    static long emptiedMap(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new HashMap<Integer, Integer>();
        return fillAndEmpty(times);
    }

    static long emptiedIdentityMap(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new IdentityHashMap<Integer, Integer>();
        return fillAndEmpty(times);
    }

    @SuppressWarnings("unchecked")
    private static long add(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            List<Integer> list = (List<Integer>) Avoidable.BATCH[k];
            for (int i = 0; i < 5; i++)
                list.add((i * k) & 127);
            sum += list.get(4);
        }
        return sum;
    }

    static long emptiedList(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new ArrayList<Integer>();
        long sum = add(times);
        for (int k = 0; k < times; k++)
            ((List<?>) Avoidable.BATCH[k]).clear();
        return sum;
    }

    /* The table is another one in the end, as if nothing had been there. */
    static long trimmedList(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new ArrayList<Integer>();
        long sum = add(times);
        for (int k = 0; k < times; k++) {
            ArrayList<?> list = (ArrayList<?>) Avoidable.BATCH[k];
            list.clear();
            list.trimToSize();
        }
        return sum;
    }

    /* Of what they held, one is left. */
    static long usedList(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            List<Integer> list = new ArrayList<>(64);
            for (int i = 0; i < 60; i++)
                list.add((i * k) & 127);
            sum += list.get(59);
            list.subList(1, 60).clear();
            Avoidable.BATCH[k] = list;
        }
        return sum;
    }

    private static final Pair[] LATER = new Pair[512];

    /* The next call reads them. */
    static long readLater(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            if (LATER[k] != null)
                sum += LATER[k].first ^ LATER[k].second;
        for (int k = 0; k < times; k++)
            LATER[k] = new Pair(++serial, k);
        return sum;
    }

    /* They are empty when they are first used. */
    static long laterFilledList(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new ArrayList<Integer>();
        for (int k = 0; k < times; k++)
            sum += ((List<?>) Avoidable.BATCH[k]).size();
        return sum + add(times);
    }

    /* ---- another thread uses and changes them ---- */

    private static final Object[] HANDED = new Object[1024];
    private static volatile int handed;
    private static long taken;

    private static void take() {
        for (;;) {
            int n = handed;
            if (n == 0) {
                Thread.yield();
                continue;
            }
            for (int k = 0; k < n; k++) {
                Pair pair = (Pair) HANDED[k];
                pair.first += k;
                pair.second ^= pair.first;
                taken += pair.second;
                pair.first = 1;
                pair.second = 2;
            }
            handed = 0;
        }
    }

    static {
        Thread thread = new Thread(AvoidableNot::take, "taker");
        thread.setDaemon(true);
        thread.start();
    }

    static long handedOver(int times) {
        for (int k = 0; k < times; k++)
            HANDED[k] = new Pair(1, 2);
        handed = times;
        while (handed != 0)
            Thread.yield();
        return taken;
    }

    /* ---- calls ---- */

    /* By index, a list that others change could become shorter meanwhile. */
    static long sharedLoop(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : COPY_ON_WRITE)
                sum += v;
        return sum;
    }

    static long linkedLoop(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : LINKED)
                sum += v;
        return sum;
    }

    static long mapLoop(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : MAP.values())
                sum += v;
        return sum;
    }

    /* The loop is the platform's. */
    static long joined(int times) {
        for (int k = 0; k < times; k++) {
            NAMES.set(0, Avoidable.newText());
            Avoidable.sink = String.join(", ", NAMES);
        }
        return times;
    }

    static long lock(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Object();
        for (int k = 0; k < times; k++)
            synchronized (Avoidable.BATCH[k]) {
                sum += k;
            }
        return sum;
    }

    static long failUntraced(int times) {
        for (int k = 0; k < times; k++) {
            try {
                throw new Untraced();
            } catch (Untraced e) {
                Avoidable.sink = e;
            }
        }
        return times;
    }

    static long keptCalendar(int times) {
        for (int k = 0; k < times; k++) {
            Calendar calendar = Calendar.getInstance();
            calendar.setTimeInMillis(86_400_000L * ++calendars);
            CALENDARS[calendars % KEPT] = calendar;
        }
        return CALENDARS[calendars / 2 % KEPT] == null ? 0 : CALENDARS[calendars / 2 % KEPT].get(Calendar.YEAR);
    }

    static long keptFormat(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = TWO_DIGITS.format(++serial);
        return times;
    }

    static long compileDistinct(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Pattern.compile("[a-z]+" + ++serial);
        return times;
    }

    /* Each goes on later where it was. */
    static long keptMatcher(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            Matcher old = MATCHERS[++matchers / 2 % KEPT];
            sum += old != null && old.find() ? old.start() : 0;
            MATCHERS[matchers % KEPT] = WORD.matcher("alpha beta gamma");
            sum += MATCHERS[matchers % KEPT].find() ? 1 : 0;
        }
        return sum;
    }

    static long encodeBuffered(int times) {
        try {
            for (int k = 0; k < times; k++) {
                BUFFERED.write("planted");
                BUFFERED.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return times;
    }

    static long shuffled(int times) {
        for (int k = 0; k < times; k++) {
            Card[] cards = Card.values();
            for (int i = cards.length - 1; i > 0; i--) {
                int j = Avoidable.next(i + 1);
                Card card = cards[i];
                cards[i] = cards[j];
                cards[j] = card;
            }
            Avoidable.BATCH[k] = cards;
        }
        return ((Card[]) Avoidable.BATCH[0])[0].ordinal() >> 8;
    }

    static long oneElement(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new int[length];
        for (int k = 0; k < times; k++)
            ((int[]) Avoidable.BATCH[k])[0] = ++serial;
        return ((int[]) Avoidable.BATCH[0])[0];
    }
}
