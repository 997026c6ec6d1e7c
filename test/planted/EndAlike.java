// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.Iterator;

/**
 * Objects that are alike at the end of their life, made at four places: iterators that run through and builders that are
 * emptied have been different before; the others have always been the same, some of a class that could change, some of
 * one that cannot. Argument: how many of each.
 */
final class EndAlike {
    static final int BATCH = 64;
    static volatile Object[] escaped;

    /** A sum that begins with something and is taken out in the end. */
    static final class Builder {
        private long first;
        private long second;

        Builder(long first) {
            this.first = first;
        }

        void add(long value) {
            first += value;
            second ^= first;
        }

        long build() {
            long result = first + second;
            first = 0;
            second = 0;
            return result;
        }
    }

    static final class Changeable {
        long first = 7;
        long second = 11;
    }

    static final class Final {
        final long first;
        final long second;

        Final(long first, long second) {
            this.first = first;
            this.second = second;
        }
    }

    static long iterate(ArrayList<Integer> list, Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = list.iterator(); // @iterator
        }
        for (Object o : batch) {
            for (Iterator<?> i = (Iterator<?>) o; i.hasNext(); ) {
                sum += (Integer) i.next();
            }
        }
        return sum;
    }

    static long build(long number, Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Builder(number + k); // @builder
        }
        for (int k = 0; k < BATCH; k++) {
            Builder builder = (Builder) batch[k];
            for (int i = 0; i < 3; i++) {
                builder.add(number + k + i);
            }
            sum += builder.build();
        }
        return sum;
    }

    static long change(Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Changeable(); // @changeable
        }
        for (Object o : batch) {
            sum += ((Changeable) o).first + ((Changeable) o).second;
        }
        return sum;
    }

    static long keep(Object[] batch) {
        long sum = 0;
        for (int k = 0; k < BATCH; k++) {
            batch[k] = new Final(k & 1, 3); // @final
        }
        for (Object o : batch) {
            sum += ((Final) o).first + ((Final) o).second;
        }
        return sum;
    }

    public static void main(String[] args) {
        ArrayList<Integer> list = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            list.add(i);
        }
        Object[] batch = new Object[BATCH];
        escaped = batch;
        long sum = 0;
        for (long n = Long.parseLong(args[0]); n > 0; n -= BATCH) {
            sum = 31 * sum + iterate(list, batch);
            sum = 31 * sum + build(n, batch);
            sum = 31 * sum + change(batch);
            sum = 31 * sum + keep(batch);
        }
        System.out.println("EndAlike " + Long.toHexString(sum));
    }
}
