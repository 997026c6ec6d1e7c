// SPDX-License-Identifier: Apache-2.0
// Copies of strings in collections and wrappers of each kind, each the only one that its field leads to. The program
// dumps its heap; the holder of the copies in a collection is the field of this class.
//   Holders FILE

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.Supplier;

public class Holders {
    static final int COPIES = 30, VALUES = 3;
    static int made, only;

    /** Each call makes another object; three values differ. Each collection has a text of its own, so it is no copy. */
    static String copy() {
        return new String(("copy-" + made++ % VALUES).toCharArray());
    }

    static String key() {
        return "key-" + made;
    }

    static <C extends Collection<Object>> C filled(C to) {
        for (int i = 0; i < COPIES; i++)
            to.add(copy());
        to.add("only-" + only++);
        return to;
    }

    static <K, M extends Map<K, Object>> M values(M to, Supplier<? extends K> key) {
        for (int i = 0; i < COPIES; i++)
            to.put(key.get(), copy());
        return to;
    }

    static <M extends Map<String, Object>> M values(M to) {
        return values(to, Holders::key);
    }

    static Object[] array() {
        return filled(new ArrayList<>()).toArray();
    }

    static <C extends Collection<Object>> C wrapped(C to, java.util.function.Function<Object, Object> wrapper) {
        for (int i = 0; i < COPIES; i++)
            to.add(wrapper.apply(copy()));
        to.add(wrapper.apply("only-" + only++));
        return to;
    }

    static List<Object> part() {
        List<Object> all = filled(new ArrayList<>());
        return all.subList(all.size() - COPIES / 3 - 1, all.size());
    }

    /** A collection of the program; what it adds itself is held by its own field. */
    static class Registry extends HashMap<String, Object> {
        final Object[] own = array();
    }

    static class Shop {
        final Map<String, Object> byName = values(new LinkedHashMap<>());
        final LinkedList<Object> linked = filled(new LinkedList<>());
        final Vector<Object> vector = filled(new Vector<>());
        final ArrayDeque<Object> deque = filled(new ArrayDeque<>());
        final PriorityQueue<Object> priority = filled(new PriorityQueue<>());
        final Map<String, Object> hashtable = values(new Hashtable<>());
        final Map<String, Object> weak = values(new WeakHashMap<>());
        final List<String> weakKeys = new ArrayList<>((Collection<String>) weak.keySet());
        final Map<String, Object> identity = values(new IdentityHashMap<>());
        final Map<String, Object> tree = values(new TreeMap<>());
        final Map<String, Object> skip = values(new ConcurrentSkipListMap<>());
        final Map<String, Object> concurrent = values(new ConcurrentHashMap<>());
        final Object copyOnWrite = filled(new CopyOnWriteArrayList<>());
        final Object linkedQueue = filled(new ConcurrentLinkedQueue<>());
        final Object linkedDeque = filled(new ConcurrentLinkedDeque<>());
        final Object blocking = filled(new LinkedBlockingQueue<>());
        final Object blockingDeque = filled(new LinkedBlockingDeque<>());
        final Object arrayBlocking = filled(new ArrayBlockingQueue<>(COPIES + 1));
        final Object priorityBlocking = filled(new PriorityBlockingQueue<>());
        final Object synchronizedMap = Collections.synchronizedMap(values(new HashMap<>()));
        final Object unmodifiable = Collections.unmodifiableList(filled(new LinkedList<>()));
        final Object listOf = List.of(array());
        final Object asList = Arrays.asList(array());
        final Object[] array = array();
        final Object[][] arrays = {array()};
        final Object optional = wrapped(new ArrayList<>(), Optional::of);
        final Object atomic = wrapped(new ArrayList<>(), AtomicReference::new);
        final Object atomicArray = new AtomicReferenceArray<>(array());
        final Object soft = wrapped(new ArrayList<>(), SoftReference::new);
        final Object future = wrapped(new ArrayList<>(), CompletableFuture::completedFuture);
        final Object nested = Optional.of(Collections.singletonList(Map.of("one", values(new TreeMap<>()))));
        final Object subclass = values(new HashMap<String, Object>() { });
        final Registry registry = values(new Registry());
        /** A row for each kind of collection would be three. */
        final Object[] mixed = {new ArrayList<>(part()), new LinkedList<>(part()), new ArrayDeque<>(part())};
        /** Both lead to one list. */
        final Object first = filled(new ArrayList<>()), second = Collections.unmodifiableList((List<?>) first);
    }

    static final Map<String, Object> INDEX = values(new LinkedHashMap<>());
    static Shop shop = new Shop();
    static WeakReference<Object> reference = new WeakReference<>(shop.linked);

    public static void main(String[] args) throws Exception {
        List<Object> local = filled(new LinkedList<>());
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.out.println(local.size() + shop.hashCode() + INDEX.size() > 0 ? "dumped" : "");
    }
}
