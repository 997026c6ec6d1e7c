// SPDX-License-Identifier: Apache-2.0

package scala.collection.mutable;

/** Stands for Scala's class of that name: a sequence, such as the arguments of a call with any number of them. */
public final class WrappedArray {
    /** A sequence of references. */
    public static final class ofRef {
        private final Object[] array;

        public ofRef(Object[] array) {
            this.array = array;
        }

        public Object apply(int index) {
            return array[index];
        }
    }
}
