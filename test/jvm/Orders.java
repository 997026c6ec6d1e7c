// SPDX-License-Identifier: Apache-2.0
package acme;

/** What the builds of test/t_ci.sh record: it makes texts, some of them again and again, Again.TIMES times. */
public final class Orders {
    static final String[] recent = new String[1000];
    static long sum;

    static void currency(int i) {
        keep(i, String.valueOf(1000 + i % 3));
    }

    static void number(int i) {
        keep(i, Integer.toString(i));
    }

    static void keep(int i, String text) {
        recent[i % recent.length] = text;
        sum += text.hashCode();
    }

    public static void main(String[] args) {
        for (int i = 0; i < 6_000_000; i++) {
            for (int k = 0; k < Again.TIMES; k++) {
                currency(i);
            }
            number(i);
        }
        System.out.println(sum);
    }
}
