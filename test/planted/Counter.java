// SPDX-License-Identifier: Apache-2.0

/** Eight fields, of which one counts: what is left without it could be one object. */
final class Counter extends Planted<Counter.Thing> {
    static final class Thing {
        long first = 1;
        int second = 2;
        boolean third = true;
        final long serial;
        String fifth = "fifth";
        double sixth = 6;
        short seventh = 7;
        Object[] eighth = NOTHING;

        Thing(long serial) {
            this.serial = serial;
        }
    }

    static final Object[] NOTHING = new Object[0];

    Counter(String[] args) {
        super(args);
    }

    @Override
    Thing make(long i) {
        return new Thing(i + 1); // @site
    }

    @Override
    long use(Thing t) {
        return t.first + t.second + (t.third ? 3 : 0) + t.serial + t.fifth.length() + (long) t.sixth
            + t.seventh + t.eighth.length;
    }

    public static void main(String[] args) {
        Counter program = new Counter(args);
        program.run();
        program.finish();
    }
}
