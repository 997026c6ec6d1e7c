/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata.c - see metadata.h. HotSpot's method.hpp, constMethod.hpp, constantPool.hpp and
 * symbol.hpp describe the records.
 *
 * A method's number is a hash of its names and of what differs between versions of it: sizes and
 * line numbers. A class that is loaded again and again keeps its numbers.
 */
#define XXH_INLINE_ALL

#include "hotspot/metadata.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>

#include "core/hashtable.h"
#include "core/peek.h"
#include "core/state.h"
#include "hotspot/metadata_private.h"

#define FIRST 1024	 /* slots of the first tier */
#define ROOM  (1u << 16) /* most numbers whose Methods are kept */

/* By number, the position plus 1 of its Method. */
static struct hashtable_slot slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable table = { slots, FIRST };
static _Atomic uintptr_t places[ROOM];
static _Atomic uint32_t nplaces;

void metadata_where_set(uint64_t number, uintptr_t method)
{
	bool mine = false;
	struct hashtable_slot *slot = hashtable_claim(&table, number, &mine);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	if (mine)
		place = atomic_load_explicit(&nplaces, memory_order_relaxed) < ROOM
				? atomic_fetch_add_explicit(&nplaces, 1, memory_order_relaxed) + 1
				: 0;
	if (!place || place > ROOM)
		return;
	atomic_store_explicit(&places[place - 1], method, memory_order_release);
	if (mine)
		atomic_store_explicit(&slot->value, place, memory_order_release);
}

uintptr_t metadata_where(uint64_t number)
{
	const struct hashtable_slot *slot = hashtable_find(&table, number);
	uint32_t place = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;

	return place ? atomic_load_explicit(&places[place - 1], memory_order_acquire) : 0;
}

#define TEXT	    256	  /* bytes of a text that are hashed */
#define FIRST_BYTES 128	  /* of a Symbol that are read at once: most texts are shorter */
#define LINES	    64	  /* bytes of line numbers that are hashed */
#define SLACK	    16	  /* bytes that one entry may take */
#define TAIL	    32	  /* bytes of a class's name that are compared */
#define SPAN	    256	  /* most bytes of a Klass that one piece copies */
#define PAGE	    4096u /* the smallest page size */
#define CACHE_BITS  13
#define ACC_NATIVE  0x100u
#define ENTRY_CLASS "jdk/internal/vm/Continuation"
#define ENTRY_NAME  "enterSpecial"

struct metadata_places metadata_at;
bool metadata_on;

#define at metadata_at

/* What must be as it was, for a Method to be the same method. */
struct proof {
	uintptr_t const_method, pool, klass, class_name, name;
	unsigned char sizes[METADATA_SIZES], tail[TAIL];
	uint64_t length; /* two bytes; no padding, since proofs are compared as a whole */
};

/*
 * Cache of numbers. `turn` is odd while an entry is written. An entry holds in its epoch, as no
 * class is unloaded within one; later it has to be proved again.
 */
static struct entry {
	_Atomic uint32_t turn;
	uint64_t epoch, number;
	uintptr_t method;
	struct proof proof;
} cache[1u << CACHE_BITS];

/* [handler] */
static uintptr_t word_in(const unsigned char *p)
{
	uintptr_t w;
	memcpy(&w, p, sizeof w);
	return w;
}

/* [handler] */
static uint16_t short_in(const unsigned char *p)
{
	uint16_t s;
	memcpy(&s, p, sizeof s);
	return s;
}

/* ---- records --------------------------------------------------------------------------- */

uint32_t metadata_next(const unsigned char **p)
{
	const uint32_t x = at.excludes, low = 192 - x;
	uint32_t sum = *(*p)++ - x;

	for (uint32_t i = 1, b = sum; b >= low && i < 5; i++) {
		b = *(*p)++ - x;
		sum += b << 6 * i;
	}
	return sum;
}

/* [handler] Reads all pieces, or fails. */
static bool read_all(struct peek_piece *pieces, size_t n)
{
	peek_batch(pieces, n);
	for (size_t i = 0; i < n; i++)
		if (!pieces[i].ok)
			return false;
	return true;
}

/* [handler] Address of a slot of a constant pool. */
static uintptr_t pool_slot(uintptr_t pool, uint16_t index)
{
	return pool + at.pool_size + index * sizeof pool;
}

