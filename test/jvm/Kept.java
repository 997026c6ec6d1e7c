// SPDX-License-Identifier: Apache-2.0
// A heap with known numbers of objects for each question that `ojx heap` asks, dumped by the program itself.
//   Kept FILE

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Paths;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;

public class Kept {
    /** Of one size with and without its longest field, which has one value; another one has none. */
    static class Item {
        final int id;
        String never;
        final long same = 7;

        Item(int id) {
            this.id = id;
        }
    }

    static class Shop {
        final byte[] stock = new byte[100000];

        class Listener {
            int stock() {
                return stock.length;
            }
        }
    }

    /** Objects of two inner classes refer to the same one around them. */
    static class House {
        final byte[] rooms = new byte[30000];

        class Door {
            int rooms() {
                return rooms.length;
            }
        }

        class Window {
            int rooms() {
                return rooms.length;
            }
        }
    }

    /** The key of a weak map, and a value that refers to it; or to another one. */
    static class Key {
    }

    static class Value {
        final Key key;
        final byte[] own;

        Value(Key key, int length) {
            this.key = key;
            own = new byte[length];
        }
    }

    @SuppressWarnings("removal")
    static class Closing {
        protected void finalize() {
            System.err.println("nobody is closed here");
        }
    }

    @SuppressWarnings("removal")
    static class Blocking {
        protected void finalize() throws InterruptedException {
            blocked.countDown();
            new CountDownLatch(1).await();
        }
    }

    @SuppressWarnings("removal")
    static class Waiting {
        final byte[] held = new byte[500];

        protected void finalize() {
            held[0] = 1;
        }
    }

    /** The same, with fields that have no value and one value in all objects. One has one value in the objects of one loader alone. */
    public static final class Twice {
        public long never, same = 7, differs;
    }

    /** Two loaders have it, but not that of the program. */
    public static class Plugin {
        static final byte[] data = new byte[20000];
    }

    static class Node {
        Node next;
        final byte[] own = new byte[24];
    }

    static final CountDownLatch blocked = new CountDownLatch(1);
    static final Object[] empty = new Object[50], one = new Object[40], room = new Object[30], hashed = new Object[20];
    static final Object[] builders = new Object[20], sets = new Object[10], tight = new Object[15], deques = new Object[10];
    static final Object[] iterated = new Object[12], looked = new Object[9], nested = new Object[8], pairs = new Object[6];
    static final Object[] identities = new Object[7];
    static final Integer[] boxes = new Integer[300];
    static final Object[] sparse = new Object[10], zeroes = new Object[12], tails = new Object[11];
    static final Item[] items = new Item[500];
    static final Object listener = new Shop().new Listener();
    static final WeakHashMap<Object, byte[]> weak = new WeakHashMap<>();
    static final Object[] openings = new Object[2];
    static final WeakHashMap<Key, Value> held = new WeakHashMap<>(), ring = new WeakHashMap<>(), chain = new WeakHashMap<>();
    static final Key[] keys = new Key[5];
    static final SoftReference<Object> soft = new SoftReference<>(new StringBuilder(700));
    static final WeakReference<Object> weakly = new WeakReference<>(soft.get());
    static final Object[][] far = {{new Object[] {new int[300]}}};
    static final WeakReference<Object> near = new WeakReference<>(((Object[]) far[0][0])[0]);
    static final Closing[] closing = new Closing[35];
    static final ByteBuffer[] buffers = new ByteBuffer[5];
    static final Object[] plugins = new Object[2];
    static Object[] twices = new Object[120];
    static final byte[][] cache = new byte[100][10000];
    static Node list;

    static void plantCollections() {
        for (int i = 0; i < empty.length; i++)
            empty[i] = new ArrayList<String>();
        for (int i = 0; i < one.length; i++)
            (one[i] = new HashMap<Object, Object>()).hashCode();
        for (int i = 0; i < one.length; i++) {
            HashMap<Object, Object> map = new HashMap<>();
            map.put("key" + i, one);
            one[i] = map;
        }
        for (int i = 0; i < room.length; i++) {
            ArrayList<Object> list = new ArrayList<>(1000);
            list.add(i);
            list.add("b" + i);
            room[i] = list;
        }
        for (int i = 0; i < hashed.length; i++) { // 3 elements need 4 places
            LinkedHashMap<Object, Object> map = new LinkedHashMap<>(64);
            for (int k = 0; k < 3; k++)
                map.put(i + "-" + k, map);
            hashed[i] = map;
        }
        for (int i = 0; i < sets.length; i++) {
            HashSet<Object> set = new HashSet<>(128);
            for (int k = 0; k < 3; k++)
                set.add(i + "+" + k);
            sets[i] = set;
        }
        for (int i = 0; i < tight.length; i++) { // 13 elements need 32 places, of which 19 are null
            HashMap<Object, Object> map = new HashMap<>();
            for (int k = 0; k < 13; k++)
                map.put(i + ":" + k, tight);
            tight[i] = map;
        }
        for (int i = 0; i < deques.length; i++) {
            ArrayDeque<Object> deque = new ArrayDeque<>(100);
            deque.add("first" + i);
            deque.addFirst("around" + i);
            deques[i] = deque;
        }
        for (int i = 0; i < builders.length; i++)
            builders[i] = new StringBuilder(5000).append((char) ('a' + i)).append('b');
    }

