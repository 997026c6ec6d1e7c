// SPDX-License-Identifier: Apache-2.0

import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Objects that are equal to others and do not change: one of each would do. */
final class AvoidableEqual {
    private static final int FEW = 4;
    private static final String[] WORDS = {"alpha", "beta", "gamma", "delta"};
    private static final char[][] LETTERS = Arrays.stream(WORDS).map(String::toCharArray).toArray(char[][]::new);
    private static final String LINE = "first   second  third   fourth  ";
    private static final char[] LINE_LETTERS = LINE.toCharArray();
    private static final String[] COLUMNS = {"first   ", "second  ", "third   ", "fourth  "};
    private static final String[] EXPRESSIONS = {"[a-f]+", "[g-m]+", "[n-s]+", "[t-z]+"};
    private static final Pattern[] PATTERNS = Arrays.stream(EXPRESSIONS).map(Pattern::compile).toArray(Pattern[]::new);
    private static final Integer[] BOXES = IntStream.range(0, FEW).map(v -> 1000 + v).boxed().toArray(Integer[]::new);
    private static final Double[] REALS = IntStream.range(0, FEW).mapToObj(v -> v * 0.5).toArray(Double[]::new);
    private static final BigInteger[] BIG = new BigInteger[FEW];
    private static final LocalDate[] DATES = new LocalDate[FEW];
    private static final List<Optional<String>> OPTIONALS = new ArrayList<>();
    private static final List<IntSupplier> SUPPLIERS = new ArrayList<>();
    private static final List<List<String>> LISTS = new ArrayList<>();
    private static final List<List<String>> VIEWS = new ArrayList<>();
    private static final int[] SIXTEEN = IntStream.range(0, 16).toArray();
    private static final int[][] MULTIPLES = new int[FEW][];
    private static final String[] NAMES = {"object", "name", "type", "id"};
    private static final Shape[] SHAPES = new Shape[FEW];
    private static final Large[] LARGE = new Large[FEW];
    private static final Class<?>[] TYPES = {ArrayList.class, String.class, Integer.class, java.util.HashMap.class};
    private static final Class<?>[][] INTERFACES = new Class<?>[TYPES.length][];
    private static final Settings SETTINGS = new Settings(3, 4);

    static {
        for (int v = 0; v < TYPES.length; v++)
            INTERFACES[v] = TYPES[v].getInterfaces();
        for (int v = 0; v < FEW; v++) {
            int value = v;
            BIG[v] = BigInteger.valueOf(10_000 + v);
            DATES[v] = LocalDate.ofEpochDay(18_000 + v);
            OPTIONALS.add(Optional.of(WORDS[v]));
            SUPPLIERS.add(() -> value);
            LISTS.add(new ArrayList<>(List.of(WORDS[v])));
            VIEWS.add(Collections.unmodifiableList(LISTS.get(v)));
            MULTIPLES[v] = new int[] {v, 2 * v, 3 * v, 4 * v, 5 * v, 6 * v, 7 * v, 8 * v};
            SHAPES[v] = new Shape(v, 2);
            LARGE[v] = new Large(v);
        }
    }

    private static long count(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += ((Class<?>[]) Avoidable.BATCH[k])[1] == java.io.Serializable.class ? 1 : 0;
        return sum;
    }

    static long interfaces(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = TYPES[k % TYPES.length].getInterfaces();
        return count(times);
    }

