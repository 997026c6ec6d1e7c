/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.c - see shape.h.
 *
 * A shape is read once per epoch, into a private table of fixed size. Classes are unloaded in
 * pauses or after them. So a class that an object of an epoch leads to exists until the next epoch.
 */
#include "hotspot/metadata/shape.h"

#include <string.h>

#include "core/memory.h"
#include "hotspot/metadata/layout.h"
#include "hotspot/metadata/shape_private.h"
#include "hotspot/vmstructs.h"

/*
 * ---- Up to JDK 20, a class has an array of six 16-bit numbers for each field. Since JDK 21
 * it has a stream of numbers of one to five bytes. Either tells each field's flags and offset,
 * but not its size. So a field reaches to where the next one begins; padding is zero.
 */

#define SUPERCLASSES 16
#define STATIC	     0x0008u
#define FINAL	     0x0010u

/* The array of numbers: access flags, four others of which two are the offset's halves. */
#define SLOTS	  6
#define SLOT_LOW  4
#define SLOT_HIGH 5
#define HAS_PLACE 1u /* in the lower half, whose lowest two bits are no part of the offset */

/* The stream: flags of a field that tell how many more numbers it has. */
#define FLAG_INITIALIZED (1u << 0)
#define FLAG_GENERIC	 (1u << 2)
#define FLAG_CONTENDED	 (1u << 4)
#define FLAGS_KNOWN	 0x1fu
#define DIGIT		 191u /* above, another byte follows; no byte is 0 */

static struct {
	bool known;
	size_t super, array, count, stream; /* offsets in Klass and InstanceKlass; 0: missing */
	size_t length, bytes, halves;	    /* in arrays of the VM */
} finals_at;

/* What is gathered of a class and its superclasses: where fields begin, and which are final. */
struct starts {
	uint64_t any[FINALS_BYTES / 64], final[FINALS_BYTES / 64];
	bool some; /* not all are known: a class describes more fields than can be read */
};

bool finals_init(void)
{
	const struct vmstructs_wanted wanted[] = {
		{ "Klass", "_super", .offset = &finals_at.super },
		{ "Array<u1>", "_data", .offset = &finals_at.bytes },
		{ "Array<u2>", "_data", .offset = &finals_at.halves },
		{ "Array<int>", "_length", .offset = &finals_at.length },
	};
	const struct vmstructs_wanted numbers[] = {
		{ "InstanceKlass", "_fields", .offset = &finals_at.array },
		{ "InstanceKlass", "_java_fields_count", .offset = &finals_at.count },
	};
	const struct vmstructs_wanted stream = { "InstanceKlass", "_fieldinfo_stream",
						 .offset = &finals_at.stream };
	size_t n = sizeof wanted / sizeof wanted[0];

	memset(&finals_at, 0, sizeof finals_at);
	finals_at.known = vmstructs_find(ojx.dl, wanted, n) == n &&
			  (vmstructs_find(ojx.dl, numbers, 2) == 2 ||
			   vmstructs_find(ojx.dl, &stream, 1) == 1);
	return finals_at.known;
}

void finals_off(void)
{
	finals_at.known = false;
}

/* [pause] */
static void add_start(struct starts *s, uint32_t offset, uint32_t access)
{
	uint64_t bit = UINT64_C(1) << offset % 64;

	if (access & STATIC || offset >= FINALS_BYTES)
		return;
	s->any[offset / 64] |= bit;
	if (access & FINAL)
		s->final[offset / 64] |= bit;
}

/* [pause] Reads a word of a class. */
static bool word_of(struct reader *r, uintptr_t from, void *to, size_t n)
{
	const unsigned char *p = reader_class(r, from, n, false);

	if (p)
		memcpy(to, p, n);
	return p != NULL;
}

/* [pause] */
static bool add_numbers(struct starts *s, struct reader *r, uintptr_t klass, uintptr_t array)
{
	uint16_t n, field[SLOTS];

	if (!word_of(r, klass + finals_at.count, &n, sizeof n))
		return false;
	s->some |= n * sizeof field > READER_MAX;
	if (s->some)
		return true;
	const unsigned char *p =
		n ? reader_class(r, array + finals_at.halves, n * sizeof field, false) : NULL;
	for (uint16_t i = 0; p && i < n; i++) {
		memcpy(field, p + i * sizeof field, sizeof field);
		if (field[SLOT_LOW] & HAS_PLACE)
			add_start(s, ((uint32_t)field[SLOT_HIGH] << 16 | field[SLOT_LOW]) >> 2,
				  field[0]);
	}
	return p || !n;
}

