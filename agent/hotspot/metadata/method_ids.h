/* SPDX-License-Identifier: Apache-2.0 */
/*
 * method_ids.h - the Method of a jmethodID.
 *
 * Up to JDK 25 an id is the address of a word that has the Method's. From 26 on it is a number
 * that the VM looks up. Then the class that declares the method is asked for the ids of its
 * methods, where the VM may be called.
 */
#ifndef OJX_METHOD_IDS_H
#define OJX_METHOD_IDS_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* Once the VM is initialised. False if ids lead nowhere that is known. */
bool method_ids_init(void *dl);

/*
 * [handler] The Method of an id other than NULL, whose memory is never freed; 0: the class has been
 * unloaded, or it takes the VM to find it.
 */
uintptr_t method_ids_at(jmethodID id);

/* The Method, while its class cannot be unloaded; 0: unknown. It may call the VM. */
uintptr_t method_ids_find(JNIEnv *jni, jmethodID id);

#endif
