// SPDX-License-Identifier: Apache-2.0
/*
 * Touches fresh memory at one line: arrays of 1 KiB that nobody keeps, fewer than fit into the
 * young generation.
 *
 *     java Faults COUNT
 */
final class Faults {
    static int sum;

    static void fill(int count) {
        for (int i = 0; i < count; i++) {
            int[] array = new int[252]; // line: fault
            sum += array.length + array[i & 127];
        }
    }

    public static void main(String[] args) {
        /*
         * few per call: until the method is compiled, the VM makes the arrays and touches their
         * memory
         */
        for (int n = Integer.parseInt(args[0]) / 100; n > 0; n--)
            fill(100);
        System.out.println(sum);
    }
}
