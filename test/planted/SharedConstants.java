// SPDX-License-Identifier: Apache-2.0

/** Three in four objects refer to the same two constants; in the rest both references and the number differ. */
final class SharedConstants extends Planted<SharedConstants.Pair> {
    private static final int OTHERS = 10_000;
    private final String left = "left";
    private final String right = "right";
    private final Object[] others = new Object[OTHERS];

    /** The fields are not final, so that each load happens. */
    static final class Pair {
        Object first;
        Object second;
        int number;
        int negative;

        Pair(Object first, Object second, int number) {
            this.first = first;
            this.second = second;
            this.number = number;
            negative = -number;
        }
    }

    SharedConstants(String[] args) {
        super(args);
        for (int k = 0; k < OTHERS; k++) {
            others[k] = "other " + k;
        }
    }

    @Override
    Pair make(long i) {
        boolean same = random(i, 4) != 0;
        Object first = same ? left : others[(int) (i % OTHERS)];
        Object second = same ? right : others[(int) ((i + 1) % OTHERS)];
        return new Pair(first, second, same ? 7 : (int) i + 100); // @site
    }

    @Override
    long use(Pair pair) {
        return (pair.first == left ? 1 : 0) + (pair.second == right ? 2 : 0) + pair.number + pair.negative;
    }

    public static void main(String[] args) {
        SharedConstants program = new SharedConstants(args);
        program.run();
        program.finish();
    }
}
