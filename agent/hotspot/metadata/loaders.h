/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loaders.h - the three class loaders that every JVM has: the boot loader, the platform loader, the
 * application's loader. They live as long as the VM, and so do their classes. A redefinition
 * replaces records of such a class, but their memory stays the loader's, and mapped.
 *
 * A loader is known by its ClassLoaderData. Each hidden class has one of its own, which may go: it
 * is none of the three, whatever its loader.
 */
#ifndef OJX_LOADERS_H
#define OJX_LOADERS_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [handler] Whether the classes of a ClassLoaderData are known to stay. */
bool loader_stays(uintptr_t loader);

/* Whether HotSpot's tables tell enough; to be called before the rest. */
bool loaders_init(void *dl);

/*
 * The flags of the methods of a class (wire_method_flags), by its ClassLoaderData and its signature
 * of `len` bytes: whether it is the boot loader's, which has no object, or the platform loader's,
 * or of a module of the JDK that the application's loader has. Looks for the three loaders while
 * some are not known. Service thread, or the thread of VMDeath.
 */
uint32_t loader_flags(JNIEnv *jni, uintptr_t loader, const char *signature, size_t len);

/*
 * Whether a loader has a class of this signature from a module of the JDK. The same threads. Local
 * references are the caller's to drop.
 */
bool loader_has_jdk_class(JNIEnv *jni, jobject loader, const char *signature, size_t len);

#endif
