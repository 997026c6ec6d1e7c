// SPDX-License-Identifier: Apache-2.0
// Many equal objects of each kind that cannot be shared, since they are locks, variables, streams, or still empty; and
// of some kinds that can. The program dumps its heap.
//   Apart FILE

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.*;
import java.lang.management.ManagementFactory;
import java.lang.ref.ReferenceQueue;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class Apart {
    static final int EACH = 300;

    static class NoFields {
    }

    /** Its elements may be elsewhere: its inherited size says nothing. */
    static class Elsewhere extends ArrayList<Object> {
        final Object[] own = {"a", "b"};
    }

    static class Plain {
        final int value = 7;
    }

    static Object[] equal() {
        ReentrantLock lock = Apart.lock;
        return new Object[] {
            new Object(), new NoFields(), new ReentrantLock(), lock.newCondition(), new StampedLock(), new Semaphore(1),
            new ReentrantReadWriteLock(), new CountDownLatch(1), new ReferenceQueue<>(), new ThreadLocal<>(), new Exchanger<>(),
            new AtomicBoolean(), new AtomicInteger(), new AtomicIntegerArray(2), new AtomicLongArray(3), new AtomicReference<>(),
            new AtomicReferenceArray<>(2), new AtomicStampedReference<>("x", 1), new LongAdder(), new CompletableFuture<>(),
            new FutureTask<>(() -> null), new ByteArrayInputStream(bytes), new StringReader("x"), new Random(),
            // still empty
            new ArrayList<>(), new ArrayList<>(8), new LinkedList<>(), new Vector<>(), new Stack<>(), new ArrayDeque<>(),
            new PriorityQueue<>(), new HashMap<>(), new HashMap<>(32), new LinkedHashMap<>(), new TreeMap<>(), new WeakHashMap<>(),
            new IdentityHashMap<>(), new Hashtable<>(), new Properties(), new EnumMap<>(TimeUnit.class), new BitSet(),
            EnumSet.noneOf(TimeUnit.class), new HashSet<>(), new LinkedHashSet<>(), new TreeSet<>(), new ConcurrentHashMap<>(),
            new ConcurrentSkipListMap<>(), new ConcurrentSkipListSet<>(), new ConcurrentLinkedQueue<>(),
            new ConcurrentLinkedDeque<>(), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(), new LinkedTransferQueue<>(),
            new ArrayBlockingQueue<>(3), new CopyOnWriteArrayList<>(), new PriorityBlockingQueue<>(), new SynchronousQueue<>(),
            new StringBuilder(), new int[5], new String[6],
            // can be shared
            new Plain(), new Double(0.5), new BigDecimal("0.25"), LocalDate.of(2024, 2, 29), Optional.of(lock), new char[0],
            new Elsewhere(), Collections.singletonList("x"), new TreeMap<>(Map.of("a", "b")), filled(),
        };
    }

    static Object filled() {
        Properties p = new Properties();
        p.setProperty("key", "value");
        return p;
    }

    static final ReentrantLock lock = new ReentrantLock();
    static final byte[] bytes = {1, 2, 3};
    static final List<Object[]> all = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < EACH; i++)
            all.add(equal());
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.out.println(all.size());
    }
}
