/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata.h - what HotSpot's own records say of a method: Method, ConstMethod, ConstantPool,
 * Symbol.
 *
 * To the VM's interfaces a method is a jmethodID. The VM makes one when somebody asks for it and
 * never frees it, even if the class is unloaded. So a program that loads and drops classes would
 * grow with each class that the agent asks about. Instead the agent numbers methods by a hash of
 * what the records say. It reads them through the kernel (peek.h).
 *
 * The VM reuses the memory of an unloaded class. So an answer is valid only for a method that has a
 * frame on the calling thread's stack, until that returns.
 */
#ifndef OJX_METADATA_H
#define OJX_METADATA_H

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* Bits of a method's number that are not part of it in frames. */
enum {
	METADATA_NATIVE = 1,
	METADATA_ENTRY = 2, /* Continuation.enterSpecial, below which a continuation runs */
	METADATA_BITS = 3,
};

/*
 * To be called once the VM is initialised. `run`: the id of Thread.run, by which the tables are
 * tried. False if they cannot be used; methods have only jmethodIDs then.
 */
bool metadata_init(void *dl, JNIEnv *jni, jmethodID run);

/* [handler] Whether methods have numbers. */
bool metadata_known(void);

/* [handler] The number of a Method, with METADATA_BITS. 0 if `method` is no Method. */
uint64_t metadata_number(uintptr_t method);

/*
 * [handler] The same by its jmethodID, without these bits; if methods have no numbers, the id
 * itself.
 */
uint64_t metadata_number_of(jmethodID id);

/* [handler] Where the bytecodes of a Method begin; it has a number. */
uintptr_t metadata_bytecodes(uintptr_t method);

/* What the records say; texts without an end. They are valid until the next call. */
struct metadata_text {
	const char *text;
	uint16_t len;
};

struct metadata_names {
	struct metadata_text class_signature, name, descriptor, file;
	struct wire_line *lines; /* in the order of the class file */
	uint32_t nlines;
	uint32_t flags;		   /* wire_method_flags */
	const unsigned char *code; /* bytecodes as the interpreter runs them */
	uint32_t code_size;	   /* 0: not known */
};

/*
 * Reads them of a Method that had this number. False if it has gone. Service thread, or the thread
 * of VMDeath; not both at a time.
 */
bool metadata_names(JNIEnv *jni, uintptr_t method, uint64_t number, struct metadata_names *to);

/* ---- which Method last had a number. It may be gone. */

/* [handler] */
void metadata_where_set(uint64_t number, uintptr_t method);

/* [handler] The Method; 0: unknown. */
uintptr_t metadata_where(uint64_t number);

#endif
