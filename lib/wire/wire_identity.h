/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_identity.h - classes of the JDK whose objects are equal to none but themselves, since their
 * identity matters or stands for something; their subclasses are so, too. The agent needs them for
 * what an object refers to, the tool for heap dumps.
 *
 * Classes need no row if they refer to an object of such a class that is theirs alone:
 * ReentrantLock, CountDownLatch, Random.
 */
#ifndef OJX_WIRE_IDENTITY_H
#define OJX_WIRE_IDENTITY_H

static const char *const wire_identity_classes[] = {
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
#define WIRE_IDENTITY_CLASSES (sizeof wire_identity_classes / sizeof wire_identity_classes[0])

#endif
