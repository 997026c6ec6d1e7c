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
#include <stdint.h>

/* [handler] Whether the classes of a ClassLoaderData are known to stay. */
bool loader_stays(uintptr_t loader);

/* Whether HotSpot's tables tell enough; to be called before the rest. */
bool loaders_init(void *dl);

/*
 * The flags of a ClassLoaderData's methods (wire_method_flags): whether it is the boot loader's,
 * which has no object, or the platform loader's. Looks for the three while some are not known.
 * Service thread, or the thread of VMDeath.
 */
uint32_t loader_flags(JNIEnv *jni, uintptr_t loader);

#endif
