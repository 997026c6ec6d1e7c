/* SPDX-License-Identifier: Apache-2.0 */
/*
 * finals.c - see finals.h.
 *
 * Up to JDK 20, a class has an array of six 16-bit numbers for each field. Since JDK 21 it has a
 * stream of numbers of one to five bytes. Either tells each field's flags and offset, but not its
 * size. So a field reaches to where the next one begins; padding is zero.
 */
#include "hotspot/finals.h"

#include <string.h>

#include "hotspot/vmstructs.h"

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
} at;

/* What is gathered of a class and its superclasses: where fields begin, and which are final. */
struct starts {
	uint64_t any[FINALS_BYTES / 64], final[FINALS_BYTES / 64];
	bool some; /* not all are known: a class describes more fields than can be read */
};

bool finals_init(void)
{
	const struct vmstructs_wanted wanted[] = {
		{ "Klass", "_super", .offset = &at.super },
		{ "Array<u1>", "_data", .offset = &at.bytes },
		{ "Array<u2>", "_data", .offset = &at.halves },
		{ "Array<int>", "_length", .offset = &at.length },
	};
	const struct vmstructs_wanted numbers[] = {
		{ "InstanceKlass", "_fields", .offset = &at.array },
		{ "InstanceKlass", "_java_fields_count", .offset = &at.count },
	};
	const struct vmstructs_wanted stream = { "InstanceKlass", "_fieldinfo_stream",
						 .offset = &at.stream };
	size_t n = sizeof wanted / sizeof wanted[0];

	memset(&at, 0, sizeof at);
	at.known = vmstructs_find(ojx.dl, wanted, n) == n &&
		   (vmstructs_find(ojx.dl, numbers, 2) == 2 ||
		    vmstructs_find(ojx.dl, &stream, 1) == 1);
	return at.known;
}

void finals_off(void)
{
	at.known = false;
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

	if (!word_of(r, klass + at.count, &n, sizeof n))
		return false;
	s->some |= n * sizeof field > READER_MAX;
	if (s->some)
		return true;
	const unsigned char *p =
		n ? reader_class(r, array + at.halves, n * sizeof field, false) : NULL;
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

	if (!word_of(r, stream + at.length, &length, sizeof length))
		return false;
	s->some |= length > READER_MAX;
	if (s->some)
		return true;
	const unsigned char *p = reader_class(r, stream + at.bytes, length, false), *end;
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

bool finals_read(struct finals *f, struct reader *r, uintptr_t klass, uint64_t epoch)
{
	struct starts s = { .any = { 0 } };
	size_t place = at.stream ? at.stream : at.array;
	uintptr_t own = 0;

	if (!at.known)
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
		if (!(at.stream ? add_stream(&s, r, described)
				: add_numbers(&s, r, klass, described)) ||
		    !word_of(r, klass + at.super, &klass, sizeof klass))
			return false;
	}
	if (own) {
		spread(f, &s);
		f->described = own;
	}
	f->epoch = epoch;
	return true;
}
