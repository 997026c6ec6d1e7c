// SPDX-License-Identifier: Apache-2.0

/**
 * Objects that refer to others, of which a part cannot change. Argument: how many of each kind are
 * made. What the kinds have in common is moved by collections and changes all the time.
 */
public final class Fixed {
    static final class Shared {
        final String name;
        final int id;
        final Shared next;
        int counter;
        Object changes;

        Shared(String name, int id, Shared next) {
            this.name = name;
            this.id = id;
            this.next = next;
        }
    }

    static final class Changing {
        int id;
        String name;
    }

    static final class Ref {
        Object to;

        Ref(Object to) {
            this.to = to;
        }
    }

    static volatile Object sink;
    static volatile byte[] garbage;

    private Fixed() {
    }

    /** One object for all, which changes. */
    static void same(Shared one) {
        one.counter++;
        one.changes = garbage;
        sink = new Ref(one);
    }

    /** Differ by a final number. */
    static void numbers(int i) {
        sink = new Ref(new Shared("number", i, null));
    }

    /** Differ by a final number at the end of final references. */
    static void chains(int i) {
        sink = new Ref(new Shared("a", 1, new Shared("b", 2, new Shared("c", i, null))));
    }

    /** Differ by a text. */
    static void texts(int i) {
        sink = new Ref(Integer.toString(i));
    }

    /** Refer to equal texts. */
    static void copies() {
        sink = new Ref(new String("copy"));
    }

    /** Differ by what can change. */
    static void changing(int i) {
        Changing to = new Changing();
        to.id = i;
        to.name = "name " + i;
        sink = new Ref(to);
    }

    /** Arrays whose elements differ by a final number. */
    static void arrays(int i) {
        sink = new Shared[] { new Shared("x", i, null), null };
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        Shared one = new Shared("one", 1, null);
        for (int i = 0; i < n; i++) {
            same(one);
            numbers(i);
            chains(i);
            texts(i);
            copies();
            changing(i);
            arrays(i);
            garbage = new byte[200];
        }
        System.out.println(one.counter);
    }
}
