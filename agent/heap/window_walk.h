/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window_walk.h - reads a window as a sequence of objects, and tells what each of them holds.
 *
 * What an object holds is expressed as a *key*, a hash of its class, its length and its values.
 * References are followed to objects in windows of the same pause. Other objects enter the key by
 * their address; such a key can be compared only within its pause.
 *
 * A class word is trusted only if it leads to a class of the VM: the kernel can read what is there,
 * java.lang.Object is its first superclass, and shape.h finds a layout. Classes may have been
 * unloaded since the pause; then the walk ends there.
 */
#ifndef OJX_WINDOW_WALK_H
#define OJX_WINDOW_WALK_H

#include <jni.h>
#include <stdbool.h>

#include "heap/window.h"
#include "hotspot/shape.h"

/* A class that was met. */
struct walked_class {
	uintptr_t klass; /* 0: none */
	uintptr_t name;
	int32_t helper;
	uint32_t checked; /* the last pause in which it was seen to exist */
	bool good;
	bool filler; /* what the VM fills gaps with */
	bool opaque; /* of unknown size */
	struct shape shape;
	uint32_t class_id; /* of klassname.h; 0: not known */
};

/* An object of a window. */
struct walked {
	struct walked_class *class;
	uint32_t offset; /* from the window's start */
	uint64_t bytes;
	uint64_t key;	/* 0: what it holds is not known */
	bool addresses; /* the key covers addresses */
	uint16_t marks; /* as mark_flags */
};

/* At VMInit. False if out of memory, or if something that the walk needs is not known. */
bool window_walk_init(JNIEnv *jni);

/* Begins with the windows of another pause; `sorted` are all of them, by address. */
void window_walk_begin(uint32_t pause, struct window *const *sorted, uint32_t n);

/*
 * Reads the object at `offset` of a window. False if there is none, or if it is not understood;
 * then nothing after it can be read. In that case `class` is NULL, or the class that the object
 * seems to have.
 */
bool window_walk_next(const struct window *w, uint32_t offset, struct walked *to);

/* ---- tests whether the agent reads memory as the right sequence of objects. */

/*
 * At VMInit: makes arrays and strings, one behind the other, and walks over them. Each must be
 * found in its place, with its class, and the walk must end where the thread allocates next. If
 * not, `*why` may be set to a known cause.
 */
bool window_check(JNIEnv *jni, const char **why);

#endif