/* [pause] The next number of a stream; past its end, 0. */
static uint32_t next_number(const unsigned char **p, const unsigned char *end)
{
	uint32_t sum = 0, digit = DIGIT;

	for (uint32_t i = 0; digit >= DIGIT && i < 5; i++) {
		if (*p == end || !**p)
			return 0;
		digit = *(*p)++ - 1u;
		sum += digit << 6 * i;
	}
	return sum;
}

/* [pause] */
static bool add_stream(struct starts *s, struct reader *r, uintptr_t stream)
{
	uint32_t length;

	if (!word_of(r, stream + finals_at.length, &length, sizeof length))
		return false;
	s->some |= length > READER_MAX;
	if (s->some)
		return true;
	const unsigned char *p = reader_class(r, stream + finals_at.bytes, length, false), *end;
	if (!p)
		return false;
	end = p + length;
	uint32_t n = next_number(&p, end);
	n += next_number(&p, end); /* those that the VM has added */
	for (uint32_t i = 0; i < n && p < end; i++) {
		next_number(&p, end); /* name and type */
		next_number(&p, end);
		uint32_t offset = next_number(&p, end), access = next_number(&p, end);
		uint32_t flags = next_number(&p, end);
		if (flags & ~FLAGS_KNOWN)
			return false;
		add_start(s, offset, access);
		for (uint32_t more = FLAG_INITIALIZED; more <= FLAG_CONTENDED; more <<= 2)
			if (flags & more)
				next_number(&p, end);
	}
	return true;
}

/*
 * [pause] Each byte belongs to the field that begins last before it. If not all fields are known,
 * none counts as final.
 */
static void spread(struct finals *f, const struct starts *s)
{
	bool final = false;

	memset(f->bits, 0, sizeof f->bits);
	for (uint32_t i = 0; i < FINALS_BYTES && !s->some; i++) {
		if (s->any[i / 64] >> i % 64 & 1)
			final = s->final[i / 64] >> i % 64 & 1;
		f->bits[i / 64] |= (uint64_t) final << i % 64;
	}
}

/*
 * [pause] Brings `f` up to date for the class at `klass`, which is no array's. False if the VM's
 * description cannot be read.
 */
static bool finals_read(struct finals *f, struct reader *r, uintptr_t klass, uint64_t epoch)
{
	struct starts s = { .any = { 0 } };
	size_t place = finals_at.stream ? finals_at.stream : finals_at.array;
	uintptr_t own = 0;

	if (!finals_at.known)
		return false;
	if (f->described && f->epoch == epoch)
		return true;
	for (uint32_t i = 0; klass && i < SUPERCLASSES; i++) {
		uintptr_t described = 0;
		if (!word_of(r, klass + place, &described, sizeof described) || !described)
			return false;
		if (i == 0 && f->described == described)
			break; /* it is the class that it was */
		own = i == 0 ? described : own;
		if (!(finals_at.stream ? add_stream(&s, r, described)
				       : add_numbers(&s, r, klass, described)) ||
		    !word_of(r, klass + finals_at.super, &klass, sizeof klass))
			return false;
	}
	if (own) {
		spread(f, &s);
		f->described = own;
	}
	f->epoch = epoch;
	return true;
}

#define CACHE_BITS   12
#define ARRAY_OBJECT (-2) /* Klass::layout_helper >> 30 */
#define ARRAY_TYPE   (-1)
#define TABLES_MAX   (1 << 20) /* most bytes of vtable and itable together */
#define SIZE_MAX_OF  (1 << 20) /* most bytes of an object that is no array */

struct shape_cache {
	struct shape slot[1u << CACHE_BITS];
};

struct shape_rules shape_rules;

struct shape_cache *shape_cache_new(void)
{
	return memory_new(1, sizeof(struct shape_cache));
}

uint32_t shape_header(void)
{
	return layout.klass_offset + layout.klass_size;
}

uint32_t shape_coder(void)
{
	return shape_rules.coder_at;
}

