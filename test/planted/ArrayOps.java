// SPDX-License-Identifier: Apache-2.0

package scala.collection.mutable;

/** Stands for Scala's class of that name: it has more methods than the array that it wraps. */
public final class ArrayOps {
    /** Wraps an array of references. */
    public static final class ofRef {
        private final Object[] array;

        public ofRef(Object[] array) {
            this.array = array;
        }

        public int size() {
            return array.length;
        }
    }
}
