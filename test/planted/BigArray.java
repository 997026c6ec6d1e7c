// SPDX-License-Identifier: Apache-2.0

/** Arrays of 4 KiB, any two of which differ in exactly one of their 1024 elements. */
final class BigArray extends Planted<int[]> {
    BigArray(String[] args) {
        super(args);
    }

    @Override
    int[] make(long i) {
        int[] array = new int[1024]; // @site
        for (int k = 0; k < array.length; k++) {
            array[k] = k * k;
        }
        array[777] = (int) -i;
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
        BigArray program = new BigArray(args);
        program.run();
        program.finish();
    }
}
