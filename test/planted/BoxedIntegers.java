// SPDX-License-Identifier: Apache-2.0

/** Integers beyond the cache: four values, equally frequent, a new object each time. */
final class BoxedIntegers extends Planted<Integer> {
    BoxedIntegers(String[] args) {
        super(args);
    }

    @Override
    Integer make(long i) {
        return Integer.valueOf(1000 + random(i, 4)); // @site
    }

    @Override
    long use(Integer value) {
        return value.intValue();
    }

    public static void main(String[] args) {
        BoxedIntegers program = new BoxedIntegers(args);
        program.run();
        program.finish();
    }
}
