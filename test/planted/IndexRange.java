// SPDX-License-Identifier: Apache-2.0

/** Arrays of sixteen that are the same but for the elements 4 to 7. */
final class IndexRange extends Planted<int[]> {
    IndexRange(String[] args) {
        super(args);
    }

    @Override
    int[] make(long i) {
        int[] array = new int[16]; // @site
        for (int k = 0; k < array.length; k++) {
            array[k] = k >= 4 && k < 8 ? (int) i * 4 + k : 1000 + k;
        }
        return array;
    }

    @Override
    long use(int[] array) {
        long all = 0;
        for (int value : array) {
            all += value;
        }
        return all;
    }

    public static void main(String[] args) {
        IndexRange program = new IndexRange(args);
        program.run();
        program.finish();
    }
}
