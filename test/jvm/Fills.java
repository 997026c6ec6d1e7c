// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StringWriter;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;

/**
 * Makes collections, buffers and builders of each class in known states, for fills.py.
 *
 *     java --add-opens java.base/java.util=ALL-UNNAMED ... Fills
 *
 * It goes on until its standard input ends. Each class has a thread of its name, and each state a method. It prints a line for each: name, class, state, how many elements
 * it holds, its count of changes and the places of its tables, as reflection reads the same fields; -1: it has no such field. Then it prints 'all'.
 */
public class Fills {
    private static final int TIMES = 5;
    private static final Object[] ring = new Object[4096];
    private static int ringed;

    /** A class, and what its objects can do. */
    static class Kind {
        final String name;
        final Supplier<Object> maker;
        final String size;
        final String changes;
        final String[] tables;
        Object source;
        Object emptySource;
        Method clone;

        Kind(String name, Supplier<Object> maker, String size, String changes, String... tables) {
            this.name = name;
            this.maker = maker;
            this.size = size;
            this.changes = changes;
            this.tables = tables;
        }

        Object make() {
            return maker.get();
        }

        @SuppressWarnings("unchecked")
        void add(Object to, int i) throws Exception {
            if (to instanceof Map)
                ((Map<Object, Object>) to).put(key(i), "value");
            else if (to instanceof BitSet)
                ((BitSet) to).set(64 * i);
            else if (to instanceof Collection)
                ((Collection<Object>) to).add(key(i));
            else if (to instanceof ByteArrayOutputStream)
                ((ByteArrayOutputStream) to).write(i + 1);
            else
                ((Appendable) to).append((char) ('a' + i % 26));
        }

        Object key(int i) {
            return KEYS[i];
        }

        long sizeOf(Object o) throws Exception {
            return number(o, size);
        }

        boolean canBeRead(Object o) {
            return o instanceof Serializable && !(o instanceof ByteArrayOutputStream);
        }

        void clear(Object o) throws Exception {
            if (o instanceof StringBuilder)
                ((StringBuilder) o).setLength(0);
            else if (o instanceof StringBuffer)
                ((StringBuffer) o).setLength(0);
            else if (o instanceof StringWriter)
                ((StringWriter) o).getBuffer().setLength(0);
            else if (o instanceof ByteArrayOutputStream)
                ((ByteArrayOutputStream) o).reset();
            else if (o instanceof CharArrayWriter)
                ((CharArrayWriter) o).reset();
            else if (o instanceof BitSet)
                ((BitSet) o).clear();
            else if (o instanceof Map)
                ((Map<?, ?>) o).clear();
            else
                ((Collection<?>) o).clear();
        }
    }

    static final String[] KEYS = new String[200];

    static {
        for (int i = 0; i < KEYS.length; i++)
            KEYS[i] = "key" + i;
    }

    enum Colour { RED, GREEN, BLUE, WHITE, BLACK }

    static Method method(Object o, String name) throws Exception {
        for (Class<?> c = o.getClass(); ; c = c.getSuperclass())
            try {
                Method m = c.getDeclaredMethod(name);
                m.setAccessible(true);
                return m;
            } catch (NoSuchMethodException e) {
                if (c.getSuperclass() == null)
                    throw e;
            }
    }

    /** The value of a field; "map.size" is a field of what another one refers to. */
    static Object value(Object o, String path) throws Exception {
        for (String name : path.split("/"))
            for (Class<?> c = o.getClass(); ; c = c.getSuperclass())
                try {
                    Field f = c.getDeclaredField(name);
                    f.setAccessible(true);
                    o = f.get(o);
                    break;
                } catch (NoSuchFieldException e) {
                    if (c.getSuperclass() == null)
                        throw e;
                }
        return o;
    }

    static long number(Object o, String path) throws Exception {
        if (path == null)
            return -1;
        String[] parts = path.split("-");
        long n = ((Number) value(o, parts[0])).longValue();
        if (parts.length > 1) {
            n -= ((Number) value(o, parts[1])).longValue();
            n += n < 0 ? Array.getLength(value(o, parts[2])) : 0;
        }
        return n;
    }

    // ---- states ---------------------------------------------------------------------------

    static Object empty(Kind k) {
        return k.make();
    }

    static Object filled(Kind k, int n) throws Exception {
        Object o = k.make();
        for (int i = 0; i < n; i++)
            k.add(o, i);
        return o;
    }

    static Object one(Kind k) throws Exception {
        return filled(k, 1);
    }

    static Object three(Kind k) throws Exception {
        return filled(k, 3);
    }

    static Object dozen(Kind k) throws Exception {
        return filled(k, 13);
    }

    static Object many(Kind k) throws Exception {
        return filled(k, 130);
    }

    static Object cleared(Kind k) throws Exception {
        Object o = filled(k, 3);
        k.clear(o);
        return o;
    }

    static Object copied(Kind k) throws Exception {
        return k.clone.invoke(k.source);
    }

    static Object copiedEmpty(Kind k) throws Exception {
        return k.clone.invoke(k.emptySource);
    }

    static Object read(Kind k) throws Exception {
        return new ObjectInputStream(new ByteArrayInputStream(written.computeIfAbsent(k, Fills::write))).readObject();
    }

    static final Map<Kind, byte[]> written = new ConcurrentHashMap<>();

