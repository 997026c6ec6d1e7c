// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.StringReader;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Exchanger;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Objects that refer to others. Each kind is made in its own method, which test/t_deep.sh knows.
 * Three in four objects of a kind (k is 0) have the same content, but every object, and all that it
 * refers to, is made anew. Prints the number of objects.
 */
final class Deep {
    static final String[] WORDS = {"", "alpha", "b\u00e9ta", "\u4f60\u597d", "\ud83d\ude00", "zeta", "eta", "theta",
        "iota".repeat(30), "\u00e9".repeat(40)};
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Callable<Object> NOTHING = () -> null;
    static final byte[] BYTES = {1, 2, 3};
    static final Object[] KEPT = new Object[512];
    static volatile Object[] escaped = KEPT;

    /** Content and references. */
    static final class Node {
        Object left;
        Object right;
        int number;

        Node(Object left, Object right, int number) {
            this.left = left;
            this.right = right;
            this.number = number;
        }
    }

    enum Colour { RED, GREEN }

    /** A subclass with references behind the primitive fields of its superclass. */
    static class Base {
        long a;
        byte b;
        Object first;
    }

    static final class Derived extends Base {
        short c;
        String second;
        double d;
        int[] third;
    }

    static String text(int k) {
        return new String(new char[] {'t', 'e', 'x', 't', (char) ('a' + k)});
    }

    static Object string(int k, int r) {
        String s = new String(new char[] {'s', (char) ('a' + k)}); // @string
        if (r % 2 == 0) {
            s.hashCode(); // cached in some of the equal strings
        }
        return s;
    }

    static Object nested(int k, int r) {
        Node left = new Node(text(k), null, 1);
        Node right = new Node(null, new int[] {k, 2, 3}, 2);
        return new Node(left, right, 3); // @nested
    }

    static Object inherited(int k, int r) {
        Derived d = new Derived(); // @inherited
        d.first = Integer.valueOf(1000 + k);
        d.second = text(3);
        d.third = new int[] {4};
        return d;
    }

    /** The same content, made in two ways: grown or not, with different modCount. */
    static Object list(int k, int r) {
        List<Object> list = new ArrayList<>(4); // @list
        list.add(text(k));
        list.add(Long.valueOf(12345));
        if (r % 2 == 0) {
            list.add(null);
            list.remove(2);
        }
        return list;
    }

    static Object map(int k, int r) {
        HashMap<String, Object> map = new HashMap<>(); // @map
        map.put(text(k), new Object[] {text(1), null});
        if (r % 2 == 0) {
            map.keySet(); // a view that some maps have
        }
        return map;
    }

    static Object cycle(int k, int r) {
        Node a = new Node(null, null, k); // @cycle
        Node b = new Node(a, null, 7);
        a.left = b;
        a.right = a;
        return a;
    }

    /** One string twice, or two equal ones: equal as values. */
    static Object shared(int k, int r) {
        String s = text(k);
        return new Node(s, r % 2 == 0 ? s : text(k), 1); // @shared
    }

    /** Longer than the agent reads; differs only at the end. */
    static Object chain(int k, int r) {
        Node last = null;
        for (int i = 0; i < 99; i++) {
            last = new Node(last, null, i == 0 ? k : 1);
        }
        return new Node(last, null, 100); // @chain
    }

    /** More objects than the agent reads; the first ones are the same. */
    static Object wide(int k, int r) {
        Object[] all = new Object[300]; // @wide
        for (int i = 0; i < all.length; i++) {
            all[i] = new int[] {i == 299 ? k : i};
        }
        return all;
    }

    static Object lock(int k, int r) {
        return new Node(new ReentrantLock(), null, 1); // @lock
    }

    /** Objects of classes that are equal to none but themselves; most of these are loaded only now. */
    static Object apart(int k, int r) {
        Object own = alone(r % 12);
        return new Node(own, null, 1); // @apart
    }

    static Object alone(int which) {
        switch (which) {
        case 0:
            return new StampedLock();
        case 1:
            return LOCK.newCondition();
        case 2:
            return new ReferenceQueue<Object>();
        case 3:
            return new Exchanger<Object>();
        case 4:
            return new FutureTask<Object>(NOTHING);
        case 5:
            return new Phaser();
        case 6:
            return new SynchronousQueue<Object>();
        case 7:
            return new ThreadLocal<Object>();
        case 8:
            return new AtomicInteger();
        case 9:
            return new LongAdder();
        case 10:
            return new StringReader("x");
        default:
            return new ByteArrayInputStream(BYTES);
        }
    }

    static Object thread(int k, int r) {
        return new Node(Thread.currentThread(), null, k); // @thread
    }

    static Object type(int k, int r) {
        return new Node(k == 0 ? Deep.class : int[].class, Colour.GREEN, 1); // @type
    }

    static Object colour(int k, int r) {
        return new Node(k == 0 ? Colour.RED : Colour.GREEN, null, 1); // @colour
    }

    static Object lambda(int k, int r) {
        Runnable captures = () -> escaped[k] = null;
        return new Node(captures, null, 1); // @lambda
    }

    static Object hashed(int k, int r) {
        Node node = new Node(null, null, 5); // @hashed
        if (k == 0) {
            System.identityHashCode(node);
        }
        return node;
    }

    /** A thread waits on it, so it gets a monitor, which stays for a while. */
    static Object locked(int k, int r) throws InterruptedException {
        Node node = new Node(null, null, 6); // @locked
        if (k == 0) {
            synchronized (node) {
                node.wait(0, 1);
            }
        }
        return node;
    }

    static Object word(int k, int r) {
        return new String(WORDS[r % WORDS.length].toCharArray()); // @word
    }

    static Object make(int kind, int k, int r) throws InterruptedException {
        switch (kind) {
        case 0:
            return string(k, r);
        case 1:
            return nested(k, r);
        case 2:
            return inherited(k, r);
        case 3:
            return list(k, r);
        case 4:
            return map(k, r);
        case 5:
            return cycle(k, r);
        case 6:
            return shared(k, r);
        case 7:
            return lock(k, r);
        case 8:
            return thread(k, r);
        case 9:
            return type(k, r);
        case 10:
            return colour(k, r);
        case 11:
            return lambda(k, r);
        case 12:
            return hashed(k, r);
        case 13:
            return word(k, r);
        case 14:
            return chain(k, r);
        case 15:
            return wide(k, r);
        case 17:
            return apart(k, r);
        default:
            return locked(k, r);
        }
    }

    /**
     * Arguments: a file (the program ends when it exists), the least number of rounds, the kinds
     * that each round makes.
     */
    public static void main(String[] args) throws Exception {
        long made = 0;
        long state = 1;
        File end = new File(args[0]);
        for (int i = 0, least = Integer.parseInt(args[1]); i < least || i % 100 != 0 || !end.exists(); i++) {
            for (int a = 2; a < args.length; a++) {
                state = state * 6364136223846793005L + 1442695040888963407L;
                int r = (int) (state >>> 40);
                KEPT[(int) (made++ & 511)] = make(Integer.parseInt(args[a]), r % 4 == 3 ? 1 : 0, r / 4);
            }
        }
        System.out.println("deep " + made);
    }
}