uintptr_t shape_klass(const unsigned char *header)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	uint64_t word = layout_klass(header);

	if (layout.klass_size == 8 && layout.klass_mask == UINT64_MAX)
		return word; /* not compressed */
	word >>= __builtin_ctzll(layout.klass_mask);
	return word ? *k->class_base + (word << *(const int *)k->class_shift) : 0;
}

uintptr_t shape_reference(const unsigned char *slot)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	uint64_t raw = 0;

	memcpy(&raw, slot, layout.ref_size);
	if (layout.ref_size == 4)
		return raw ? *k->ref_base + (raw << *(const int *)k->ref_shift) : 0;
	if (!shape_rules.bad_mask)
		return raw;
	/* ZGC colours slots; a slot of a good colour has the right address */
	if (!layout_ref(raw))
		return 0;
	if (raw & *shape_rules.bad_mask)
		return SHAPE_STALE;
	return layout.ref_shift ? layout_ref(raw) : raw;
}

bool shape_forwarded(const unsigned char *header)
{
	return shape_rules.forwards && (*header & 3) == 3;
}

uintptr_t shape_mirror(struct reader *r, uintptr_t mirror)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	const uintptr_t *const offsets[] = { k->mirror_klass, k->mirror_array };
	uintptr_t klass = 0;

	for (int i = 0; i < 2 && !klass; i++) {
		const unsigned char *at =
			reader_object(r, mirror + *(const uint32_t *)offsets[i], sizeof klass);
		if (at)
			memcpy(&klass, at, sizeof klass);
	}
	return klass;
}

/* [pause] */
static uint32_t number_at(const unsigned char *klass, size_t offset)
{
	uint32_t n;
	memcpy(&n, klass + offset, sizeof n);
	return n;
}

/* [pause] Whether `klass`, the copy of the Klass at `address`, is `super` or a subclass. */
static bool is_a(const unsigned char *klass, uintptr_t address, const struct shape_known *super)
{
	uintptr_t displayed;

	memcpy(&displayed, klass + super->check_at, sizeof displayed);
	return address == super->klass || displayed == super->klass;
}

/* [pause] */
static void apply_rules(struct shape *s, const unsigned char *klass)
{
	uint32_t n = atomic_load_explicit(&shape_rules.nknown, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++) {
		const struct shape_known *known = &shape_rules.known[i];
		if (!is_a(klass, s->klass, known))
			continue;
		if (known->kind != SHAPE_FIELDS)
			s->kind = known->kind;
		s->name_at = known->name_at;
		s->name_size = known->name_size;
		for (uint32_t j = 0; j < known->nignored && s->nignored < SHAPE_IGNORED; j++)
			s->ignored[s->nignored++] = known->ignored[j];
		if (s->kind != SHAPE_FIELDS && s->kind != SHAPE_STRING)
			return;
	}
}

/* [pause] Reads the oop maps: rows of {int offset; uint count} behind the class's tables. */
static bool read_blocks(struct shape *s, struct reader *r, uintptr_t at, uint32_t words, bool known)
{
	struct {
		uint32_t offset, count;
	} row;

	if (words > SHAPE_BLOCKS)
		return false;
	const unsigned char *map = words ? reader_class(r, at, words * sizeof row, known) : NULL;
	for (uint32_t i = 0; map && i < words; i++) {
		memcpy(&row, map + i * sizeof row, sizeof row);
		if (row.offset < s->base || row.count > s->size ||
		    row.offset + (uint64_t)row.count * layout.ref_size > s->size)
			return false;
		s->blocks[s->nblocks++] =
			(struct shape_range){ row.offset, row.count * layout.ref_size };
	}
	return map || !words;
}

/* [pause] */
static bool read_instance(struct shape *s, struct reader *r, int32_t helper, bool known)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	const unsigned char *klass = reader_class(r, s->klass, k->instance_size, known);

	if (!klass)
		return false;
	uint64_t vtable = number_at(klass, k->vtable_len), itable = number_at(klass, k->itable_len);
	uint32_t words = number_at(klass, k->oop_map_words);
	uint64_t tables = (vtable + itable) * sizeof(uintptr_t);
	s->kind = SHAPE_FIELDS;
	s->size = (uint32_t)helper & ~7u;
	s->base = shape_header();
	if (s->size < s->base || s->size > SIZE_MAX_OF || tables > TABLES_MAX)
		return false;
	apply_rules(s, klass);
	return read_blocks(s, r, s->klass + k->instance_size + tables, words, known);
}

