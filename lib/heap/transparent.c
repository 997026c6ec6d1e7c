/* SPDX-License-Identifier: Apache-2.0 */
/* transparent.c - see transparent.h. */
#include "heap/transparent.h"

#include <string.h>

/*
 * A class with all that are nested in it; a package with all below it, ended by '.'; names that
 * begin with it, ended by '*'. Subclasses need no row: what counts is the class that declares a
 * field.
 */
static const char *const rows[] = {
	/* the JDK's collections */
	"java.util.AbstractList",
	"java.util.AbstractMap",
	"java.util.ArrayDeque",
	"java.util.ArrayList",
	"java.util.Arrays",
	"java.util.Collections",
	"java.util.EnumMap",
	"java.util.HashMap",
	"java.util.HashSet",
	"java.util.Hashtable",
	"java.util.IdentityHashMap",
	"java.util.ImmutableCollections",
	"java.util.KeyValueHolder",
	"java.util.LinkedHashMap",
	"java.util.LinkedHashSet",
	"java.util.LinkedList",
	"java.util.PriorityQueue",
	"java.util.Properties",
	"java.util.ReverseOrder*",
	"java.util.TreeMap",
	"java.util.TreeSet",
	"java.util.Vector",
	"java.util.WeakHashMap",
	"java.util.jar.Attributes",
	"java.util.concurrent.ArrayBlockingQueue",
	"java.util.concurrent.ConcurrentHashMap",
	"java.util.concurrent.ConcurrentLinkedDeque",
	"java.util.concurrent.ConcurrentLinkedQueue",
	"java.util.concurrent.ConcurrentSkipListMap",
	"java.util.concurrent.ConcurrentSkipListSet",
	"java.util.concurrent.CopyOnWriteArrayList",
	"java.util.concurrent.CopyOnWriteArraySet",
	"java.util.concurrent.DelayQueue",
	"java.util.concurrent.LinkedBlockingDeque",
	"java.util.concurrent.LinkedBlockingQueue",
	"java.util.concurrent.LinkedTransferQueue",
	"java.util.concurrent.PriorityBlockingQueue",
	"java.util.concurrent.SynchronousQueue",
	/* its wrappers */
	"java.util.Optional",
	"java.util.concurrent.CompletableFuture",
	"java.util.concurrent.FutureTask",
	"java.util.concurrent.atomic.AtomicMarkableReference",
	"java.util.concurrent.atomic.AtomicReference",
	"java.util.concurrent.atomic.AtomicReferenceArray",
	"java.util.concurrent.atomic.AtomicStampedReference",
	"java.lang.ThreadLocal",
	"java.lang.ref.",
	"jdk.internal.lang.stable.",
	/* Scala */
	"scala.collection.",
	"scala.Option",
	"scala.Some",
	"scala.Tuple*",
	"scala.runtime.LazyRef",
	"scala.runtime.ObjectRef",
	"scala.runtime.VolatileObjectRef",
	"scala.util.Either",
	"scala.util.Failure",
	"scala.util.Left",
	"scala.util.Right",
	"scala.util.Success",
	/* Kotlin */
	"kotlin.InitializedLazyImpl",
	"kotlin.Pair",
	"kotlin.Result",
	"kotlin.SafePublicationLazyImpl",
	"kotlin.SynchronizedLazyImpl",
	"kotlin.Triple",
	"kotlin.UnsafeLazyImpl",
	"kotlin.collections.",
	"kotlin.jvm.internal.Ref",
	"kotlinx.collections.immutable.",
	/* libraries */
	"clojure.lang.Atom",
	"clojure.lang.Persistent*",
	"com.carrotsearch.hppc.",
	"com.github.benmanes.caffeine.cache.",
	"com.google.common.base.Present",
	"com.google.common.base.Suppliers",
	"com.google.common.cache.",
	"com.google.common.collect.",
	"gnu.trove.",
	"io.vavr.collection.",
	"io.vavr.control.",
	"it.unimi.dsi.fastutil.",
	"org.agrona.collections.",
	"org.apache.commons.collections.",
	"org.apache.commons.collections4.",
	"org.eclipse.collections.impl.",
	"org.pcollections.",
};

static bool matches(const char *row, const char *name)
{
	size_t len = strlen(row);

	if (row[len - 1] == '*')
		return strncmp(row, name, len - 1) == 0;
	if (strncmp(row, name, len) != 0)
		return false;
	return row[len - 1] == '.' || !name[len] || name[len] == '$';
}

bool transparent_class(const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (matches(rows[i], name))
			return true;
	return false;
}
