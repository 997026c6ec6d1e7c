/* SPDX-License-Identifier: Apache-2.0 */
/* identity.c - see identity.h. */
#include "heap/identity.h"

#include <stddef.h>
#include <string.h>

/*
 * The agent's table of deep contents (agent/hotspot/shape_measure.c) has those of the first group
 * but for what it tells by other means. Classes need no row if they refer to an object of such a
 * class that is theirs alone: ReentrantLock, CountDownLatch, Random.
 */
static const char *const classes[] = {
	/* of the VM and the core */
	"java.lang.Class",
	"java.lang.ClassLoader",
	"java.lang.Enum",
	"java.lang.Module",
	"java.lang.Thread",
	"java.lang.ThreadGroup",
	"java.lang.invoke.CallSite",
	"java.lang.invoke.LambdaForm",
	"java.lang.invoke.MemberName",
	"java.lang.invoke.MethodHandle",
	"java.lang.invoke.MethodType",
	"java.lang.ref.Reference",
	"java.util.concurrent.locks.AbstractOwnableSynchronizer",
	/* keys by identity */
	"java.lang.ClassValue",
	"java.lang.ModuleLayer",
	"java.lang.ScopedValue",
	"java.lang.ThreadLocal",
	"java.security.ProtectionDomain",
	/* where threads wait, and what they run */
	"java.lang.Process",
	"java.lang.ref.ReferenceQueue",
	"java.util.Timer",
	"java.util.TimerTask",
	"java.util.concurrent.AbstractExecutorService",
	"java.util.concurrent.Exchanger",
	"java.util.concurrent.ForkJoinTask",
	"java.util.concurrent.FutureTask",
	"java.util.concurrent.Phaser",
	"java.util.concurrent.SynchronousQueue",
	"java.util.concurrent.locks.AbstractQueuedLongSynchronizer$ConditionObject",
	"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
	"java.util.concurrent.locks.StampedLock",
	"jdk.internal.vm.Continuation",
	"jdk.internal.vm.ContinuationScope",
	"jdk.internal.vm.StackChunk",
	/* variables, which happen to be equal at the moment of the dump */
	"java.util.concurrent.atomic.AtomicBoolean",
	"java.util.concurrent.atomic.AtomicInteger",
	"java.util.concurrent.atomic.AtomicIntegerArray",
	"java.util.concurrent.atomic.AtomicLong",
	"java.util.concurrent.atomic.AtomicLongArray",
	"java.util.concurrent.atomic.AtomicMarkableReference",
	"java.util.concurrent.atomic.AtomicReference",
	"java.util.concurrent.atomic.AtomicReferenceArray",
	"java.util.concurrent.atomic.AtomicStampedReference",
	"java.util.concurrent.atomic.Striped64",
	/* streams and channels, with what they have open and where they are in it */
	"java.io.FileDescriptor",
	"java.io.InputStream",
	"java.io.OutputStream",
	"java.io.RandomAccessFile",
	"java.io.Reader",
	"java.io.Writer",
	"java.net.DatagramSocket",
	"java.net.ServerSocket",
	"java.net.Socket",
	"java.net.SocketImpl",
	"java.nio.channels.SelectionKey",
	"java.nio.channels.Selector",
	"java.nio.channels.spi.AbstractInterruptibleChannel",
	"java.util.zip.Deflater",
	"java.util.zip.Inflater",
	"java.util.zip.ZipFile",
};

static const struct identity_fields fields[] = {
	{ "java.util.ArrayList", "size", NULL, NULL },
	{ "java.util.LinkedList", "size", NULL, NULL },
	{ "java.util.HashMap", "size", NULL, NULL }, /* of sets, too */
	{ "java.util.TreeMap", "size", NULL, NULL },
	{ "java.util.WeakHashMap", "size", NULL, NULL },
	{ "java.util.IdentityHashMap", "size", NULL, NULL },
	{ "java.util.EnumMap", "size", NULL, NULL },
	{ "java.util.JumboEnumSet", "size", NULL, NULL },
	{ "java.util.PriorityQueue", "size", NULL, NULL },
	{ "java.util.Hashtable", "count", NULL, NULL },
	{ "java.util.Vector", "elementCount", NULL, NULL },
	{ "java.util.concurrent.ConcurrentHashMap", "baseCount", NULL, "counterCells" },
	{ "java.util.Properties", NULL, NULL, NULL }, /* the inherited count is not used */
	{ "java.util.BitSet", NULL, "wordsInUse", NULL },
	{ "java.util.RegularEnumSet", NULL, "elements", NULL },
	{ "java.lang.AbstractStringBuilder", NULL, "count", NULL },
	{ "java.util.concurrent.CompletableFuture", NULL, "result", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap", NULL, "head", NULL },
	{ "java.util.concurrent.LinkedTransferQueue", NULL, "head", NULL },
	/* the first node of a list, which has no element */
	{ "java.util.concurrent.ConcurrentLinkedDeque$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentLinkedQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap$Node", NULL, "key", NULL },
	{ "java.util.concurrent.LinkedBlockingQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$DualNode", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$Node", NULL, "item", NULL },
};

bool identity_class(const char *name)
{
	for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
		if (strcmp(classes[i], name) == 0)
			return true;
	return false;
}

const struct identity_fields *identity_fields(const char *class)
{
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (strcmp(fields[i].class, class) == 0)
			return &fields[i];
	return NULL;
}