/* [handler] Reads the class's fields: by one piece, if they lie close together. */
static bool read_class(struct metadata_records *to)
{
	size_t low = at.class_name < at.loader ? at.class_name : at.loader;
	size_t high = at.class_name < at.loader ? at.loader : at.class_name;
	unsigned char bytes[SPAN];

	if (high - low + sizeof to->loader > sizeof bytes)
		return peek(to->klass + at.class_name, &to->class_name, sizeof to->class_name) &&
		       peek(to->klass + at.loader, &to->loader, sizeof to->loader);
	if (!peek(to->klass + low, bytes, high - low + sizeof to->loader))
		return false;
	to->class_name = word_in(bytes + at.class_name - low);
	to->loader = word_in(bytes + at.loader - low);
	return true;
}

/* [handler] Reads the constant pool's fields and the slots of the method's names. */
static bool read_pool(struct metadata_records *to, uint16_t name, uint16_t descriptor)
{
	unsigned char head[METADATA_POOL];
	int32_t length = 0;
	struct peek_piece pieces[] = {
		{ .from = to->pool, .to = head, .len = at.pool_size },
		{ .from = pool_slot(to->pool, name), .to = &to->name, .len = sizeof to->name },
		{ .from = pool_slot(to->pool, descriptor),
		  .to = &to->descriptor,
		  .len = sizeof to->descriptor },
	};

	if (to->pool % sizeof to->pool || !read_all(pieces, sizeof pieces / sizeof *pieces))
		return false;
	to->klass = word_in(head + at.holder);
	memcpy(&length, head + at.length, sizeof length);
	return name < length && descriptor < length;
}

bool metadata_find(uintptr_t method, struct metadata_records *to)
{
	unsigned char head[METADATA_HEAD], rest[METADATA_HEAD] = { 0 };
	int32_t words = 0;

	if (!method || method % sizeof method || !peek(method, head, sizeof head))
		return false;
	memset(to, 0, sizeof *to); /* it is compared as a whole */
	to->method = method;
	to->const_method = word_in(head + at.const_method);
	/* what follows, the upper half in older JDKs, are marks of compilers, which come and go */
	to->access = short_in(head + at.access);
	if (!peek(to->const_method, rest, at.const_size))
		return false;
	to->pool = word_in(rest + at.constants);
	memcpy(to->sizes, rest + at.code_size, sizeof to->sizes);
	to->code_size = short_in(rest + at.code_size);
	memcpy(&words, rest + at.const_words, sizeof words);
	uintptr_t end = to->const_method + (uintptr_t)words * sizeof end;
	uintptr_t lines = to->const_method + at.const_size + to->code_size;
	if (words > 0 && short_in(rest + at.const_flags) & at.has_lines && lines < end) {
		to->lines = lines;
		to->lines_end = end;
	}
	return read_pool(to, short_in(rest + at.name), short_in(rest + at.descriptor)) &&
	       read_class(to);
}

/* ---- numbers --------------------------------------------------------------------------- */

/* [handler] How many of these bytes belong to the first entries of line numbers. */
static size_t lines_used(const unsigned char *bytes, size_t n)
{
	const unsigned char *p = bytes;

	while (p < bytes + n && *p) {
		if (*p++ == 0xff) {
			metadata_next(&p);
			metadata_next(&p);
		}
	}
	return (size_t)(p - bytes);
}

/* A Symbol from its length on, and the length. */
struct symbol {
	unsigned char bytes[METADATA_SYMBOL + TEXT];
	size_t first; /* bytes that the first piece has */
	uint16_t len;
};

enum { CLASS, NAME, DESCRIPTOR, SYMBOLS };

struct texts {
	struct symbol symbol[SYMBOLS];
	unsigned char lines[LINES + SLACK];
	size_t nlines;
};

/* [handler] The beginning of a symbol's text: `symbol_used` bytes. */
static const unsigned char *text_in(const struct symbol *s)
{
	return s->bytes + (at.symbol_body - at.symbol_length);
}

/* [handler] */
static size_t symbol_used(const struct symbol *s)
{
	return s->len < TEXT ? s->len : TEXT;
}

/* [handler] The beginning of a symbol, up to the end of its page: what follows may be missing. */
static struct peek_piece first_piece(uintptr_t symbol, struct symbol *s)
{
	uintptr_t from = symbol + at.symbol_length;
	size_t left = PAGE - from % PAGE;

	s->first = left < FIRST_BYTES ? left : FIRST_BYTES;
	return (struct peek_piece){ .from = from, .to = s->bytes, .len = s->first };
}

