// SPDX-License-Identifier: Apache-2.0

/** Allocates at one line, as often as the argument says, each time on another deep stack. */
public class Paths {
    static final int CHOICES = 240;

    static Object last;
    static long random = 42;

    static int next() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (int) (random & 3);
    }

    static void go(int deep) {
        if (deep == 0) {
            last = new long[500]; // line: made
            return;
        }
        switch (next()) {
            case 0:
                north(deep);
                break;
            case 1:
                east(deep);
                break;
            case 2:
                south(deep);
                break;
            default:
                west(deep);
        }
    }

    static void north(int deep) {
        go(deep - 1);
    }

    static void east(int deep) {
        go(deep - 1);
    }

    static void south(int deep) {
        go(deep - 1);
    }

    static void west(int deep) {
        go(deep - 1);
    }

    public static void main(String[] args) {
        for (int i = Integer.parseInt(args[0]); i > 0; i--) go(CHOICES);
        System.out.println(((long[]) last).length);
    }
}
