/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vmstructs.c - see vmstructs.h. Reads gHotSpotVMStructs, gHotSpotVMTypes and
 * gHotSpotVMLongConstants.
 *
 * The tables are arrays of entries. Their stride and field offsets are exported, too, since
 * debuggers read them from outside. A static field has an address, others have an offset.
 */
#define _GNU_SOURCE
#include "hotspot/vmstructs.h"

#include <dlfcn.h>
#include <string.h>

static bool *flag_set; /* what vmstructs_set_flag has changed, and from what */
static bool flag_before;

/* An exported table. */
struct table {
	const char *base;
	uint64_t stride;
};

static uint64_t exported_u64(void *dl, const char *name)
{
	uint64_t *p = dlsym(dl, name);
	return p ? *p : 0;
}

static bool table_open(struct table *t, void *dl, const char *name, const char *stride)
{
	const char **base = dlsym(dl, name);
	t->base = base ? *base : NULL;
	t->stride = exported_u64(dl, stride);
	return t->base && t->stride;
}

static const char *column_text(const char *entry, uint64_t offset)
{
	return *(const char *const *)(entry + offset);
}

static size_t take_field(const struct vmstructs_wanted *w, size_t n, const char *type,
			 const char *field, uint64_t offset, void *address)
{
	size_t taken = 0;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(w[i].type, type) != 0 || strcmp(w[i].field, field) != 0)
			continue;
		if (w[i].offset)
			*w[i].offset = offset;
		if (w[i].signed_offset)
			*w[i].signed_offset = (long)offset;
		if (w[i].address)
			*w[i].address = address;
		taken++;
	}
	return taken;
}

static size_t read_structs(const struct table *t, void *dl, const struct vmstructs_wanted *w,
			   size_t n)
{
	uint64_t type_at = exported_u64(dl, "gHotSpotVMStructEntryTypeNameOffset");
	uint64_t field_at = exported_u64(dl, "gHotSpotVMStructEntryFieldNameOffset");
	uint64_t offset_at = exported_u64(dl, "gHotSpotVMStructEntryOffsetOffset");
	uint64_t address_at = exported_u64(dl, "gHotSpotVMStructEntryAddressOffset");

	size_t taken = 0;

	for (const char *e = t->base; column_text(e, type_at); e += t->stride) {
		const char *field = column_text(e, field_at);
		if (field)
			taken += take_field(w, n, column_text(e, type_at), field,
					    *(const uint64_t *)(e + offset_at),
					    *(void *const *)(e + address_at));
	}
	return taken;
}

