// SPDX-License-Identifier: Apache-2.0

import java.io.File;

/**
 * Keeps objects for which it is known how much merging them would free. Makes other objects, which
 * nobody keeps, and collects garbage, until a file exists.
 *
 *     java Alive COUNT orderly|halt FILE       COUNT of each kind; how it ends
 */
public final class Alive {
    static final class Item {
        final int key;
        final int rest = 7;

        Item(int key) {
            this.key = key;
        }
    }

    static Object[] same;
    static Object[] distinct;
    static Object[] ten;
    static String[] strings;
    static Object last;

    static Item same() {
        return new Item(-1);
    }

    static Item distinct(int i) {
        return new Item(i);
    }

    static Item ten(int i) {
        return new Item(i % 10);
    }

    static Item dropped() {
        return new Item(-2);
    }

    /** Five texts; each string has its own array. */
    static String text(char[] characters, int i) {
        characters[0] = (char) ('a' + i % 5);
        return new String(characters);
    }

    private static void fill(int n) {
        char[] characters = "a text".toCharArray();
        same = new Object[n];
        distinct = new Object[n];
        ten = new Object[n];
        strings = new String[n];
        for (int i = 0; i < n; i++) {
            same[i] = same();
            distinct[i] = distinct(i);
            ten[i] = ten(i);
            strings[i] = text(characters, i);
            last = dropped();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int n = Integer.parseInt(args[0]);
        fill(n);
        File end = new File(args[2]);
        do {
            for (int k = 0; k < n; k++)
                last = dropped();
            last = null;
            Thread.sleep(100);
            System.gc();
        } while (!end.exists());
        System.out.println(same.length + distinct.length + ten.length + strings.length);
        if (args[1].equals("halt"))
            Runtime.getRuntime().halt(0);
    }
}