    static byte[] write(Kind k) {
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream(); ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(filled(k, 3));
            out.flush();
            return bytes.toByteArray();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    interface State {
        Object make(Kind k) throws Exception;
    }

    static Map<String, State> states(Kind k) throws Exception {
        Map<String, State> all = new TreeMap<>();
        all.put("empty", Fills::empty);
        all.put("one", Fills::one);
        all.put("three", Fills::three);
        if (!k.name.equals("EnumMap")) {
            all.put("dozen", Fills::dozen);
            all.put("many", Fills::many);
        }
        all.put("cleared", Fills::cleared);
        Object o = k.make();
        if (o instanceof Cloneable) {
            k.source = filled(k, 3);
            k.emptySource = o;
            k.clone = method(o, "clone");
            all.put("copied", Fills::copied);
            all.put("copiedEmpty", Fills::copiedEmpty);
        }
        if (k.canBeRead(o))
            all.put("read", Fills::read);
        return all;
    }

    static void tell(Kind k, String state, Object o) throws Exception {
        StringBuilder line = new StringBuilder(k.name + " " + o.getClass().getName() + " " + state);
        line.append(' ').append(k.sizeOf(o)).append(' ').append(number(o, k.changes));
        for (String table : k.tables) {
            Object array = value(o, table);
            line.append(' ').append(array == null ? 0 : Array.getLength(array)).append(':')
                    .append(array == null ? "L" : array.getClass().getName().charAt(1));
        }
        synchronized (System.out) {
            System.out.println(line);
        }
    }

    static void run(Kind k, boolean first) {
        try {
            for (Map.Entry<String, State> e : states(k).entrySet()) {
                if (first)
                    tell(k, e.getKey(), e.getValue().make(k));
                for (int i = 0; i < TIMES; i++)
                    ring[ringed++ % ring.length] = e.getValue().make(k);
            }
        } catch (Exception | AssertionError e) {
            System.err.println(k.name);
            e.printStackTrace();
            System.exit(1); // else it would be a kind of which no state is told, and nobody would miss it
        }
    }

    static List<Kind> kinds() {
        List<Kind> all = new ArrayList<>();
        all.add(new Kind("ArrayList", ArrayList::new, "size", "modCount", "elementData"));
        all.add(new Kind("Vector", Vector::new, "elementCount", "modCount", "elementData"));
        all.add(new Kind("Stack", Stack::new, "elementCount", "modCount", "elementData"));
        all.add(new Kind("LinkedList", LinkedList::new, "size", "modCount"));
        all.add(new Kind("HashMap", HashMap::new, "size", "modCount", "table"));
        all.add(new Kind("LinkedHashMap", LinkedHashMap::new, "size", "modCount", "table"));
        all.add(new Kind("HashSet", HashSet::new, "map/size", "map/modCount", "map/table"));
        all.add(new Kind("LinkedHashSet", LinkedHashSet::new, "map/size", "map/modCount", "map/table"));
        all.add(new Kind("TreeMap", TreeMap::new, "size", "modCount"));
        all.add(new Kind("TreeSet", TreeSet::new, "m/size", "m/modCount"));
        all.add(new Kind("Hashtable", Hashtable::new, "count", "modCount", "table"));
        all.add(new Kind("IdentityHashMap", IdentityHashMap::new, "size", "modCount", "table"));
        all.add(new Kind("WeakHashMap", WeakHashMap::new, "size", "modCount", "table"));
        all.add(new Kind("PriorityQueue", PriorityQueue::new, "size", "modCount", "queue"));
        all.add(new Kind("ArrayDeque", ArrayDeque::new, "tail-head-elements", null, "elements"));
        all.add(new Kind("BitSet", BitSet::new, "wordsInUse", null, "words"));
        all.add(new Kind("ConcurrentHashMap", ConcurrentHashMap::new, "baseCount", null, "table"));
        all.add(new Kind("ArrayBlockingQueue", () -> new ArrayBlockingQueue<>(200), "count", null, "items"));
        all.add(new Kind("PriorityBlockingQueue", PriorityBlockingQueue::new, "size", null, "queue"));
        all.add(new Kind("LinkedBlockingDeque", LinkedBlockingDeque::new, "count", null));
        all.add(new Kind("StringBuilder", StringBuilder::new, "count", null, "value"));
        all.add(new Kind("StringBuffer", StringBuffer::new, "count", null, "value"));
        all.add(new Kind("StringWriter", StringWriter::new, "buf/count", null, "buf/value"));
        all.add(new Kind("ByteArrayOutputStream", ByteArrayOutputStream::new, "count", null, "buf"));
        all.add(new Kind("CharArrayWriter", CharArrayWriter::new, "count", null, "buf"));
        all.add(new Kind("EnumMap", () -> new EnumMap<Colour, Object>(Colour.class), "size", null) {
            @Override
            Object key(int i) {
                return Colour.values()[i];
            }
        });
        all.add(new Kind("OwnList", OwnList::new, "size", "modCount", "elementData"));
        return all;
    }

    /** No field of its own: it has no other place for elements. */
    static class OwnList extends ArrayList<Object> {
        private static final long serialVersionUID = 1;
    }

    static void all(List<Kind> kinds) throws Exception {
        for (boolean first = true; System.in.available() == 0; first = false)
            for (Kind k : kinds) {
                boolean tells = first;
                Thread t = new Thread(() -> run(k, tells), k.name);
                t.start();
                t.join();
                if (first && k == kinds.get(kinds.size() - 1))
                    System.out.println("all");
            }
    }

    public static void main(String[] args) throws Exception {
        all(kinds());
    }
}
