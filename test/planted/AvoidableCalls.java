// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import scala.collection.mutable.ArrayOps;

/** Calls that make helpers each time, whatever the contents are. */
final class AvoidableCalls {
    private static final String[] WORDS = {"planted", "truth"};
    private static final String[] LONG_WORDS = {"long text ".repeat(200), "end"};
    private static final String CSV_TEXT = "alpha,beta,gamma,delta";
    private static final String LIST_TEXT = "alpha, beta; gamma, delta";
    private static final Pattern SEPARATOR = Pattern.compile("[,;] ?");
    private static final Pattern NAME = Pattern.compile("[a-z]+([0-9]*)");
    private static final Matcher NAME_MATCHER = NAME.matcher("");
    private static final Matcher SEPARATOR_MATCHER = SEPARATOR.matcher("");
    private static final DecimalFormat TWO_DIGITS = new DecimalFormat("0.00");
    private static final Writer WRITER = new OutputStreamWriter(OutputStream.nullOutputStream(), StandardCharsets.UTF_8);
    private static final Weekday[] WEEKDAYS = Weekday.values();
    private static final List<Integer> TEN = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    private static final List<Integer> TEN_FIXED = Arrays.asList(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    private static final List<List<Integer>> LISTS = List.of(TEN, TEN_FIXED);
    private static final List<Integer> WRAPPED = Collections.unmodifiableList(TEN);
    private static final List<Integer> THOUSAND = new ArrayList<>(Collections.nCopies(1000, 7));
    private static final List<Integer> NOTHING = new ArrayList<>();
    private static final int[] NO_INTS = {};
    private static final Object[] NO_OBJECTS = {};
    private static int none;

    enum Weekday { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY }

    /** Of the size of an IllegalStateException. */
    static final class Untraced extends RuntimeException {
        Untraced() {
            super(null, null, false, false);
        }
    }

    static List<Avoidable.Case> cases() {
        return List.of(
            at("format", "format", 24, AvoidableCalls::format, AvoidableCalls::formatFixed),
            at("formatLong", "format", 6, AvoidableCalls::formatLong, AvoidableCalls::formatLongFixed),
            at("message", "format", 10, AvoidableCalls::message, AvoidableCalls::messageFixed),
            at("compile", "regex-compile", 20, AvoidableCalls::compile, AvoidableCalls::compileFixed),
            at("split", "regex-compile", 16, AvoidableCalls::split, AvoidableCalls::splitByPattern),
            at("splitList", "split-list", 60, AvoidableCalls::splitList, AvoidableCalls::splitListFixed),
            at("replace", "regex-compile", 16, AvoidableCalls::replace, AvoidableCalls::replaceFixed),
            at("match", "regex-matcher", 80, AvoidableCalls::match, AvoidableCalls::matchFixed),
            at("number", "text-format", 8, AvoidableCalls::number, AvoidableCalls::numberFixed),
            at("encode", "encoder", 200, AvoidableCalls::encode, AvoidableCalls::encodeFixed),
            at("constants", "enum-values", 300, AvoidableCalls::constants, AvoidableCalls::constantsFixed),
            at("stream", "stream", 60, AvoidableCalls::stream, AvoidableCalls::streamFixed),
            at("streamToList", "stream", 4, AvoidableCalls::streamToList, AvoidableCalls::streamToListFixed),
            at("extension", "extension", 400, AvoidableCalls::extension, AvoidableCalls::extensionFixed),
            at("loop", "iterator", 500, AvoidableCalls::loop, AvoidableCalls::loopFixed),
            at("loopOverWrapper", "iterator", 300, AvoidableCalls::loopOverWrapper, AvoidableCalls::loopOverWrapperFixed),
            at("fail", "exception", 32, AvoidableCalls::fail, AvoidableCalls::failFixed),
            at("emptyArray", "empty-array", 1000, AvoidableCalls::emptyArray, AvoidableCalls::emptyArrayFixed),
            at("emptyResult", "empty-result", 1000, AvoidableCalls::emptyResult, AvoidableCalls::emptyResultFixed));
    }

    private static Avoidable.Case at(String method, String rule, int times, Avoidable.Body before, Avoidable.Body after) {
        return new Avoidable.Case("AvoidableCalls." + method, "certain", rule, times, before, after);
    }

    static long format(int times) {
        for (int k = 0; k < times; k++) {
            WORDS[1] = Avoidable.newText();
            Avoidable.sink = String.format("%s is %s", (Object[]) WORDS);
        }
        return times;
    }

    static long formatFixed(int times) {
        for (int k = 0; k < times; k++) {
            WORDS[1] = Avoidable.newText();
            Avoidable.sink = new StringBuilder().append(WORDS[0]).append(" is ").append(WORDS[1]).toString();
        }
        return times;
    }

    /* Most of it is the result. */
    static long formatLong(int times) {
        for (int k = 0; k < times; k++) {
            LONG_WORDS[1] = Avoidable.newText();
            Avoidable.sink = String.format("%s to the %s", (Object[]) LONG_WORDS);
        }
        return times;
    }

    static long formatLongFixed(int times) {
        for (int k = 0; k < times; k++) {
            LONG_WORDS[1] = Avoidable.newText();
            Avoidable.sink = new StringBuilder().append(LONG_WORDS[0]).append(" to the ").append(LONG_WORDS[1]).toString();
        }
        return times;
    }

    static long message(int times) {
        for (int k = 0; k < times; k++) {
            WORDS[1] = Avoidable.newText();
            Avoidable.sink = MessageFormat.format("{0} is {1}", (Object[]) WORDS);
        }
        return times;
    }

    static long messageFixed(int times) {
        for (int k = 0; k < times; k++) {
            WORDS[1] = Avoidable.newText();
            Avoidable.sink = new StringBuilder().append(WORDS[0]).append(" is ").append(WORDS[1]).toString();
        }
        return times;
    }

    static long compile(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = Pattern.compile("[a-z]+([0-9]*)");
        return times;
    }

    static long compileFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = NAME;
        return times;
    }