size_t vmstructs_find(void *dl, const struct vmstructs_wanted *w, size_t n)
{
	struct table t;

	return table_open(&t, dl, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride")
		       ? read_structs(&t, dl, w, n)
		       : 0;
}

/* Sizes of types are in a table of their own. */
size_t vmstructs_type_size(void *dl, const char *type)
{
	struct table t;
	if (!table_open(&t, dl, "gHotSpotVMTypes", "gHotSpotVMTypeEntryArrayStride"))
		return 0;
	uint64_t name_at = exported_u64(dl, "gHotSpotVMTypeEntryTypeNameOffset");
	uint64_t size_at = exported_u64(dl, "gHotSpotVMTypeEntrySizeOffset");

	for (const char *e = t.base; column_text(e, name_at); e += t.stride)
		if (strcmp(column_text(e, name_at), type) == 0)
			return *(const uint64_t *)(e + size_at);
	return 0;
}

int32_t vmstructs_constant(void *dl, const char *name)
{
	struct table t;
	if (!table_open(&t, dl, "gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntryArrayStride"))
		return 0;
	uint64_t name_at = exported_u64(dl, "gHotSpotVMIntConstantEntryNameOffset");
	uint64_t value_at = exported_u64(dl, "gHotSpotVMIntConstantEntryValueOffset");

	for (const char *e = t.base; column_text(e, name_at); e += t.stride)
		if (strcmp(column_text(e, name_at), name) == 0)
			return *(const int32_t *)(e + value_at);
	return 0;
}

static void read_types(struct vmstructs *vs, void *dl)
{
	vs->flag_size = vmstructs_type_size(dl, "JVMFlag");
	vs->const_method_size = vmstructs_type_size(dl, "ConstMethod");
	vs->klass.klass_size = vmstructs_type_size(dl, "Klass");
	vs->klass.instance_size = vmstructs_type_size(dl, "InstanceKlass");
}

/* Reads the one long constant that is needed. */
static void read_constants(struct vmstructs *vs, void *dl)
{
	struct table t;
	if (!table_open(&t, dl, "gHotSpotVMLongConstants",
			"gHotSpotVMLongConstantEntryArrayStride"))
		return;
	uint64_t name_at = exported_u64(dl, "gHotSpotVMLongConstantEntryNameOffset");
	uint64_t value_at = exported_u64(dl, "gHotSpotVMLongConstantEntryValueOffset");

	for (const char *e = t.base; column_text(e, name_at); e += t.stride)
		if (strcmp(column_text(e, name_at), "ZAddressOffsetMask") == 0)
			vs->z_constant_mask = *(const uint64_t *)(e + value_at);
}

/*
 * The way from an object to its class, and from there to its references. Names changed with JDK 12,
 * 13 and 22.
 */
static void read_klass(const struct table *t, void *dl, struct vmstructs_klass *k)
{
	uintptr_t *class_base = NULL, *class_shift = NULL, *ref_base = NULL, *ref_shift = NULL;
	uintptr_t *mirror_klass = NULL, *mirror_array = NULL;
	const struct vmstructs_wanted wanted[] = {
		{ "Klass", "_layout_helper", .offset = &k->layout_helper },
		{ "Klass", "_super_check_offset", .offset = &k->super_check },
		{ "Klass", "_vtable_len", .offset = &k->vtable_len },
		{ "Klass", "_name", .offset = &k->name },
		{ "Klass", "_super", .offset = &k->super },
		{ "Klass", "_class_loader_data", .offset = &k->loader },
		{ "Klass", "_primary_supers[0]", .offset = &k->primary_super },
		{ "Symbol", "_length", .offset = &k->symbol_length },
		{ "Symbol", "_body", .offset = &k->symbol_body },
		{ "InstanceKlass", "_itable_len", .offset = &k->itable_len },
		{ "InstanceKlass", "_nonstatic_oop_map_size", .offset = &k->oop_map_words },
		{ "Universe", "_narrow_klass._base", .address = &class_base },
		{ "Universe", "_narrow_klass._shift", .address = &class_shift },
		{ "Universe", "_narrow_oop._base", .address = &ref_base },
		{ "Universe", "_narrow_oop._shift", .address = &ref_shift },
		{ "CompressedKlassPointers", "_narrow_klass._base", .address = &class_base },
		{ "CompressedKlassPointers", "_narrow_klass._shift", .address = &class_shift },
		{ "CompressedKlassPointers", "_base", .address = &class_base },
		{ "CompressedKlassPointers", "_shift", .address = &class_shift },
		{ "CompressedOops", "_narrow_oop._base", .address = &ref_base },
		{ "CompressedOops", "_narrow_oop._shift", .address = &ref_shift },
		{ "CompressedOops", "_base", .address = &ref_base },
		{ "CompressedOops", "_shift", .address = &ref_shift },
		{ "java_lang_Class", "_klass_offset", .address = &mirror_klass },
		{ "java_lang_Class", "_array_klass_offset", .address = &mirror_array },
	};

	read_structs(t, dl, wanted, sizeof wanted / sizeof wanted[0]);
	k->class_base = class_base;
	k->class_shift = class_shift;
	k->ref_base = ref_base;
	k->ref_shift = ref_shift;
	k->mirror_klass = mirror_klass;
	k->mirror_array = mirror_array;
}

/* ZGC's colours. JDK 21 to 23 have two ZGCs; the tables call the one without generations X. */
static void read_zgc(const struct table *t, void *dl, struct vmstructs *vs)
{
	uintptr_t *x_globals = NULL;
	long x_offset_mask = -1, x_bad_mask = -1;
	const struct vmstructs_wanted wanted[] = {
		{ "ZGlobalsForVMStructs", "_instance_p", .address = &vs->zglobals },
		{ "ZGlobalsForVMStructs", "_ZAddressOffsetMask",
		  .signed_offset = &vs->z_offset_mask },
		{ "ZGlobalsForVMStructs", "_ZAddressBadMask", .signed_offset = &vs->z_bad_mask },
		{ "ZGlobalsForVMStructs", "_ZPointerLoadBadMask",
		  .signed_offset = &vs->z_bad_mask },
		{ "ZGlobalsForVMStructs", "_ZPointerLoadShift",
		  .signed_offset = &vs->z_load_shift },
		{ "XGlobalsForVMStructs", "_instance_p", .address = &x_globals },
		{ "XGlobalsForVMStructs", "_XAddressOffsetMask", .signed_offset = &x_offset_mask },
		{ "XGlobalsForVMStructs", "_XAddressBadMask", .signed_offset = &x_bad_mask },
	};

	read_structs(t, dl, wanted, sizeof wanted / sizeof wanted[0]);
	if (x_globals && !vmstructs_flag(vs, "ZGenerational")) {
		vs->zglobals = x_globals;
		vs->z_offset_mask = x_offset_mask;
		vs->z_bad_mask = x_bad_mask;
		vs->z_load_shift = -1;
	}
}

void vmstructs_read(struct vmstructs *vs, void *dl)
{
	struct table t;

	memset(vs, 0, sizeof *vs);
	vs->z_offset_mask = vs->z_load_shift = vs->z_bad_mask = -1;
	if (!table_open(&t, dl, "gHotSpotVMStructs", "gHotSpotVMStructEntryArrayStride"))
		return;

	uintptr_t *num_flags = NULL;
	const struct vmstructs_wanted wanted[] = {
		{ "JVMFlag", "flags", .address = &vs->flags },
		{ "JVMFlag", "numFlags", .address = &num_flags },
		{ "JVMFlag", "_name", .offset = &vs->flag_name },
		{ "JVMFlag", "_addr", .offset = &vs->flag_addr },
		{ "AbstractInterpreter", "_code", .address = &vs->interpreter_code },
		{ "StubQueue", "_stub_buffer", .offset = &vs->queue_buffer },
		{ "StubQueue", "_buffer_limit", .offset = &vs->queue_limit },
		{ "Universe", "_collectedHeap", .address = &vs->heap },
		{ "CollectedHeap", "_total_collections", .offset = &vs->heap_collections },
		{ "CollectedHeap", "_reserved", .offset = &vs->heap_reserved },
		{ "MemRegion", "_start", .offset = &vs->region_start },
		{ "MemRegion", "_word_size", .offset = &vs->region_words },
		{ "CodeCache", "_low_bound", .address = &vs->code_low },
		{ "CodeCache", "_high_bound", .address = &vs->code_high },
		{ "Method", "_constMethod", .offset = &vs->method_const_method },
	};
	read_structs(&t, dl, wanted, sizeof wanted / sizeof wanted[0]);
	read_klass(&t, dl, &vs->klass);
	read_types(vs, dl);
	read_constants(vs, dl);
	vs->num_flags = (size_t *)num_flags;
	read_zgc(&t, dl, vs);
	vs->found = true;
}

/* Address of a flag's value, NULL where there is no such flag. */
static void *flag_value(const struct vmstructs *vs, const char *name)
{
	if (!vs->flags || !*vs->flags || !vs->num_flags || !vs->flag_size || !vs->flag_name)
		return NULL;
	for (size_t i = 0; i < *vs->num_flags; i++) {
		const char *flag = (const char *)*vs->flags + i * vs->flag_size;
		const char *flag_name = *(const char *const *)(flag + vs->flag_name);
		if (flag_name && strcmp(flag_name, name) == 0)
			return *(void *const *)(flag + vs->flag_addr);
	}
	return NULL;
}

bool vmstructs_flag(const struct vmstructs *vs, const char *name)
{
	const bool *value = flag_value(vs, name);
	return value && *value;
}

uint64_t vmstructs_size_flag(const struct vmstructs *vs, const char *name)
{
	const uint64_t *value = flag_value(vs, name);
	return value ? *value : 0;
}

const char *vmstructs_text_flag(const struct vmstructs *vs, const char *name)
{
	const char *const *value = flag_value(vs, name);
	return value ? *value : NULL;
}

bool vmstructs_set_flag(const struct vmstructs *vs, const char *name, bool value)
{
	bool *p = flag_value(vs, name);
	if (p) {
		flag_set = p;
		flag_before = *p;
		*p = value;
	}
	return p != NULL;
}

void vmstructs_restore_flag(void)
{
	if (flag_set)
		*flag_set = flag_before;
	flag_set = NULL;
}

const char *vmstructs_gc(const struct vmstructs *vs)
{
	static const char *const gcs[][2] = {
		{ "UseSerialGC", "Serial" },
		{ "UseParallelGC", "Parallel" },
		{ "UseG1GC", "G1" },
		{ "UseZGC", "Z" },
		{ "UseShenandoahGC", "Shenandoah" },
		{ "UseEpsilonGC", "Epsilon" },
		{ "UseConcMarkSweepGC", "CMS" },
	};
	for (size_t i = 0; i < sizeof gcs / sizeof gcs[0]; i++)
		if (vmstructs_flag(vs, gcs[i][0]))
			return gcs[i][1];
	return "unknown";
}

const _Atomic uint32_t *vmstructs_collections(const struct vmstructs *vs)
{
	if (!vs->heap || !*vs->heap || !vs->heap_collections)
		return NULL;
	return (const _Atomic uint32_t *)(*vs->heap + vs->heap_collections);
}

bool vmstructs_heap_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high)
{
	if (!vs->heap || !*vs->heap || !vs->heap_reserved || vs->region_start == vs->region_words)
		return false;
	const char *region = (const char *)*vs->heap + vs->heap_reserved;
	*low = *(const uintptr_t *)(region + vs->region_start);
	*high = *low + *(const size_t *)(region + vs->region_words) * sizeof(uintptr_t);
	return *low != 0 && *high > *low;
}

bool vmstructs_code_range(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high)
{
	if (!vs->code_low || !vs->code_high)
		return false;
	*low = *vs->code_low;
	*high = *vs->code_high;
	return *low != 0 && *high > *low;
}

bool vmstructs_interpreter(const struct vmstructs *vs, uintptr_t *low, uintptr_t *high)
{
	if (!vs->interpreter_code || !*vs->interpreter_code || !vs->queue_buffer)
		return false;
	const char *queue = (const char *)*vs->interpreter_code;
	*low = *(const uintptr_t *)(queue + vs->queue_buffer);
	*high = *low + (uintptr_t) * (const int *)(queue + vs->queue_limit);
	return *low != 0;
}
