/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmstructs.h - HotSpot's own description of itself (gHotSpotVMStructs and its sisters), as far as
 * the agent needs it: flags, the interpreter's code range, ZGC's pointer metadata, how classes say
 * where their objects hold references. Every item may be missing in some JDK; then what rests on it
 * is off or less exact, never guessed.
 */
#ifndef OJX_VMSTRUCTS_H
#define OJX_VMSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Klass and what leads to it: offsets and sizes in bytes, 0 where missing; pointers are NULL where
 * missing. */
struct vmstructs_klass {
	size_t layout_helper, super_check, vtable_len, itable_len, oop_map_words;
	size_t klass_size, instance_size; /* of Klass and InstanceKlass themselves */
	/* base and shift of compressed class pointers and references */
	const uintptr_t *class_base, *ref_base;
	const uintptr_t *class_shift, *ref_shift; /* ints */
	/* its name, a Symbol, and the first of its superclasses; in a Symbol, the number of bytes
	 * and these */
	size_t name, primary_super, symbol_length, symbol_body;
	/* offset in a java.lang.Class of the Klass that it stands for, and of that of its arrays;
	 * ints */
	const uintptr_t *mirror_klass, *mirror_array;
};

struct vmstructs {
	bool found; /* the tables are there */
	/* JVMFlag */
	uintptr_t *flags; /* JVMFlag **: array of flags */
	size_t *num_flags;
	size_t flag_size, flag_name, flag_addr;
	/* AbstractInterpreter::_code -> StubQueue */
	uintptr_t *interpreter_code;
	size_t queue_buffer, queue_limit;
	size_t method_const_method, const_method_size;
	/* Universe::_collectedHeap and its count of collections */
	uintptr_t *heap;
	size_t heap_collections, heap_reserved, region_start, region_words;
	/* CodeCache::_low_bound, _high_bound */
	uintptr_t *code_low, *code_high;
	/* ZGlobalsForVMStructs: a pointer to a struct of pointers to values */
	uintptr_t *zglobals;
	long z_offset_mask, z_load_shift; /* offsets in it; -1: none */
	long z_bad_mask;		  /* of the bits that no usable reference has */
	uint64_t z_constant_mask;	  /* JDK 11 has the mask as a constant; 0: none */
	struct vmstructs_klass klass;
};

/* A field that is looked for in gHotSpotVMStructs, and where it goes. */
struct vmstructs_wanted {
	const char *type, *field;
	size_t *offset;	     /* of a non-static field */
	uintptr_t **address; /* of a static one */
	long *signed_offset; /* same as offset, -1 where missing */
};

/* Looks for n fields; how many of them there are. */
size_t vmstructs_find(void *dl, const struct vmstructs_wanted *w, size_t n);

/* Bytes of a VM's type; 0 where it does not tell. */
size_t vmstructs_type_size(void *dl, const char *type);

/* Reads the tables of the JVM in this process. Safe at any time after libjvm is loaded. */
void vmstructs_read(struct vmstructs *vs, void *dl);

/* Value of a boolean flag; false where it does not exist. */
bool vmstructs_flag(const struct vmstructs *vs, const char *name);

/* Value of a flag that is a size; 0 where it does not exist. */
uint64_t vmstructs_size_flag(const struct vmstructs *vs, const char *name);

/* Sets a boolean flag that the VM reads later. False where it does not exist. */
bool vmstructs_set_flag(const struct vmstructs *vs, const char *name, bool value);

/* "Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon" or "unknown". */
const char *vmstructs_gc(const struct vmstructs *vs);

/* Where the VM counts its collections, once it is initialised; NULL where unknown. */
const _Atomic uint32_t *vmstructs_collections(const struct vmstructs *vs);

/* Reserved range of the Java heap, once the VM is initialised; false where the collector does not
 * tell (Z). */
bool vmstructs_heap_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

/* Range of the code cache: compiled code, interpreter and stubs. It may grow. */
bool vmstructs_code_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

/* Code range of the interpreter, once the VM is initialised. */
bool vmstructs_interpreter(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

#endif