    static long split(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = LIST_TEXT.split("[,;] ?");
        return times;
    }

    /* It still makes a Matcher, which is another finding. */
    static long splitByPattern(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = SEPARATOR.split(LIST_TEXT);
        return times;
    }

    static long splitList(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = CSV_TEXT.split(",");
        return times;
    }

    static long splitListFixed(int times) {
        for (int k = 0; k < times; k++) {
            String[] parts = new String[4];
            for (int i = 0, at = 0; i < 4; i++) {
                int end = CSV_TEXT.indexOf(',', at);
                parts[i] = CSV_TEXT.substring(at, end < 0 ? CSV_TEXT.length() : end);
                at = end + 1;
            }
            Avoidable.sink = parts;
        }
        return times;
    }

    static long replace(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = LIST_TEXT.replaceAll("[,;] ?", "+");
        return times;
    }

    static long replaceFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = SEPARATOR_MATCHER.reset(LIST_TEXT).replaceAll("+");
        return times;
    }

    static long match(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            Matcher m = NAME.matcher(WORDS[k & 1]);
            Avoidable.sink = m;
            sum += m.matches() ? 1 : 0;
        }
        return sum;
    }

    static long matchFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += NAME_MATCHER.reset(WORDS[k & 1]).matches() ? 1 : 0;
        return sum;
    }

    static long number(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = new DecimalFormat("0.00").format(k);
        return times;
    }

    static long numberFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = TWO_DIGITS.format(k);
        return times;
    }

    static long encode(int times) {
        try {
            for (int k = 0; k < times; k++)
                WRITER.write('a' + k % 26);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return times;
    }

    private static final char[] WAITING = new char[256];

    static long encodeFixed(int times) {
        try {
            for (int k = 0; k < times; k++)
                WAITING[k] = (char) ('a' + k % 26);
            WRITER.write(WAITING, 0, times);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return times;
    }

    static long constants(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (Weekday day : Weekday.values())
                sum += day.ordinal();
        return sum;
    }

    static long constantsFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (Weekday day : WEEKDAYS)
                sum += day.ordinal();
        return sum;
    }

    static long stream(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += TEN.stream().filter(v -> (v & 1) == 0).mapToInt(v -> v).sum();
        return sum;
    }

    static long streamFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int i = 0; i < TEN.size(); i++)
                if ((TEN.get(i) & 1) == 0)
                    sum += TEN.get(i);
        return sum;
    }

    /* Most of it is the list that comes of it. */
    static long streamToList(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = THOUSAND.stream().filter(v -> v > 0).collect(Collectors.toList());
        return times;
    }

    static long streamToListFixed(int times) {
        for (int k = 0; k < times; k++) {
            List<Integer> list = new ArrayList<>();
            for (int i = 0; i < THOUSAND.size(); i++)
                if (THOUSAND.get(i) > 0)
                    list.add(THOUSAND.get(i));
            Avoidable.sink = list;
        }
        return times;
    }

    static long extension(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            ArrayOps.ofRef words = new ArrayOps.ofRef(WORDS);
            Avoidable.sink = words;
            sum += words.size();
        }
        return sum;
    }

    static long extensionFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += WORDS.length;
        return sum;
    }

    static long loop(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : LISTS.get(k & 1))
                sum += v;
        return sum;
    }

    static long loopFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            List<Integer> list = LISTS.get(k & 1);
            for (int i = 0; i < list.size(); i++)
                sum += list.get(i);
        }
        return sum;
    }

    static long loopOverWrapper(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : WRAPPED)
                sum += v;
        return sum;
    }

    static long loopOverWrapperFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int i = 0; i < WRAPPED.size(); i++)
                sum += WRAPPED.get(i);
        return sum;
    }

    static long fail(int times) {
        for (int k = 0; k < times; k++) {
            try {
                throw new IllegalStateException();
            } catch (IllegalStateException e) {
                Avoidable.sink = e;
            }
        }
        return times;
    }

    static long failFixed(int times) {
        for (int k = 0; k < times; k++) {
            try {
                throw new Untraced();
            } catch (Untraced e) {
                Avoidable.sink = e;
            }
        }
        return times;
    }

    static long emptyArray(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = new int[none];
        return times;
    }

    static long emptyArrayFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = NO_INTS;
        return times;
    }

    static long emptyResult(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = NOTHING.toArray();
        return times;
    }

    static long emptyResultFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = NOTHING.isEmpty() ? NO_OBJECTS : NOTHING.toArray();
        return times;
    }
}
