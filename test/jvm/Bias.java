// SPDX-License-Identifier: Apache-2.0
/*
 * Loops with a known number of accesses per line; some accesses take far longer than others. Prints
 * for each line: name, accesses, and its nanoseconds if they are those of this line alone
 * (otherwise 0).
 *
 *     java Bias loops|mixed SECONDS
 */
final class Bias {
    static final int FAR = 1 << 24, NEAR = 1 << 12;
    static final int[] far = new int[FAR], near = new int[NEAR], index = new int[FAR / 4];
    static int sink;

    static void sequential(int[] from) {
        int sum = 0;
        for (int i = 0; i < from.length; i++)
            sum ^= sum << 1 ^ from[i]; // line: sequential
        sink += sum;
    }

    static void chase(int[] from, int steps) {
        int at = 0;
        for (int i = 0; i < steps; i++)
            at = from[at]; // line: chase
        sink += at;
    }

    static void mixed(int[] order, int[] remote, int[] local) {
        int sum = 0;
        for (int i = 0; i < order.length; i++) {
            int at = order[i]; // line: order
            sum += remote[at]; // line: remote
            local[i & NEAR - 1] = sum; // line: local
        }
        sink += sum;
    }

    /* One cycle through the whole array, in an order that no prefetcher predicts. */
    static void shuffle() {
        long seed = 1;
        for (int i = 0; i < FAR; i++)
            far[i] = i;
        for (int i = FAR - 1; i > 0; i--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            int j = (int) ((seed >>> 33) % i), swap = far[i];
            far[i] = far[j];
            far[j] = swap;
        }
        for (int i = 0; i < index.length; i++)
            index[i] = far[i];
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[1]) * 1000000000L;
        long rounds = 0, first = 0, second = 0;
        shuffle();
        for (; System.nanoTime() < end; rounds++) {
            long start = System.nanoTime();
            if (args[0].equals("loops")) {
                for (int k = 0; k < 64; k++)
                    sequential(near);
                long between = System.nanoTime();
                chase(far, 64 * NEAR);
                first += between - start;
                second += System.nanoTime() - between;
            } else {
                mixed(index, far, near);
            }
        }
        long n = args[0].equals("loops") ? rounds * 64 * NEAR : rounds * index.length;
        String[] lines = args[0].equals("loops") ? new String[] {"sequential", "chase"}
                                                 : new String[] {"order", "remote", "local"};
        for (String line : lines)
            System.out.println(line + " " + n + " "
                + (line.equals("sequential") ? first : line.equals("chase") ? second : 0));
    }
}
