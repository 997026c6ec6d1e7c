// SPDX-License-Identifier: Apache-2.0

/**
 * Loads a class again and again with new loaders, makes objects of it that refer to each other, and
 * drops all of it. So classes are unloaded while their objects wait for a snapshot. Argument:
 * seconds.
 */
final class Unloaded {
    static volatile Object[] escaped;

    public static final class Payload {
        public Object next;
        public Object other;
        public long number;
        public byte small;
    }

    static final class Loader extends ClassLoader {
        Class<?> define(byte[] code) {
            return defineClass("Unloaded$Payload", code, 0, code.length);
        }
    }

    static void round(byte[] code) throws Exception {
        Class<?> type = new Loader().define(code);
        var constructor = type.getConstructor();
        var next = type.getField("next");
        var other = type.getField("other");
        Object[] all = new Object[200];
        Object last = null;
        for (int i = 0; i < all.length; i++) {
            Object o = constructor.newInstance();
            next.set(o, last);
            other.set(o, i % 3 == 0 ? "text " + i % 5 : new Object[] {type, o, new int[i]});
            last = all[i] = o;
        }
        escaped = all;
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000;
        byte[] code;
        try (var in = Unloaded.class.getResourceAsStream("Unloaded$Payload.class")) {
            code = in.readAllBytes();
        }
        var beans = java.lang.management.ManagementFactory.getClassLoadingMXBean();
        for (int i = 1; System.nanoTime() < end || (beans.getUnloadedClassCount() == 0 && i < 2000); i++) {
            round(code);
            if (i % 20 == 0) {
                System.gc();
            }
        }
        System.out.println("unloaded " + (beans.getUnloadedClassCount() > 0));
    }
}
