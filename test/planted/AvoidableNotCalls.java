// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.stream.IntStream;
import scala.collection.mutable.WrappedArray;

/** Calls that look like those that make something in vain, and need all that they make. */
final class AvoidableNotCalls {
    private static final int KEPT = 1 << 16;
    private static final MessageFormat MESSAGE = new MessageFormat("{0} is {1}");
    private static final String[] WORDS = {"planted", "truth"};
    private static final List<Integer> TEN = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    private static final List<Integer> ONE = new ArrayList<>(List.of(1));
    private static final Numbers NUMBERS = new Numbers();
    private static final Iterator<?>[] ITERATORS = new Iterator<?>[KEPT];
    private static final IntStream[] STREAMS = new IntStream[KEPT];
    private static int iterators;
    private static int serial;

    /** Hands out the iterator of a list that nobody else sees. */
    static final class Numbers implements Iterable<Integer> {
        private final List<Integer> numbers = new ArrayList<>(TEN);

        @Override
        public Iterator<Integer> iterator() {
            return numbers.iterator();
        }
    }

    /** No exception, in spite of its name. */
    static final class SyntaxError {
        final int line;
        final int column;

        SyntaxError(int line, int column) {
            this.line = line;
            this.column = column;
        }
    }

    static List<Avoidable.Case> cases() {
        return List.of(
            at("keptMessage", "format", 40, AvoidableNotCalls::keptMessage),
            at("Words.split", "split-list", 60, AvoidableNotCalls::ownSplit),
            at("replaceDistinct", "regex-compile,regex-matcher", 16, AvoidableNotCalls::replaceDistinct),
            at("filledStream", "unfilled-part", 16, AvoidableNotCalls::filledStream),
            at("filledResult", "unfilled-result", 16, AvoidableNotCalls::filledResult),
            at("cursor", "stream", 300, AvoidableNotCalls::cursor),
            seen("keptStream", "stream", 2, AvoidableNotCalls::keptStream),
            at("Numbers.iterator", "iterator", 300, AvoidableNotCalls::handedIterator),
            at("Countdown.iterator", "iterator,same", 300, AvoidableNotCalls::countDown),
            new Avoidable.Case("AvoidableNotCalls.emptiedTable", "restored", "growth,growth-some", 60,
                AvoidableNotCalls::emptiedTable, null),
            at("queued", "alike-at-end", 400, AvoidableNotCalls::queued),
            at("wrapped", "extension", 300, AvoidableNotCalls::wrapped),
            at("oneResult", "empty-result", 500, AvoidableNotCalls::oneResult),
            at("lockArray", "empty-array,lock", 500, AvoidableNotCalls::lockArray),
            at("syntaxError", "exception-some", 500, AvoidableNotCalls::syntaxError));
    }

    private static Avoidable.Case at(String method, String rule, int times, Avoidable.Body body) {
        String separator = method.contains(".") ? "$" : ".";
        return new Avoidable.Case("AvoidableNotCalls" + separator + method, "none", rule, times, body, null);
    }

    /* Calls do not tell that nothing is in vain, but their objects do. */
    private static Avoidable.Case seen(String method, String rule, int times, Avoidable.Body body) {
        return new Avoidable.Case("AvoidableNotCalls." + method, "seen", rule, times, body, null);
    }

    /* It has been parsed once. */
    static long keptMessage(int times) {
        for (int k = 0; k < times; k++) {
            WORDS[1] = Avoidable.newText();
            Avoidable.sink = MESSAGE.format(WORDS);
        }
        return times;
    }

    /** Hands out the list itself. */
    static final class Words {
        static List<String> split(String text) {
            List<String> parts = new ArrayList<>();
            for (int at = 0, end; (end = text.indexOf(' ', at)) >= 0; at = end + 1)
                parts.add(text.substring(at, end));
            return parts;
        }
    }

    static long ownSplit(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = Words.split(++serial + " " + ++serial + " " + ++serial + " ");
        return times;
    }

    private static final java.util.LinkedList<Integer> QUEUE = new java.util.LinkedList<>();