/* [pause] */
static bool read_array(struct shape *s, int32_t helper)
{
	s->base = (uint32_t)helper >> 16 & 0xff;
	s->log2 = (uint8_t)((uint32_t)helper & 0xff);
	s->kind = helper >> 30 == ARRAY_TYPE ? SHAPE_PRIMITIVES : SHAPE_REFERENCES;
	if (s->base < layout.length_offset + 4 || s->log2 > 3)
		return false;
	return s->kind == SHAPE_PRIMITIVES || 1u << s->log2 == layout.ref_size;
}

/* [pause] From the copy of a Klass. */
static struct shape_identity identity_of(const unsigned char *klass)
{
	const struct vmstructs_klass *k = &shape_rules.vm.klass;
	struct shape_identity i = {
		.helper = number_at(klass, k->layout_helper),
		.rules = atomic_load_explicit(&shape_rules.nknown, memory_order_acquire),
	};

	memcpy(&i.name, klass + k->name, sizeof i.name);
	memcpy(&i.loader, klass + k->loader, sizeof i.loader);
	memcpy(&i.super, klass + k->super, sizeof i.super);
	return i;
}

/* [pause] Fills an empty slot of the table. */
static void fill(struct shape *s, struct reader *r, bool known)
{
	int32_t helper = (int32_t)s->identity.helper;
	bool good = helper > 0 ? read_instance(s, r, helper, known)
		    : helper >> 30 == ARRAY_OBJECT || helper >> 30 == ARRAY_TYPE
			    ? read_array(s, helper)
			    : false;

	if (!good)
		s->kind = SHAPE_BAD;
}

/*
 * [pause] Brings a slot of the table up to date. Also remembers what makes no sense. Most classes
 * are those that they were before the collection: then one look is enough. It is not where objects
 * are read in place: what were references of a class that looked the same must not be followed.
 */
static void shape_read(struct shape *s, struct reader *r, uintptr_t klass, uint64_t epoch)
{
	bool known = s->klass == klass && s->kind != SHAPE_BAD;
	const unsigned char *at = reader_class(r, klass, shape_rules.vm.klass.klass_size, known);
	struct shape_identity now = { 0 };
	struct finals finals = { .described = 0 };

	if (at)
		now = identity_of(at);
	if (at && known && !reader_in_place(r) && memcmp(&now, &s->identity, sizeof now) == 0) {
		s->epoch = epoch;
		return;
	}
	if (known)
		finals = s->finals;
	memset(s, 0, sizeof *s);
	s->finals = finals;
	s->klass = klass;
	s->epoch = epoch;
	s->identity = now;
	if (at)
		fill(s, r, known);
}

/* [pause] */
static struct shape *slot_of(struct shape_cache *cache, uintptr_t klass)
{
	return &cache->slot[(klass >> 3) * 0x9e3779b97f4a7c15u >> (64 - CACHE_BITS)];
}

void shape_want(struct shape_cache *cache, struct reader *r, const unsigned char *header,
		uint64_t epoch)
{
	uintptr_t klass = shape_klass(header);
	const struct shape *s = slot_of(cache, klass);

	if (klass && (s->klass != klass || s->epoch != epoch))
		reader_want_class(r, klass, shape_rules.vm.klass.klass_size);
}

const struct shape *shape_of(struct shape_cache *cache, struct reader *r,
			     const unsigned char *header, uint64_t epoch)
{
	uintptr_t klass = shape_klass(header);

	if (!klass || klass % 8)
		return NULL;
	struct shape *s = slot_of(cache, klass);
	if (s->klass != klass || s->epoch != epoch)
		shape_read(s, r, klass, epoch);
	return s->kind == SHAPE_BAD ? NULL : s;
}

const struct finals *shape_finals(struct shape_cache *cache, struct reader *r,
				  const struct shape *s)
{
	struct shape *own = slot_of(cache, s->klass);

	if (own != s || s->kind == SHAPE_PRIMITIVES || s->kind == SHAPE_REFERENCES ||
	    !finals_read(&own->finals, r, s->klass, s->epoch))
		return NULL;
	return &own->finals;
}
