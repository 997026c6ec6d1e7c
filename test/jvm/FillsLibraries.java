// SPDX-License-Identifier: Apache-2.0

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * As Fills, of the collections of Scala, Kotlin, Guava, fastutil and Eclipse Collections that are on the class path; for fills_libraries.py. Nothing here
 * names their classes, so any version will do. How many elements an object holds is what its method size() says. A class that is not there is
 * told on standard error.
 */
public final class FillsLibraries extends Fills {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final String SCALA = "scala.collection.mutable.";
    private static final String GUAVA = "com.google.common.collect.";
    private static final String FAST = "it.unimi.dsi.fastutil.";
    private static final String ECLIPSE = "org.eclipse.collections.impl.";

    private FillsLibraries() {
    }

    static MethodHandle open(AccessibleObject o) throws Exception {
        o.setAccessible(true);
        MethodHandle h = o instanceof Method ? LOOKUP.unreflect((Method) o) : LOOKUP.unreflectConstructor((Constructor<?>) o);
        return h.asType(h.type().generic());
    }

    /** The public method of that name; one that takes objects comes before one that takes numbers. */
    static MethodHandle find(Class<?> c, int parameters, boolean isStatic, String... names) throws Exception {
        Method found = null;
        for (String name : names) {
            for (Method m : c.getMethods())
                if (m.getName().equals(name) && m.getParameterCount() == parameters && Modifier.isStatic(m.getModifiers()) == isStatic
                        && (found == null || parameters > 0 && m.getParameterTypes()[0] == Object.class))
                    found = m;
            if (found != null)
                return open(found);
        }
        throw new NoSuchMethodException(c + " " + String.join(" or ", names));
    }

    /** A class whose keys and values are objects of a type: "Object", "int", "long" or "double". */
    static final class Library extends Kind {
        private final String type;
        private final MethodHandle sizeOf;
        private final MethodHandle clear;
        private final MethodHandle add;
        private final MethodHandle put;

        Library(String name, Supplier<Object> maker, String type, String changes, String... tables) throws Exception {
            super(name, maker, "size", changes, tables);
            Class<?> c = maker.get().getClass();
            this.type = type;
            sizeOf = find(c, 0, false, "size");
            clear = find(c, 0, false, "clear");
            MethodHandle two = null;
            try {
                two = find(c, 2, false, "put");
            } catch (NoSuchMethodException e) {
                // it takes one
            }
            put = two;
            add = two == null ? find(c, 1, false, "$plus$eq", "add") : null;
        }

        Object value(String of, int i) {
            return of.startsWith("Int") ? (Object) Integer.valueOf(i + 1) : of.startsWith("Long") ? (Object) Long.valueOf(i + 1)
                    : of.startsWith("Double") ? (Object) Double.valueOf(i + 1) : KEYS[i];
        }

        @Override
        void add(Object to, int i) throws Exception {
            try {
                Object ignored = put != null ? put.invoke(to, value(type, i), value(type.substring(type.indexOf('2') + 1), i))
                        : add.invoke(to, value(type, i));
            } catch (Throwable e) {
                throw new AssertionError(name, e);
            }
        }

        /* Another object is written in place of some, from which they are built again. */
        @Override
        boolean canBeRead(Object o) {
            try {
                return super.canBeRead(o) && method(o, "writeReplace") == null;
            } catch (Exception e) {
                return super.canBeRead(o);
            }
        }

        @Override
        void clear(Object o) throws Exception {
            try {
                Object ignored = clear.invoke(o);
            } catch (Throwable e) {
                throw new AssertionError(name, e);
            }
        }

        @Override
        long sizeOf(Object o) throws Exception {
            try {
                return ((Number) sizeOf.invoke(o)).longValue();
            } catch (Throwable e) {
                throw new AssertionError(name, e);
            }
        }
    }

    private static final List<Kind> ALL = new ArrayList<>();