uint16_t metadata_symbol(uintptr_t symbol, char *to, size_t room)
{
	struct symbol s;
	struct peek_piece piece = first_piece(symbol, &s);
	size_t before = at.symbol_body - at.symbol_length;

	if (!symbol || !read_all(&piece, 1))
		return 0;
	s.len = short_in(s.bytes);
	size_t have = s.first > before ? s.first - before : 0;
	have = have < s.len ? have : s.len;
	if (s.len > room)
		return 0;
	memcpy(to, text_in(&s), have);
	return have == s.len || peek(symbol + at.symbol_body + have, to + have, s.len - have)
		       ? s.len
		       : 0;
}

/* [handler] Reads the beginnings of the texts. */
static bool read_texts(const struct metadata_records *r, struct texts *t)
{
	const uintptr_t symbols[SYMBOLS] = { r->class_name, r->name, r->descriptor };
	struct peek_piece firsts[SYMBOLS + 1], rest[SYMBOLS];
	size_t n = 0, nrest = 0;

	for (; n < SYMBOLS; n++)
		firsts[n] = first_piece(symbols[n], &t->symbol[n]);
	memset(t->lines, 0, sizeof t->lines);
	t->nlines = 0;
	if (r->lines) {
		t->nlines = r->lines_end - r->lines < LINES ? r->lines_end - r->lines : LINES;
		firsts[n++] =
			(struct peek_piece){ .from = r->lines, .to = t->lines, .len = t->nlines };
	}
	if (!read_all(firsts, n))
		return false;
	for (int i = 0; i < SYMBOLS; i++) {
		struct symbol *s = &t->symbol[i];
		s->len = short_in(s->bytes);
		size_t end = at.symbol_body - at.symbol_length + symbol_used(s);
		if (!s->len)
			return false;
		if (end > s->first)
			rest[nrest++] = (struct peek_piece){ .from = symbols[i] + at.symbol_length +
								     s->first,
							     .to = s->bytes + s->first,
							     .len = end - s->first };
	}
	return nrest == 0 || read_all(rest, nrest);
}

/* [handler] */
static bool is_text(const struct symbol *s, const char *wanted)
{
	return s->len == strlen(wanted) && memcmp(text_in(s), wanted, s->len) == 0;
}

/* [handler] The number, by texts that were read. */
static uint64_t number_of(const struct metadata_records *r, const struct texts *t)
{
	const uintptr_t symbols[SYMBOLS] = { r->class_name, r->name, r->descriptor };
	uint64_t rest[7] = { 0 };

	for (int i = 0; i < SYMBOLS; i++) {
		const struct symbol *s = &t->symbol[i];
		rest[i] = XXH3_64bits(text_in(s), symbol_used(s)) + s->len;
		rest[3] += s->len > TEXT ? symbols[i] : 0; /* what follows may differ */
	}
	rest[4] = XXH3_64bits(t->lines, lines_used(t->lines, t->nlines));
	rest[5] = r->code_size;
	rest[6] = r->access;
	uint64_t number = XXH3_64bits(rest, sizeof rest) & ~(uint64_t)METADATA_BITS;
	bool entry = r->access & ACC_NATIVE && is_text(&t->symbol[NAME], ENTRY_NAME) &&
		     is_text(&t->symbol[CLASS], ENTRY_CLASS);
	/* never 0, and never METHODS_UNKNOWN */
	return (number | (METADATA_BITS + 1)) | (r->access & ACC_NATIVE ? METADATA_NATIVE : 0) |
	       (entry ? METADATA_ENTRY : 0);
}

uint64_t metadata_compute(const struct metadata_records *r)
{
	struct texts t;

	return read_texts(r, &t) ? number_of(r, &t) : 0;
}

/* ---- cache ----------------------------------------------------------------------------- */

/* [handler] Reads what a proof is about, by the addresses in `p`. */
static bool read_proof(uintptr_t method, const struct proof *p, struct proof *now)
{
	size_t tail = p->length < TAIL ? p->length : TAIL;
	struct peek_piece pieces[] = {
		{ .from = method + at.const_method, .to = &now->const_method, .len = 8 },
		{ .from = p->const_method + at.constants, .to = &now->pool, .len = 8 },
		{ .from = p->const_method + at.code_size, .to = now->sizes, .len = METADATA_SIZES },
		{ .from = p->pool + at.holder, .to = &now->klass, .len = 8 },
		{ .from = pool_slot(p->pool, short_in(p->sizes + at.name - at.code_size)),
		  .to = &now->name,
		  .len = 8 },
		{ .from = p->klass + at.class_name, .to = &now->class_name, .len = 8 },
		{ .from = p->class_name + at.symbol_length, .to = &now->length, .len = 2 },
		{ .from = p->class_name + at.symbol_body + p->length - tail,
		  .to = now->tail,
		  .len = tail },
	};

	return read_all(pieces, sizeof pieces / sizeof *pieces);
}

