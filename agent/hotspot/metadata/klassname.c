/* SPDX-License-Identifier: Apache-2.0 */
/* klassname.c - see klassname.h. The first thread that meets a class defines it for the tool. */
#define _GNU_SOURCE
#include "hotspot/metadata/klassname.h"

#include <string.h>

#include "core/link.h"
#include "core/peek.h"
#include "hotspot/metadata/classes.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/vmstructs.h"

#define PROBES	  32u
#define NAME_ROOM 1024u

static struct vmstructs_klass vm;
static _Atomic uintptr_t object_klass;	       /* java.lang.Object's; 0: not known */
static _Atomic uint64_t words[KLASSNAME_ROOM]; /* at i: class word of id CLASS_MAX + i */

/* [handler] The VM's class of a class word; 0 if unknown. */
static uintptr_t klass_of(uint64_t word)
{
	if (!vm.name || !vm.primary_super || !vm.symbol_body)
		return 0;
	if (layout.klass_size == 8 && layout.klass_mask == UINT64_MAX)
		return word; /* not compressed */
	if (!vm.class_base || !vm.class_shift || !layout.klass_mask)
		return 0;
	word >>= __builtin_ctzll(layout.klass_mask);
	return word ? *vm.class_base + (word << *(const int *)vm.class_shift) : 0;
}

/*
 * [handler] The first entry in a class's list of superclasses: java.lang.Object, except for
 * primitive types. 0: not a class.
 */
static uintptr_t first_super(uintptr_t klass)
{
	uintptr_t super = 0;

	return klass && peek(klass + vm.primary_super, &super, sizeof super) ? super : 0;
}

/* Reads it from the mirror of java.lang.Object, unless the collector is just moving that. */
void klassname_init(const struct vmstructs *from, JNIEnv *jni)
{
	uintptr_t klass = 0;
	jclass type = (*jni)->FindClass(jni, "java/lang/Object");

	vm = from->klass;
	if (!type || !vm.mirror_klass || !vm.primary_super ||
	    !peek(handle_address(type) + *(const uint32_t *)vm.mirror_klass, &klass, sizeof klass))
		return;
	if (first_super(klass) == klass)
		atomic_store_explicit(&object_klass, klass, memory_order_relaxed);
}

void klassname_learn(uint64_t word)
{
	if (!atomic_load_explicit(&object_klass, memory_order_relaxed))
		atomic_store_explicit(&object_klass, first_super(klass_of(word)),
				      memory_order_relaxed);
}

bool klassname_is_class(uint64_t word, bool *array)
{
	uintptr_t klass = klass_of(word), symbol = 0;
	uintptr_t object = atomic_load_explicit(&object_klass, memory_order_relaxed);
	char first = 0;

	if (!word || !object || first_super(klass) != object)
		return false;
	*array = peek(klass + vm.name, &symbol, sizeof symbol) &&
		 peek(symbol + vm.symbol_body, &first, sizeof first) && first == '[';
	return true;
}

/* [handler] Sends the definition of the class: its name, as a signature. */
static void define(uint32_t id, uintptr_t klass)
{
	uintptr_t symbol = 0;
	uint16_t len = 0;
	char name[NAME_ROOM];

	if (!peek(klass + vm.name, &symbol, sizeof symbol) ||
	    !peek(symbol + vm.symbol_length, &len, sizeof len) || len == 0 || len > NAME_ROOM ||
	    !peek(symbol + vm.symbol_body, name, len))
		return;
	bool array = name[0] == '[';
	uint16_t text_len = array ? len : (uint16_t)(len + 2);
	struct wire_class *rec =
		link_define_reserve((uint32_t)wire_pad(sizeof(struct wire_class) + text_len));
	if (!rec)
		return;
	char *text = (char *)(rec + 1);
	rec->id = id;
	rec->nfields = 0;
	rec->signature_len = text_len;
	rec->element_size = 0;
	if (!array)
		*text++ = 'L';
	memcpy(text, name, len);
	if (!array)
		text[len] = ';';
	link_define(rec, WIRE_CLASS);
}

uint32_t klassname_of(uint64_t word)
{
	uint64_t seed = word;
	uint32_t at = (uint32_t)random_next(&seed) % KLASSNAME_ROOM;
	uintptr_t klass = 0, object = atomic_load_explicit(&object_klass, memory_order_relaxed);

	for (uint32_t i = 0; object && word && i < PROBES; i++, at = (at + 1) % KLASSNAME_ROOM) {
		uint64_t there = atomic_load_explicit(&words[at], memory_order_acquire);
		if (!there && !klass && first_super(klass = klass_of(word)) != object)
			return 0;
		if (!there && atomic_compare_exchange_strong_explicit(&words[at], &there, word,
								      memory_order_acq_rel,
								      memory_order_acquire)) {
			define(CLASS_MAX + at, klass);
			return CLASS_MAX + at;
		}
		if (there == word)
			return CLASS_MAX + at;
	}
	if (object && word)
		limit_reached(WIRE_LIMIT_CLASS_NAMES);
	return 0;
}
