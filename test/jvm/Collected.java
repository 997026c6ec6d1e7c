// SPDX-License-Identifier: Apache-2.0

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/**
 * Collections of each kind, at a method for each state: made and left empty, filled, filled and cleared, copied from
 * another one, copied from an empty one, deserialised. Also exceptions with and without a stack trace. Each method
 * prints nothing; the argument is how many of each are made.
 */
final class Collected {
    static final int BATCH = 64;
    static volatile Object[] escaped;
    static final List<String> SOME = Arrays.asList("a", "b", "c");
    static final Map<String, String> PAIRS = new HashMap<>();

    static final class Stop extends RuntimeException {
        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    static final class Quiet extends RuntimeException {
        Quiet() {
            super(null, null, false, false);
        }
    }

    static final class TracedException extends RuntimeException {
    }

    /** Nothing is in the fields that it inherits. */
    static final class Elsewhere extends ArrayList<String> {
        private final String[] own = {"a", "b"};

        @Override
        public int size() {
            return own.length;
        }
    }

    static Object keep(Object made, int i) {
        Object[] batch = escaped;
        if (batch == null || i % BATCH == 0)
            escaped = batch = new Object[BATCH];
        batch[i % BATCH] = made;
        return made;
    }

    // --- a method for each class, so that its line is its own
    static ArrayList<String> emptyArrayList() { return new ArrayList<>(); }
    static LinkedList<String> emptyLinkedList() { return new LinkedList<>(); }
    static Vector<String> emptyVector() { return new Vector<>(1); }
    static Stack<String> emptyStack() { return new Stack<>(); }
    static PriorityQueue<String> emptyPriorityQueue() { return new PriorityQueue<>(1); }
    static HashMap<String, String> emptyHashMap() { return new HashMap<>(); }
    static LinkedHashMap<String, String> emptyLinkedHashMap() { return new LinkedHashMap<>(); }
    static TreeMap<String, String> emptyTreeMap() { return new TreeMap<>(); }
    static WeakHashMap<String, String> emptyWeakHashMap() { return new WeakHashMap<>(1); }
    static IdentityHashMap<String, String> emptyIdentityHashMap() { return new IdentityHashMap<>(1); }
    static Hashtable<String, String> emptyHashtable() { return new Hashtable<>(1); }
    static ConcurrentHashMap<String, String> emptyConcurrentHashMap() { return new ConcurrentHashMap<>(); }
    static ConcurrentSkipListMap<String, String> emptyConcurrentSkipListMap() { return new ConcurrentSkipListMap<>(); }

    static ArrayList<String> copiedArrayList() { return new ArrayList<>(SOME); }
    static LinkedList<String> copiedLinkedList() { return new LinkedList<>(SOME); }
    static Vector<String> copiedVector() { return new Vector<>(SOME); }
    static PriorityQueue<String> copiedPriorityQueue() { return new PriorityQueue<>(SOME); }
    static HashMap<String, String> copiedHashMap() { return new HashMap<>(PAIRS); }
    static LinkedHashMap<String, String> copiedLinkedHashMap() { return new LinkedHashMap<>(PAIRS); }
    static TreeMap<String, String> copiedTreeMap() { return new TreeMap<>(PAIRS); }
    static WeakHashMap<String, String> copiedWeakHashMap() { return new WeakHashMap<>(PAIRS); }
    static IdentityHashMap<String, String> copiedIdentityHashMap() { return new IdentityHashMap<>(PAIRS); }
    static Hashtable<String, String> copiedHashtable() { return new Hashtable<>(PAIRS); }
    static ConcurrentHashMap<String, String> copiedConcurrentHashMap() { return new ConcurrentHashMap<>(PAIRS); }
    static ConcurrentSkipListMap<String, String> copiedConcurrentSkipListMap() {
        return new ConcurrentSkipListMap<>(PAIRS);
    }
    static List<String> copiedArraysList() { return Arrays.asList("a", "b"); }
    static Object clonedArrayList() { return ((ArrayList<?>) filled).clone(); }
    static Object clonedHashMap() { return ((HashMap<?, ?>) PAIRS).clone(); }

    static final Object filled = new ArrayList<>(SOME);

