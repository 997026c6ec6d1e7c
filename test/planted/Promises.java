// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.List;

/**
 * Objects that are alike when they die and must be promised to nobody, made at five places: locks; keys of an identity map;
 * objects of which three in four are something else when they are used; arrays that are cleared; wrappers of a list that is emptied. At a
 * sixth, objects that could be shared. Argument: how many of each.
 */
final class Promises {
    static final int BATCH = 64;
    static volatile Object[] escaped;

    static final class Mutable {
        long first;
        long second;

        Mutable(long first, long second) {
            this.first = first;
            this.second = second;
        }
    }

    static final class Key {
        final int kind;

        Key(int kind) {
            this.kind = kind;
        }
    }

    static final class Wrapper {
        final List<Integer> list;

        Wrapper(List<Integer> list) {
            this.list = list;
        }
    }

    static final class Shareable {
        final long first;
        final long second;

        Shareable(long first, long second) {
            this.first = first;
            this.second = second;
        }
    }

    static long locks(Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Object(); // @lock
        }
        for (Object lock : batch) {
            synchronized (lock) {
                sum++;
            }
        }
        return sum;
    }

    static long keys(Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Key(7); // @key
        }
        for (Object key : batch) {
            sum += System.identityHashCode(key) & ((Key) key).kind & 1;
        }
        return sum >> 32;
    }

    static long mutables(long n, Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            long first = (k & 3) == 0 ? 1 : n + k;
            batch[k] = new Mutable(first, first); // @mutable
        }
        for (Object o : batch) {
            Mutable m = (Mutable) o;
            sum += m.first + m.second;
        }
        for (Object o : batch) {
            ((Mutable) o).first = ((Mutable) o).second = 1;
        }
        return sum;
    }

    static long arrays(long n, Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new long[4]; // @array
        }
        for (int k = 0; k < BATCH; k++) {
            java.util.Arrays.fill((long[]) batch[k], n + k);
        }
        for (Object o : batch) {
            sum += ((long[]) o)[1] + ((long[]) o)[3];
        }
        for (Object o : batch) {
            java.util.Arrays.fill((long[]) o, 0);
        }
        return sum;
    }

    static long wrappers(long n, Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            List<Integer> list = new ArrayList<>(4);
            list.add((int) n + k);
            batch[k] = new Wrapper(list); // @wrapper
        }
        for (Object o : batch) {
            sum += ((Wrapper) o).list.get(0);
        }
        for (Object o : batch) {
            ((Wrapper) o).list.clear();
        }
        return sum;
    }

    static long shareables(Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Shareable(k & 3, 3); // @shareable
        }
        for (Object o : batch) {
            sum += ((Shareable) o).first + ((Shareable) o).second;
        }
        return sum;
    }

    public static void main(String[] args) {
        Object[] batch = new Object[BATCH];
        escaped = batch;
        long sum = 0;
        for (long n = Long.parseLong(args[0]); n > 0; n -= BATCH) {
            sum = 31 * sum + locks(batch);
            sum = 31 * sum + keys(batch);
            sum = 31 * sum + mutables(n, batch);
            sum = 31 * sum + arrays(n, batch);
            sum = 31 * sum + wrappers(n, batch);
            sum = 31 * sum + shareables(batch);
        }
        System.out.println("Promises " + Long.toHexString(sum));
    }
}
