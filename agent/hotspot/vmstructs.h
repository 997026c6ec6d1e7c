/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmstructs.h - HotSpot's own description of itself (gHotSpotVMStructs and related tables), as far
 * as the agent needs it: flags, the interpreter's code range, ZGC's pointer metadata, where objects
 * of a class hold references. Any item may be missing in some JDK. Then what depends on it is off
 * or less exact, never guessed.
 */
#ifndef OJX_VMSTRUCTS_H
#define OJX_VMSTRUCTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Klass and the way to it: offsets and sizes in bytes, 0 if missing; pointers are NULL if missing.
 */
struct vmstructs_klass {
	size_t layout_helper, super_check, vtable_len, itable_len, oop_map_words;
	size_t klass_size, instance_size; /* sizes of Klass and InstanceKlass */
	/* base and shift of compressed class pointers and references */
	const uintptr_t *class_base, *ref_base;
	const uintptr_t *class_shift, *ref_shift; /* ints */
	/*
	 * offsets of its name, a Symbol, and of its first superclass; in a Symbol, of the number of
	 * bytes and of the bytes
	 */
	size_t name, primary_super, symbol_length, symbol_body;
	size_t super, loader; /* offsets of its superclass and its ClassLoaderData */
	/*
	 * pointers to int offsets in a java.lang.Class: of its Klass, and of the Klass of its
	 * arrays
	 */
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
	long z_bad_mask;		  /* offset of the bits that no usable reference has */
	uint64_t z_constant_mask;	  /* the mask, a constant in JDK 11; 0: none */
	struct vmstructs_klass klass;
};

/* A field to look up in gHotSpotVMStructs, and where its offset or address goes. */
struct vmstructs_wanted {
	const char *type, *field;
	size_t *offset;	     /* of a non-static field */
	uintptr_t **address; /* of a static one */
	long *signed_offset; /* same as offset, -1 where missing */
};

/* Looks up n fields. Returns how many exist. */
size_t vmstructs_find(void *dl, const struct vmstructs_wanted *w, size_t n);

/* Size of a VM type, bytes; 0 if unknown. */
size_t vmstructs_type_size(void *dl, const char *type);

/* A constant of the VM; 0 if unknown. */
int32_t vmstructs_constant(void *dl, const char *name);

/* Reads the tables of the JVM in this process. Safe at any time after libjvm is loaded. */
void vmstructs_read(struct vmstructs *vs, void *dl);

/* Value of a boolean flag; false if it does not exist. */
bool vmstructs_flag(const struct vmstructs *vs, const char *name);

/* Value of a size flag; 0 if it does not exist. */
uint64_t vmstructs_size_flag(const struct vmstructs *vs, const char *name);

/* The text of a flag, which is the VM's; NULL if there is no such flag, or it has none. */
const char *vmstructs_text_flag(const struct vmstructs *vs, const char *name);

/*
 * Sets a boolean flag that the VM reads later; one flag in a session. False if it does not exist.
 * vmstructs_restore_flag gives it its former value.
 */
bool vmstructs_set_flag(const struct vmstructs *vs, const char *name, bool value);
void vmstructs_restore_flag(void);

/* "Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon" or "unknown". */
const char *vmstructs_gc(const struct vmstructs *vs);

/* The VM's counter of collections, once the VM is initialised; NULL if unknown. */
const _Atomic uint32_t *vmstructs_collections(const struct vmstructs *vs);

/*
 * Reserved range of the Java heap, once the VM is initialised; false if the collector does not tell
 * (Z).
 */
bool vmstructs_heap_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

/* [handler] Range of the code cache: compiled code, interpreter and stubs. It may grow later. */
bool vmstructs_code_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

/* Code range of the interpreter, once the VM is initialised. */
bool vmstructs_interpreter(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high);

#endif
