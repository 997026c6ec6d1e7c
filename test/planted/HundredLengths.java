// SPDX-License-Identifier: Apache-2.0

/** Arrays of a hundred lengths, equally frequent; those of one length are the same. */
final class HundredLengths extends Planted<int[]> {
    HundredLengths(String[] args) {
        super(args);
    }

    @Override
    int[] make(long i) {
        int length = 10 + random(i, 100);
        int[] array = new int[length]; // @site
        for (int k = 0; k < length; k++) {
            array[k] = length + k;
        }
        return array;
    }

    @Override
    long use(int[] array) {
        long sum = 0;
        for (int element : array) {
            sum += element;
        }
        return sum;
    }

    public static void main(String[] args) {
        HundredLengths program = new HundredLengths(args);
        program.run();
        program.finish();
    }
}
