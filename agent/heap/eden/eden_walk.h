/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eden_walk.h - reads a window as a sequence of objects, and tells what each of them holds.
 *
 * What an object holds is expressed as a *key*, a hash of its class, its length and its values.
 * References are followed to objects in windows of the same pause. Other objects enter the key by
 * their address; such a key can be compared only within its pause.
 *
 * A class word is trusted only if it leads to a class of the VM: the kernel can read what is there,
 * java.lang.Object is its first superclass, and shape.h finds a layout. Classes may have been
 * unloaded since the pause; then the walk ends there.
 */
#ifndef OJX_EDEN_WALK_H
#define OJX_EDEN_WALK_H

#include "core/part.h"
#include "hotspot/metadata/shape.h"

/* ---- a window of eden (eden_windows.h): a copy, and what is known of it. */

#define EDEN_REACH   12288u /* bytes behind the sample point in which objects may begin */
#define EDEN_LARGE   4096u  /* bytes; of larger objects only the class is read */
#define EDEN_ROOM    (EDEN_REACH + 2 * EDEN_LARGE)
#define EDEN_OBJECTS (EDEN_REACH / 8)

enum eden_window_state { EDEN_FREE, EDEN_TAKEN, EDEN_FULL };

struct eden_window {
	_Atomic uint32_t state; /* eden_window_state */
	uint32_t pause;		/* number of the pause that it is from, from 1 on */
	uintptr_t at;		/* the sampled object, or what follows it, if it is large */
	uintptr_t first;	/* the first object that counts */
	uintptr_t until;	/* objects that begin before it count */
	uint32_t bytes;		/* of the copy */
	uint32_t context;	/* of the sampled object */
	double scale;		/* objects that each of its objects stands for */
	unsigned char *copy;
};

/* ---- what is read in it */

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
	uint16_t marks; /* as mark_word_flags */
};

/* At VMInit. False if out of memory, or if something that the walk needs is not known. */
bool eden_walk_init(JNIEnv *jni);

/* Begins with the windows of another pause; `sorted` are all of them, by address. */
void eden_walk_begin(uint32_t pause, struct eden_window *const *sorted, uint32_t n);

/*
 * Reads the object at `offset` of a window. False if there is none, or if it is not understood;
 * then nothing after it can be read. In that case `class` is NULL, or the class that the object
 * seems to have.
 */
bool eden_walk_next(const struct eden_window *w, uint32_t offset, struct walked *to);

/* ---- tests whether the agent reads memory as the right sequence of objects. */

/*
 * At VMInit: makes arrays and strings, one behind the other, and walks over them. Each must be
 * found in its place, with its class, and the walk must end where the thread allocates next. If
 * not, `*why` may be set to a known cause.
 */
bool eden_walk_check(JNIEnv *jni, const char **why);

#endif