    /* An entry holds something until it is taken out, and nothing after that. */
    static long queued(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            QUEUE.add(AvoidableNot.NUMBERS[k & 7]);
        for (int k = 0; k < times; k++)
            sum += QUEUE.poll();
        return sum;
    }

    /* No Pattern comes again, and so no Matcher can be kept. */
    static long replaceDistinct(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.sink = WORDS[0].replaceAll("[a-m]+|" + ++serial, "+");
        return times;
    }

    private static final byte[] NUMBERS_1024 = new byte[1024];

    private static byte[] numbers() {
        for (int k = 0; k < NUMBERS_1024.length; k += 2) {
            NUMBERS_1024[k] = (byte) (++serial | 1);
            NUMBERS_1024[k + 1] = (byte) (serial >> 7 | 1);
        }
        return NUMBERS_1024;
    }

    /* All of the buffer is needed. */
    static long filledStream(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new BufferedOutputStream(OutputStream.nullOutputStream(), 1024);
        try {
            for (int k = 0; k < times; k++)
                ((OutputStream) Avoidable.BATCH[k]).write(numbers(), 0, 1020);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return serial;
    }

    static long filledResult(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = ByteBuffer.allocate(1024);
        for (int k = 0; k < times; k++)
            ((ByteBuffer) Avoidable.BATCH[k]).put(numbers());
        return serial;
    }

    /* It goes on later where it was, and there is no stream. */
    static long cursor(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = TEN.spliterator();
        for (int k = 0; k < times; k++)
            ((Spliterator<?>) Avoidable.BATCH[k]).tryAdvance(v -> serial += (Integer) v);
        return times;
    }

    /* Each is a part of something that goes on later. */
    static long keptStream(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            Iterator<?> old = ITERATORS[++iterators / 2 % KEPT];
            sum += old != null && old.hasNext() ? (Integer) old.next() : 0;
            IntStream stream = IntStream.iterate(iterators, v -> v + 1);
            STREAMS[iterators % KEPT] = stream;
            ITERATORS[iterators % KEPT] = stream.iterator();
        }
        return sum;
    }

    /* Whoever gets it sees no list that could be read by index. */
    static long handedIterator(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            for (int v : NUMBERS)
                sum += v;
        return sum;
    }

    /** Its iterator is a class without a name, and has nothing to go on with at its end. */
    static final class Countdown implements Iterable<Integer> {
        private int from;

        @Override
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                private int next = from;

                @Override
                public boolean hasNext() {
                    return next > 0;
                }

                @Override
                public Integer next() {
                    return next--;
                }
            };
        }
    }

    private static final Countdown COUNTDOWN = new Countdown();

    static long countDown(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            COUNTDOWN.from = k % 5;
            for (int v : COUNTDOWN)
                sum += v;
        }
        return sum;
    }

    /* The tables are empty before the first entry comes and after the last one has gone. */
    static long emptiedTable(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++) {
            Map<Integer, Integer> map = new HashMap<>();
            Avoidable.BATCH[k] = map;
            map.put(k, ++serial);
            sum += map.get(k);
            map.remove(k);
        }
        return sum;
    }

    static long wrapped(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new WrappedArray.ofRef(new Object[] {++serial, WORDS[0]});
        for (int k = 0; k < times; k++)
            sum += (Integer) ((WrappedArray.ofRef) Avoidable.BATCH[k]).apply(0);
        return sum;
    }

    static long oneResult(int times) {
        ONE.set(0, ++serial);
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = ONE.toArray();
        for (int k = 0; k < times; k++)
            ((Object[]) Avoidable.BATCH[k])[0] = ++serial;
        return times;
    }

    /* Nothing smaller can be locked. */
    static long lockArray(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new byte[0];
        for (int k = 0; k < times; k++)
            synchronized (Avoidable.BATCH[k]) {
                sum += k;
                sum += System.identityHashCode(Avoidable.BATCH[k]) >>> 31;
            }
        return sum;
    }

    static long syntaxError(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new SyntaxError(++serial, k);
        for (int k = 0; k < times; k++)
            sum += ((SyntaxError) Avoidable.BATCH[k]).line + ((SyntaxError) Avoidable.BATCH[k]).column;
        return sum;
    }
}