    static long interfacesFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = INTERFACES[k % TYPES.length];
        return count(times);
    }

    static final class Shape {
        final int width;
        final int height;

        Shape(int width, int height) {
            this.width = width;
            this.height = height;
        }
    }

    static final class Large {
        final long a, b, c, d, e, f, g, h, i, j, k, l;

        Large(long value) {
            a = value;
            b = c = d = e = f = g = h = i = j = k = 7;
            l = value * value;
        }
    }

    static final class Settings {
        final long first;
        final long second;

        Settings(long first, long second) {
            this.first = first;
            this.second = second;
        }
    }

    static final class Owner {
        final int number;
        final Settings settings;

        Owner(int number) {
            this.number = number;
            settings = new Settings(3, 4);
        }

        Owner(int number, Settings settings) {
            this.number = number;
            this.settings = settings;
        }
    }

    static List<Avoidable.Case> cases() {
        return List.of(
            at("boxing", "boxing", 1000, AvoidableEqual::boxing, AvoidableEqual::boxingFixed),
            at("boxingReal", "boxing", 1000, AvoidableEqual::boxingReal, AvoidableEqual::boxingRealFixed),
            at("bigNumber", "*", 250, AvoidableEqual::bigNumber, AvoidableEqual::bigNumberFixed),
            at("optional", "optional", 1000, AvoidableEqual::optional, AvoidableEqual::optionalFixed),
            at("interfaces", "reflection", 400, AvoidableEqual::interfaces, AvoidableEqual::interfacesFixed),
            at("lambda", "lambda,lambda-some", 1000, AvoidableEqual::lambda, AvoidableEqual::lambdaFixed),
            at("view", "view", 650, AvoidableEqual::view, AvoidableEqual::viewFixed),
            at("compileFew", "regex-compile", 20, AvoidableEqual::compileFew, AvoidableEqual::compileFewFixed),
            at("text", "text", 320, AvoidableEqual::text, AvoidableEqual::textFixed),
            at("textCut", "text-cut", 320, AvoidableEqual::textCut, AvoidableEqual::textCutFixed),
            at("copy", "copy", 200, AvoidableEqual::copy, AvoidableEqual::copyFixed),
            at("copiedArray", "copied-array", 200, AvoidableEqual::copiedArray, AvoidableEqual::copiedArrayFixed),
            at("constantArray", "constant-array,repeated-array,some-arrays", 500, AvoidableEqual::constantArray, AvoidableEqual::constantArrayFixed),
            at("repeatedArray", "repeated-array,constant-array,some-arrays", 330, AvoidableEqual::repeatedArray,
                AvoidableEqual::repeatedArrayFixed),
            at("same", "same", 700, AvoidableEqual::same, AvoidableEqual::sameFixed),
            at("fewSmall", "few-values,equal-some", 700, AvoidableEqual::fewSmall, AvoidableEqual::fewSmallFixed),
            at("fewLarge", "few-values,equal-some", 140, AvoidableEqual::fewLarge, AvoidableEqual::fewLargeFixed),
            at("fewResults", "few-results,some-results", 700, AvoidableEqual::fewResults, AvoidableEqual::fewResultsFixed),
            new Avoidable.Case("AvoidableEqual$Owner.<init>", "likely", "part", 320, AvoidableEqual::part,
                AvoidableEqual::partFixed),
            new Avoidable.Case("AvoidableEqual$Id.box-impl", "likely", "value-class", 700, AvoidableEqual::valueClass,
                AvoidableEqual::valueClassFixed));
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

    static long valueClass(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Id.box_impl(Avoidable.next(FEW));
        return use(times);
    }

    static long valueClassFixed(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += Avoidable.next(FEW);
        return sum;
    }

    private static Avoidable.Case at(String method, String rules, int times, Avoidable.Body before, Avoidable.Body after) {
        return new Avoidable.Case("AvoidableEqual." + method, "likely", rules, times, before, after);
    }

    /** What a body made last is used: so many of the batch. */
    private static long use(int times) {
        long sum = 0;
        for (int k = 0; k < times; k++)
            sum += used(Avoidable.BATCH[k]);
        return sum;
    }

    private static long used(Object o) {
        if (o instanceof Shape)
            return ((Shape) o).width + ((Shape) o).height;
        if (o instanceof Large)
            return ((Large) o).a + ((Large) o).l;
        if (o instanceof Owner)
            return ((Owner) o).number + ((Owner) o).settings.first + ((Owner) o).settings.second;
        if (o instanceof int[])
            return ((int[]) o)[1] + ((int[]) o)[7];
        if (o instanceof char[])
            return ((char[]) o)[1] + ((char[]) o)[7];
        if (o instanceof String[])
            return ((String[]) o)[1].length() + ((String[]) o)[3].length();
        if (o instanceof Optional)
            return ((Optional<?>) o).get() == WORDS[0] ? 1 : 0;
        if (o instanceof IntSupplier)
            return ((IntSupplier) o).getAsInt();
        if (o instanceof List)
            return ((List<?>) o).size();
        if (o instanceof String)
            return ((String) o).charAt(3);
        return o.hashCode();
    }

    static long boxing(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = 1000 + Avoidable.next(FEW);
        return use(times);
    }

    static long boxingFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = BOXES[Avoidable.next(FEW)];
        return use(times);
    }

    static long boxingReal(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Avoidable.next(FEW) * 0.5;
        return use(times);
    }

    static long boxingRealFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = REALS[Avoidable.next(FEW)];
        return use(times);
    }

    static long bigNumber(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = BigInteger.valueOf(10_000 + Avoidable.next(FEW));
        return use(times);
    }

    static long bigNumberFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = BIG[Avoidable.next(FEW)];
        return use(times);
    }

    static long optional(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Optional.of(WORDS[Avoidable.next(FEW)]);
        return use(times);
    }

    static long optionalFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = OPTIONALS.get(Avoidable.next(FEW));
        return use(times);
    }

    static long lambda(int times) {
        for (int k = 0; k < times; k++) {
            int value = Avoidable.next(FEW);
            Avoidable.BATCH[k] = (IntSupplier) () -> value;
        }
        return use(times);
    }

    static long lambdaFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = SUPPLIERS.get(Avoidable.next(FEW));
        return use(times);
    }

    static long view(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Collections.unmodifiableList(LISTS.get(Avoidable.next(FEW)));
        return use(times);
    }

    static long viewFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = VIEWS.get(Avoidable.next(FEW));
        return use(times);
    }

    static long compileFew(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Pattern.compile(EXPRESSIONS[Avoidable.next(FEW)]);
        return times;
    }

    static long compileFewFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = PATTERNS[Avoidable.next(FEW)];
        return times;
    }

    static long text(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new String(LETTERS[Avoidable.next(FEW)]);
        return use(times);
    }

    static long textFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = WORDS[Avoidable.next(FEW)];
        return use(times);
    }

    static long textCut(int times) {
        for (int k = 0; k < times; k++) {
            int from = 8 * Avoidable.next(FEW);
            Avoidable.BATCH[k] = LINE.substring(from, from + 8);
        }
        return use(times);
    }

    static long textCutFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = COLUMNS[Avoidable.next(FEW)];
        return use(times);
    }

    static long copy(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = LINE.toCharArray();
        return use(times);
    }

    static long copyFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = LINE_LETTERS;
        return use(times);
    }

    static long copiedArray(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = Arrays.copyOf(SIXTEEN, 16);
        return use(times);
    }

    static long copiedArrayFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = SIXTEEN;
        return use(times);
    }

    static long constantArray(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new String[] {"object", "name", "type", "id"};
        return use(times);
    }

    static long constantArrayFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = NAMES;
        return use(times);
    }

    static long repeatedArray(int times) {
        for (int k = 0; k < times; k++) {
            int v = Avoidable.next(FEW);
            Avoidable.BATCH[k] = new int[] {v, 2 * v, 3 * v, 4 * v, 5 * v, 6 * v, 7 * v, 8 * v};
        }
        return use(times);
    }

    static long repeatedArrayFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = MULTIPLES[Avoidable.next(FEW)];
        return use(times);
    }

    static long same(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Shape(1, 2);
        return use(times);
    }

    static long sameFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = SHAPES[1];
        return use(times);
    }

    static long fewSmall(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Shape(Avoidable.next(FEW), 2);
        return use(times);
    }

    static long fewSmallFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = SHAPES[Avoidable.next(FEW)];
        return use(times);
    }

    static long fewLarge(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Large(Avoidable.next(FEW));
        return use(times);
    }

    static long fewLargeFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = LARGE[Avoidable.next(FEW)];
        return use(times);
    }

    static long fewResults(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = LocalDate.ofEpochDay(18_000 + Avoidable.next(FEW));
        return use(times);
    }

    static long fewResultsFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = DATES[Avoidable.next(FEW)];
        return use(times);
    }

    static long part(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Owner(Avoidable.next());
        return use(times);
    }

    static long partFixed(int times) {
        for (int k = 0; k < times; k++)
            Avoidable.BATCH[k] = new Owner(Avoidable.next(), SETTINGS);
        return use(times);
    }
}