/* [handler] */
static bool proved(uintptr_t method, const struct proof *p)
{
	struct proof now;

	memset(&now, 0, sizeof now);
	return read_proof(method, p, &now) && memcmp(p, &now, sizeof now) == 0;
}

/* [handler] Collects a proof of what was just read. */
static bool prove(const struct metadata_records *r, const struct texts *t, struct proof *p)
{
	const struct symbol *name = &t->symbol[CLASS];
	size_t tail = name->len < TAIL ? name->len : TAIL;

	memset(p, 0, sizeof *p);
	p->const_method = r->const_method;
	p->pool = r->pool;
	p->klass = r->klass;
	p->class_name = r->class_name;
	p->name = r->name;
	p->length = name->len;
	memcpy(p->sizes, r->sizes, sizeof p->sizes);
	if (name->len > TEXT)
		return peek(r->class_name + at.symbol_body + name->len - tail, p->tail, tail);
	memcpy(p->tail, text_in(name) + name->len - tail, tail);
	return true;
}

/* [handler] */
static struct entry *entry_of(uintptr_t method)
{
	return &cache[(uint32_t)((method * 0x9e3779b97f4a7c15u) >> (64 - CACHE_BITS))];
}

/* [handler] A copy of the entry, if it is of this method and nobody writes it. */
static bool entry_read(uintptr_t method, struct entry *copy)
{
	struct entry *e = entry_of(method);
	uint32_t turn = atomic_load_explicit(&e->turn, memory_order_acquire);

	if (turn & 1 || e->method != method)
		return false;
	copy->epoch = e->epoch;
	copy->number = e->number;
	copy->proof = e->proof;
	copy->method = e->method;
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&e->turn, memory_order_relaxed) == turn &&
	       copy->method == method;
}

/* [handler] Leaves it, if another thread writes the entry. */
static void entry_write(const struct entry *from)
{
	struct entry *e = entry_of(from->method);
	uint32_t turn = atomic_load_explicit(&e->turn, memory_order_relaxed);

	if (turn & 1 ||
	    !atomic_compare_exchange_strong_explicit(&e->turn, &turn, turn + 1,
						     memory_order_acq_rel, memory_order_acquire))
		return;
	atomic_thread_fence(memory_order_release);
	e->epoch = from->epoch;
	e->number = from->number;
	e->method = from->method;
	e->proof = from->proof;
	atomic_store_explicit(&e->turn, turn + 2, memory_order_release);
}

uint64_t metadata_number(uintptr_t method)
{
	uint64_t now = epoch_now();
	struct metadata_records r;
	struct texts t;
	struct entry e;

	if (entry_read(method, &e)) {
		if (e.epoch == now && now != UINT64_MAX &&
		    *(const uintptr_t *)(method + at.const_method) == e.proof.const_method)
			return e.number;
		if (proved(method, &e.proof)) {
			e.epoch = now;
			entry_write(&e);
			return e.number;
		}
	}
	if (!metadata_find(method, &r) || !read_texts(&r, &t))
		return 0;
	e = (struct entry){ .epoch = now, .method = method, .number = number_of(&r, &t) };
	metadata_where_set(e.number & ~(uint64_t)METADATA_BITS, method);
	if (prove(&r, &t, &e.proof))
		entry_write(&e);
	return e.number;
}

uint64_t metadata_number_of(jmethodID id)
{
	if (!metadata_on)
		return (uint64_t)(uintptr_t)id;
	/* the memory that an id points to is never freed */
	uintptr_t method = id ? *(const uintptr_t *)(const void *)id : 0;
	return method ? metadata_number(method) & ~(uint64_t)METADATA_BITS : 0;
}

uintptr_t metadata_bytecodes(uintptr_t method)
{
	return *(const uintptr_t *)(method + at.const_method) + at.const_size;
}

bool metadata_known(void)
{
	return metadata_on;
}