    static void of(String name, MethodHandle maker, String type, String changes, String... tables) throws Exception {
        ALL.add(new Library(name, () -> {
            try {
                return maker.invoke();
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }, type, changes, tables));
    }

    static String nameOf(String c) {
        return (c.startsWith(SCALA) ? "scala." : c.startsWith("kotlin.") ? "kotlin." : c.startsWith(GUAVA) ? "guava." : c.startsWith(FAST) ? "fastutil."
                : "eclipse.") + (c.contains("primitive.") ? "primitive." : "") + c.substring(c.lastIndexOf('.') + 1);
    }

    /** By a constructor or a method create() without parameters; or by one that takes a capacity. */
    static MethodHandle maker(Class<?> c) throws Exception {
        for (Constructor<?> k : c.getDeclaredConstructors())
            if (k.getParameterCount() == 0)
                return open(k);
        for (Method m : c.getDeclaredMethods())
            if (m.getName().equals("create") && m.getParameterCount() == 0)
                return open(m);
        return MethodHandles.insertArguments(open(c.getDeclaredConstructor(int.class)), 0, 16);
    }

    static void made(String c, String type, String changes, String... tables) throws Exception {
        try {
            of(nameOf(c), maker(Class.forName(c)), type, changes, tables);
        } catch (ClassNotFoundException e) {
            System.err.println("missing " + nameOf(c));
        }
    }

    /** Of a class that is made by a static method of another one. */
    static void builder(String c, String from, String method, String changes, String... tables) throws Exception {
        try {
            of(nameOf(c), find(Class.forName(from), 0, true, method), "Object", changes, tables);
        } catch (ClassNotFoundException | NoSuchMethodException e) {
            System.err.println("missing " + nameOf(c));
        }
    }

    /** The first of these fields that the version that is there has; null: it has none, or there is no such class. */
    static String present(String c, String... fields) {
        try {
            for (String field : fields)
                if (has(Class.forName(c), field))
                    return field;
        } catch (ClassNotFoundException e) {
            // made() tells it
        }
        return null;
    }

    static void scala(String name, String changes, String... tables) throws Exception {
        String counts = changes == null ? null : present(SCALA + name, changes);
        String found = present(SCALA + name, tables);
        made(SCALA + name, "Object", counts, found == null ? new String[0] : new String[] {found});
    }

    /** "it.unimi.dsi.fastutil.ints.Int2Int" of "Int2Int". */
    private static String fast(String type) {
        String keys = type.startsWith("Reference") ? "object" : type.split("2")[0].toLowerCase();
        return FAST + keys + "s." + type;
    }

    private static boolean has(Class<?> c, String field) {
        for (Class<?> k = c; k != null; k = k.getSuperclass())
            try {
                return k.getDeclaredField(field) != null;
            } catch (NoSuchFieldException e) {
                // perhaps in the superclass
            }
        return false;
    }

    public static void main(String[] args) throws Exception {
        scala("ArrayBuffer", "mutationCount", "array");
        scala("ListBuffer", "mutationCount");
        for (String name : new String[] {"HashMap", "HashSet", "LinkedHashMap"})
            scala(name, null, "scala$collection$mutable$" + name + "$$table", "table");
        scala("ArrayDeque", null, "array");
        made("kotlin.collections.ArrayDeque", "Object", null, "elementData");
        String list = "kotlin.collections.builders.ListBuilder";
        builder(list, "kotlin.collections.CollectionsKt", "createListBuilder", null, present(list, "array", "backing"));
        builder("kotlin.collections.builders.MapBuilder", "kotlin.collections.MapsKt", "createMapBuilder", null, "keysArray", "valuesArray",
                "presenceArray", "hashArray");
        made(GUAVA + "ArrayListMultimap", "Object", null);
        made(GUAVA + "HashMultimap", "Object", null);
        made(GUAVA + "LinkedListMultimap", "Object", "modCount");
        made(GUAVA + "HashBiMap", "Object", "modCount", "hashTableKToV", "hashTableVToK");
        made(GUAVA + "MinMaxPriorityQueue", "Object", "modCount", "queue");
        made(GUAVA + "CompactHashMap", "Object", null, "keys", "values", "entries");
        made(GUAVA + "CompactHashSet", "Object", null, "elements", "entries");
        for (String type : new String[] {"Int", "Long", "Double", "Object", "Reference"})
            made(fast(type) + "ArrayList", type, null, "a");
        for (String type : new String[] {"Int", "Long", "Object", "Reference"})
            made(fast(type) + "OpenHashSet", type, null, "key");
        for (String type : new String[] {"Int2Int", "Int2Object", "Long2Long", "Long2Object", "Object2Int", "Object2Long", "Object2Object",
                "Reference2Object"})
            made(fast(type) + "OpenHashMap", type, null, "key", "value");
        made(ECLIPSE + "list.mutable.FastList", "Object", null, "items");
        made(ECLIPSE + "map.mutable.UnifiedMap", "Object", null, "table");
        made(ECLIPSE + "set.mutable.UnifiedSet", "Object", null, "table");
        for (String type : new String[] {"Int", "Long", "Double"})
            made(ECLIPSE + "list.mutable.primitive." + type + "ArrayList", type, null, "items");
        all(ALL);
    }
}