    /** Views that are there once a set was iterated are no holders, and elements no parts of their collection. */
    static void plantElements() {
        for (int i = 0; i < iterated.length + looked.length; i++) {
            boolean empty = i >= iterated.length;
            HashSet<Object> set = empty ? new HashSet<>() : new HashSet<>(128);
            for (int k = 0; k < (empty ? 0 : 3); k++)
                set.add(i + "/" + k);
            for (Object each : set)
                each.hashCode();
            if (empty)
                looked[i - iterated.length] = set;
            else
                iterated[i] = set;
        }
        for (int i = 0; i < nested.length; i++) {
            Object[] element = new Object[50];
            for (int k = 0; k < element.length; k++)
                element[k] = i + "#" + k;
            ArrayList<Object> list = new ArrayList<>(1);
            list.add(element);
            nested[i] = list;
        }
        for (int i = 0; i < pairs.length; i++) {
            HashMap<Object, Object> map = new HashMap<>();
            map.put("pair" + i, new AbstractMap.SimpleEntry<>("left" + i, "right" + i));
            pairs[i] = map;
        }
        for (int i = 0; i < identities.length; i++) { // 11 elements need 32 pairs of places
            IdentityHashMap<Object, Object> map = new IdentityHashMap<>(100);
            for (int k = 0; k < 11; k++)
                map.put(i + "=" + k, map);
            identities[i] = map;
        }
    }

    static void plantArrays() {
        for (int i = 0; i < boxes.length; i++)
            boxes[i] = 100000 + i;
        for (int i = 0; i < sparse.length; i++) {
            String[] texts = new String[100];
            for (int k = 0; k < 5; k++)
                texts[k * 20] = "text" + i + k;
            sparse[i] = texts;
        }
        for (int i = 0; i < zeroes.length; i++)
            zeroes[i] = new int[200];
        for (int i = 0; i < tails.length; i++) {
            long[] numbers = new long[100];
            numbers[0] = numbers[1] = numbers[2] = 1 + i;
            tails[i] = numbers;
        }
    }

    static void plantOthers() throws Exception {
        for (int i = 0; i < items.length; i++)
            items[i] = new Item(i);
        for (int i = 0; i < 25; i++)
            weak.put(new Object(), new byte[1000 + i]);
        for (int i = 0; i < closing.length; i++)
            closing[i] = new Closing();
        for (int i = 0; i < 4; i++)
            buffers[i] = ByteBuffer.allocateDirect(100000);
        buffers[4] = buffers[0].duplicate();
        URL[] path = {Paths.get(System.getProperty("java.class.path")).toUri().toURL()};
        for (int i = 0; i < plugins.length; i++) {
            ClassLoader loader = new URLClassLoader(path, null);
            plugins[i] = Class.forName("Kept$Plugin", true, loader).getConstructor().newInstance();
            Class<?> twice = Class.forName("Kept$Twice", true, loader);
            for (int k = 0; k < 60; k++) {
                Object one = twices[60 * i + k] = twice.getConstructor().newInstance();
                twice.getField("differs").setLong(one, i == 0 ? 1 : k);
            }
        }
        for (int i = 0; i < 10000; i++) {
            Node node = new Node();
            node.next = list;
            list = node;
        }
    }

    /** Values that keep their own keys, or those of each other; and some that only keep what other values have for keys. */
    static void plantKeys() {
        House house = new House();
        openings[0] = house.new Door();
        openings[1] = house.new Window();
        for (int i = 0; i < 20; i++) {
            Key key = new Key();
            held.put(key, new Value(key, 2000 + i));
        }
        for (int i = 0; i < 4; i++) {
            Key left = new Key(), right = new Key();
            ring.put(left, new Value(right, 3000));
            ring.put(right, new Value(left, 3000));
        }
        for (int i = 0; i < keys.length; i++) { // each key is held, by a field or by the value of one that is
            keys[i] = new Key();
            Key next = new Key();
            chain.put(keys[i], new Value(next, 500));
            chain.put(next, new Value(null, 500));
        }
    }

    /** What is dead once this has returned. */
    static void drop(boolean waiting) {
        for (int i = 0; i < (waiting ? 15 : 1); i++)
            if (waiting)
                new Waiting();
            else
                new Blocking();
    }

    /** One finalizer never ends; what comes after it waits. */
    static void plantFinalizers() throws InterruptedException {
        drop(false);
        for (int i = 0; blocked.getCount() > 0 && i < 1000; i++) {
            System.gc();
            Thread.sleep(10);
        }
        drop(true);
        for (int i = 0; ManagementFactory.getMemoryMXBean().getObjectPendingFinalizationCount() < 15 && i < 1000; i++) {
            System.gc();
            Thread.sleep(10);
        }
    }

    public static void main(String[] args) throws Exception {
        plantCollections();
        plantElements();
        plantArrays();
        plantOthers();
        plantKeys();
        plantFinalizers();
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
        System.exit(0);
    }
}
