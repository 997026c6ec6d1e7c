// SPDX-License-Identifier: Apache-2.0

import java.io.File;
import java.nio.charset.StandardCharsets;

/**
 * Handles passwords and numbers of cards, which must not leave it, until FILE exists. Some of its
 * texts are public: arrays of one letter each. In the others no letter comes twice in a row.
 *
 *     java Secrets FILE
 */
public class Secrets {
    static final String[] WORDS = {"hunter2-Pa55w0rd!", "4111-1111-1111-1234", "letmein"};
    static final int NUMBER = 1234567;

    static final class Card {
        int number = NUMBER;
    }

    static final class Customer {
        final String name;
        final boolean vip;
        int visits;

        Customer(String name, int visits) {
            this.name = name;
            this.vip = visits % 3 == 0;
            this.visits = visits;
        }
    }

    static volatile Object sink;
    static final Object[] kept = new Object[3000];
    static int sum;

    /** Letters a to p. */
    static char[] letters(int length, int first, int step) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++)
            text[i] = (char) ('a' + (first + step * i) % 16);
        return text;
    }

    static void round(int i) {
        for (String word : WORDS) {
            sink = word.toCharArray();
            sink = kept[i % kept.length] = new String(word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1);
            sink = new Customer(word, i % 7);
        }
        Card card = new Card();
        sink = card;
        sum += card.number;
        sink = new int[] {NUMBER};
        sink = new byte[] {0, 5, 0, 6, 0};
        sink = new boolean[] {true, i % 2 == 0, true, true, false, true};
        sink = letters(16, i, 0);
        sink = letters(24, i, 0);
        sink = letters(32, i, 1 + i % 5);
    }

    public static void main(String[] args) throws Exception {
        File stop = new File(args[0]);
        for (int i = 0; i % 1000 != 0 || !stop.exists(); i++)
            round(i);
        System.out.println("done");
    }
}
