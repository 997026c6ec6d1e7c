// SPDX-License-Identifier: Apache-2.0
// A heap whose equal objects are known, dumped by the program itself; then it prints the VM's own count of
// objects and bytes by class.
//   Heaped FILE [ORDERS]

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.ObjectName;

public class Heaped {
    /** All differ, by id; of their currencies three differ, which are held here alone. */
    static class Order {
        final int id;
        final String currency;
        final Amount amount;

        Order(int id) {
            this.id = id;
            currency = new String(("currency-" + id % 3).toCharArray());
            amount = new Amount(id % 10);
        }
    }

    /** Ten differ. */
    static class Amount {
        final long cents;

        Amount(long cents) {
            this.cents = cents;
        }
    }

    /** Rings of three: those of one number are equal, and so are their links. */
    static class Ring {
        final int number;
        Ring next;

        Ring(int number) {
            this.number = number;
        }
    }

    /** Links in both directions: each differs, by its distance from the ends; so do no two lists. */
    static class Link {
        Link next, previous;
    }

    /** Equal but for its identity. */
    static class Locked {
        final Object lock = new Object();
    }

    static class Weak extends WeakReference<Object> {
        Weak() {
            super(null);
        }
    }

    enum Color { RED, GREEN }

    static class Mixed {
        final boolean z = true;
        final byte b = 1;
        final char c = 'c';
        final short s = -2;
        final int i = 3;
        final long j = -4;
        final float f = 0.5f;
        final double d = -0.25;
        final Object[] array;

        Mixed(Object... array) {
            this.array = array;
        }
    }

    // equal whatever was done to them before
    static class ChangedVector extends Vector<String> { }
    static class ChangedQueue extends PriorityQueue<String> { }
    static class ChangedMap extends HashMap<Color, String> { }
    static class ChangedTree extends TreeMap<Color, String> { }
    static class ChangedTable extends Hashtable<Color, String> { }
    static class ChangedIdentity extends IdentityHashMap<Color, String> { }
    static class ChangedConcurrent extends ConcurrentHashMap<Color, String> { }
    static class ChangedEnums extends EnumMap<Color, String> {
        ChangedEnums() {
            super(Color.class);
        }
    }

    static void change(Collection<String> of, int times) {
        for (int i = 0; i < times; i++) {
            of.add("red");
            of.remove("red");
        }
        of.add("red");
        all.add(of);
    }

    static void change(Map<Color, String> of, int times) {
        for (int i = 0; i < times; i++) {
            of.put(Color.RED, "red");
            of.remove(Color.RED);
        }
        of.put(Color.RED, "red");
        if (times % 2 == 0)
            all.add(new Object[] {of.keySet(), of.values(), of.entrySet()});
        if (of instanceof TreeMap && times % 2 == 0)
            all.add(new Object[] {((TreeMap<?, ?>) of).navigableKeySet(), ((TreeMap<?, ?>) of).descendingMap()});
        all.add(of);
    }

    static void changed(int times) {
        change(new ChangedVector(), times);
        change(new ChangedQueue(), times);
        change(new ChangedMap(), times);
        change(new ChangedTree(), times);
        change(new ChangedTable(), times);
        change(new ChangedIdentity(), times);
        change(new ChangedConcurrent(), times);
        change(new ChangedEnums(), times);
    }

    static final ArrayList<Object> all = new ArrayList<>();
    static Order[] orders;

    static Ring ring(int number) {
        Ring first = new Ring(number);
        first.next = new Ring(number);
        first.next.next = new Ring(number);
        first.next.next.next = first;
        return first;
    }

    static Link list(int n) {
        Link first = new Link();
        for (int i = 1; i < n; i++) {
            Link link = new Link();
            link.next = first;
            first.previous = link;
            first = link;
        }
        return first;
    }

    static void plant() {
        for (int i = 0; i < 20; i++)
            all.add(ring(i % 4));
        for (int i = 0; i < 3; i++)
            all.add(list(100));
        for (int i = 0; i < 7; i++) {
            changed(i);
            all.add(new Locked());
            all.add(new Weak());
            all.add(new Mixed("red", Color.RED, i % 2 == 0 ? null : Color.GREEN));
            all.add(new HashMap<Integer, Integer>(64));
            all.add(new Object[] {new int[0][0], new Object[100]});
            all.add(new Object[] {new boolean[] {true}, new byte[] {1, 2}, new char[] {'x'}, new short[] {5},
                    new int[] {7, i % 2}, new long[] {1L << 40}, new float[] {1.5f}, new double[] {2.5}});
            all.add(new byte[1000 + i]);
        }
    }

    public static void main(String[] args) throws Exception {
        orders = new Order[args.length > 1 ? Integer.parseInt(args[1]) : 1200];
        for (int i = 0; i < orders.length; i++)
            orders[i] = new Order(i);
        plant();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.out.println(ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
                new Object[] {null}, new String[] {String[].class.getName()}));
    }
}