    static ArrayList<String> filledArrayList() { ArrayList<String> l = new ArrayList<>(1); l.add("a"); return l; }
    static HashMap<String, String> filledHashMap() { HashMap<String, String> m = new HashMap<>(1); m.put("a", "b"); return m; }
    static Properties filledProperties() { Properties p = new Properties(); p.put("a", "b"); return p; }
    static ConcurrentHashMap<String, String> filledConcurrentHashMap() {
        ConcurrentHashMap<String, String> m = new ConcurrentHashMap<>(1);
        m.put("a", "b");
        return m;
    }
    static Elsewhere filledElsewhere() { return new Elsewhere(); }

    static ArrayList<String> clearedArrayList() { ArrayList<String> l = new ArrayList<>(1); l.add("a"); l.clear(); return l; }
    static LinkedList<String> clearedLinkedList() { LinkedList<String> l = new LinkedList<>(); l.add("a"); l.clear(); return l; }
    static Vector<String> clearedVector() { Vector<String> l = new Vector<>(1); l.add("a"); l.clear(); return l; }
    static HashMap<String, String> clearedHashMap() { HashMap<String, String> m = new HashMap<>(1); m.put("a", "b"); m.clear(); return m; }
    static TreeMap<String, String> clearedTreeMap() { TreeMap<String, String> m = new TreeMap<>(); m.put("a", "b"); m.clear(); return m; }
    static Hashtable<String, String> clearedHashtable() { Hashtable<String, String> m = new Hashtable<>(1); m.put("a", "b"); m.clear(); return m; }
    static ConcurrentHashMap<String, String> clearedConcurrentHashMap() {
        ConcurrentHashMap<String, String> m = new ConcurrentHashMap<>(1);
        m.put("a", "b");
        m.clear();
        return m;
    }
    static ConcurrentSkipListMap<String, String> clearedConcurrentSkipListMap() {
        ConcurrentSkipListMap<String, String> m = new ConcurrentSkipListMap<>();
        m.put("a", "b");
        m.clear();
        return m;
    }
    static PriorityQueue<String> clearedPriorityQueue() { PriorityQueue<String> q = new PriorityQueue<>(1); q.add("a"); q.poll(); return q; }

    static final byte[] stored = store();

    static byte[] store() {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream(); ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Object[] {new ArrayList<>(SOME), new HashMap<>(Collections.singletonMap("a", "b"))});
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Object readBack() {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stored))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static Object overriddenTrace() { return new Stop(); }
    static Object unwritableTrace() { return new Quiet(); }
    static Object fullTrace() { return new TracedException(); }

    static final List<Supplier<Object>> makers = Arrays.asList(
            Collected::emptyArrayList, Collected::emptyLinkedList, Collected::emptyVector, Collected::emptyStack,
            Collected::emptyPriorityQueue, Collected::emptyHashMap, Collected::emptyLinkedHashMap, Collected::emptyTreeMap,
            Collected::emptyWeakHashMap, Collected::emptyIdentityHashMap, Collected::emptyHashtable,
            Collected::emptyConcurrentHashMap, Collected::emptyConcurrentSkipListMap,
            Collected::copiedArrayList, Collected::copiedLinkedList, Collected::copiedVector, Collected::copiedPriorityQueue,
            Collected::copiedHashMap, Collected::copiedLinkedHashMap, Collected::copiedTreeMap, Collected::copiedWeakHashMap,
            Collected::copiedIdentityHashMap, Collected::copiedHashtable, Collected::copiedConcurrentHashMap,
            Collected::copiedConcurrentSkipListMap, Collected::copiedArraysList, Collected::clonedArrayList, Collected::clonedHashMap,
            Collected::filledArrayList, Collected::filledHashMap, Collected::filledProperties, Collected::filledConcurrentHashMap,
            Collected::filledElsewhere,
            Collected::clearedArrayList, Collected::clearedLinkedList, Collected::clearedVector, Collected::clearedHashMap,
            Collected::clearedTreeMap, Collected::clearedHashtable, Collected::clearedConcurrentHashMap,
            Collected::clearedConcurrentSkipListMap, Collected::clearedPriorityQueue,
            Collected::overriddenTrace, Collected::unwritableTrace, Collected::fullTrace);

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]), made = 0;
        PAIRS.put("a", "b");
        for (int i = 0; i < n; i++)
            for (Supplier<Object> maker : makers)
                keep(maker.get(), made++);
        for (int i = 0; i < n / 8; i++)
            keep(readBack(), made++);
        System.out.println(n);
    }
}
