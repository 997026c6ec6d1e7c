/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window_walk.h - reads a window as the sequence of objects that it is, and what they hold.
 *
 * What an object holds is known by a *key*: its class, its length, and the values in it. References
 * are followed to objects in windows of the same pause. Of other objects only the address counts,
 * so that such a key is comparable in its pause only.
 *
 * A class word is believed only if it leads to a class of the VM: the kernel reads what is there,
 * java.lang.Object is its first superclass, and shape.h makes sense of it. Classes may have been
 * unloaded since the pause; then the walk ends there.
 */
#ifndef OJX_WINDOW_WALK_H
#define OJX_WINDOW_WALK_H

#include "heap/window.h"
#include "hotspot/shape.h"

/* A class that was met. */
struct walked_class {
	uintptr_t klass; /* 0: none */
	uintptr_t name;
	int32_t helper;
	uint32_t checked; /* the pause that it was last seen to be there in */
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

/* At VMInit. False when out of memory, or if something that is needed is not known. */
bool window_walk_init(JNIEnv *jni);

/* From here on windows of this pause are read; `sorted` are all of them, by address. */
void window_walk_begin(uint32_t pause, struct window *const *sorted, uint32_t n);

/*
 * The object at `offset` of a window. False if there is none, or it is not understood; then nothing
 * after it can be read, and `class` is NULL, or the class that it would have.
 */
bool window_walk_next(const struct window *w, uint32_t offset, struct walked *to);

#endif
