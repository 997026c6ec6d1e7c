/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata_records.c - reads HotSpot's records of a method through the kernel, and computes its
 * number. HotSpot's method.hpp, constMethod.hpp, constantPool.hpp and symbol.hpp describe them.
 *
 * One record leads to the next, so it takes four calls of the kernel to find those of a method that
 * was never met, two if its class is known and stays (loaders.h), and one to find them again.
 */
#define XXH_INLINE_ALL

#include <stdatomic.h>
#include <string.h>
#include <xxhash.h>

#include "core/hashtable.h"
#include "core/peek.h"
#include "hotspot/metadata/loaders.h"
#include "hotspot/metadata/metadata.h"
#include "hotspot/metadata/metadata_private.h"

#define FIRST_BYTES 128	  /* of a Symbol that are read at once: most texts are shorter */
#define PAGE	    4096u /* the smallest page size */
#define ACC_NATIVE  0x100u
#define ENTRY_CLASS "jdk/internal/vm/Continuation"
#define ENTRY_NAME  "enterSpecial"
#define FIRST	    512	  /* slots of the first tier */
#define POOLS	    4096u /* most that are remembered */

struct metadata_places metadata_at;

#define at metadata_at

/* The bytes of the records of one method. */
struct raw {
	unsigned char head[METADATA_HEAD]; /* Method */
	unsigned char rest[METADATA_HEAD]; /* ConstMethod */
	unsigned char pool[METADATA_POOL];
	uintptr_t name, descriptor;
	unsigned char class[METADATA_SPAN];
};

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

/* [handler] */
size_t metadata_class_first(void)
{
	return at.class_name < at.loader ? at.class_name : at.loader;
}

/* [handler] */
size_t metadata_class_span(void)
{
	size_t last = at.class_name < at.loader ? at.loader : at.class_name;

	return last - metadata_class_first() + sizeof(uintptr_t);
}

/* [handler] */
static void take_method(const struct raw *raw, uintptr_t method, struct metadata_records *to)
{
	memset(to, 0, sizeof *to); /* it is compared as a whole */
	to->method = method;
	to->const_method = word_in(raw->head + at.const_method);
	/* what follows, the upper half in older JDKs, are marks of compilers, which come and go */
	to->access = short_in(raw->head + at.access);
}

/* [handler] */
static void take_const_method(const struct raw *raw, struct metadata_records *to)
{
	int32_t words = 0;

	to->pool = word_in(raw->rest + at.constants);
	memcpy(to->sizes, raw->rest + at.code_size, sizeof to->sizes);
	to->code_size = short_in(raw->rest + at.code_size);
	memcpy(&words, raw->rest + at.const_words, sizeof words);
	uintptr_t end = to->const_method + (uintptr_t)words * sizeof end;
	uintptr_t lines = to->const_method + at.const_size + to->code_size;
	if (words > 0 && short_in(raw->rest + at.const_flags) & at.has_lines && lines < end) {
		to->lines = lines;
		to->lines_end = end;
	}
}

/* [handler] The indexes of the method's names in the constant pool. */
static uint16_t name_of(const struct metadata_records *r)
{
	return short_in(r->sizes + at.name - at.code_size);
}

/* [handler] */
static uint16_t descriptor_of(const struct metadata_records *r)
{
	return short_in(r->sizes + at.descriptor - at.code_size);
}

/* [handler] False if the pool has no such slots. */
static bool take_pool(const struct raw *raw, struct metadata_records *to)
{
	int32_t length = 0;

	to->klass = word_in(raw->pool + at.holder);
	to->name = raw->name;
	to->descriptor = raw->descriptor;
	memcpy(&length, raw->pool + at.length, sizeof length);
	return name_of(to) < length && descriptor_of(to) < length;
}

/* [handler] */
static void take_class(const struct raw *raw, struct metadata_records *to)
{
	to->class_name = word_in(raw->class + at.class_name - metadata_class_first());
	to->loader = word_in(raw->class + at.loader - metadata_class_first());
}

/* [handler] The pieces of a pool: its fields and the slots of the method's names. */
static size_t pool_pieces(struct raw *raw, uintptr_t pool, const struct metadata_records *names,
			  struct peek_piece *to)
{
	to[0] = (struct peek_piece){ .from = pool, .to = raw->pool, .len = at.pool_size };
	to[1] = (struct peek_piece){ .from = pool_slot(pool, name_of(names)),
				     .to = &raw->name,
				     .len = sizeof raw->name };
	to[2] = (struct peek_piece){ .from = pool_slot(pool, descriptor_of(names)),
				     .to = &raw->descriptor,
				     .len = sizeof raw->descriptor };
	return 3;
}

/*
 * ---- constant pools of classes that stay, each with what it leads to. Redefined, a class may give
 * its pool's memory to another pool: a pool is the remembered one if it leads to the same class.
 */

static struct pool_known {
	uintptr_t klass, class_name, loader;
	int32_t length;
} pools[POOLS];

static struct hashtable_slot pool_slots[HASHTABLE_SLOTS(FIRST)];
static const struct hashtable pool_table = { pool_slots, FIRST };
static _Atomic uint32_t npools;

/* [handler] */
static void pool_remember(const struct raw *raw, const struct metadata_records *r)
{
	bool mine = false;
	struct hashtable_slot *slot =
		loader_stays(r->loader) ? hashtable_claim(&pool_table, r->pool, &mine) : NULL;
	uint32_t i =
		slot && mine ? atomic_fetch_add_explicit(&npools, 1, memory_order_relaxed) : POOLS;

	if (i >= POOLS)
		return;
	pools[i] = (struct pool_known){ .klass = r->klass,
					.class_name = r->class_name,
					.loader = r->loader };
	memcpy(&pools[i].length, raw->pool + at.length, sizeof pools[i].length);
	atomic_store_explicit(&slot->value, i + 1, memory_order_release);
}

/* [handler] Reads in place what a known pool leads to. False if it is not known. */
static bool pool_recall(struct metadata_records *to)
{
	const struct hashtable_slot *slot = hashtable_find(&pool_table, to->pool);
	uint32_t i = slot ? atomic_load_explicit(&slot->value, memory_order_acquire) : 0;
	const struct pool_known *k = i ? &pools[i - 1] : NULL;

	if (!k || name_of(to) >= k->length || descriptor_of(to) >= k->length ||
	    *(const uintptr_t *)(to->pool + at.holder) != k->klass)
		return false;
	to->klass = k->klass;
	to->class_name = k->class_name;
	to->loader = k->loader;
	to->name = *(const uintptr_t *)pool_slot(to->pool, name_of(to));
	to->descriptor = *(const uintptr_t *)pool_slot(to->pool, descriptor_of(to));
	return true;
}

/* ---- all of a method --------------------------------------------------------------------- */

bool metadata_find(uintptr_t method, struct metadata_records *to)
{
	struct raw raw = { .rest = { 0 } };
	struct peek_piece pieces[3];

	if (!method || method % sizeof method || !peek(method, raw.head, sizeof raw.head))
		return false;
	take_method(&raw, method, to);
	if (!peek(to->const_method, raw.rest, at.const_size))
		return false;
	take_const_method(&raw, to);
	if (to->pool && to->pool % sizeof to->pool == 0 && pool_recall(to))
		return true;
	size_t n = pool_pieces(&raw, to->pool, to, pieces);
	if (to->pool % sizeof to->pool || !read_all(pieces, n) || !take_pool(&raw, to) ||
	    !peek(to->klass + metadata_class_first(), raw.class, metadata_class_span()))
		return false;
	take_class(&raw, to);
	pool_remember(&raw, to);
	return true;
}

/* [handler] In place, or through the kernel. */
static bool read_known(struct peek_piece *pieces, size_t n, bool in_place)
{
	for (size_t i = 0; in_place && i < n; i++)
		memcpy(pieces[i].to, (const void *)pieces[i].from, pieces[i].len);
	return in_place || read_all(pieces, n);
}

bool metadata_find_again(uintptr_t method, const struct metadata_known *k,
			 struct metadata_records *to)
{
	const struct metadata_proof *p = &k->proof;
	struct raw raw = { .rest = { 0 } };
	struct metadata_records names = { .method = method };
	struct peek_piece pieces[6] = {
		{ .from = method, .to = raw.head, .len = sizeof raw.head },
		{ .from = p->const_method, .to = raw.rest, .len = at.const_size },
		{ .from = p->klass + metadata_class_first(),
		  .to = raw.class,
		  .len = metadata_class_span() },
	};

	memcpy(names.sizes, p->sizes, sizeof names.sizes);
	pool_pieces(&raw, p->pool, &names, pieces + 3);
	if (!read_known(pieces, sizeof pieces / sizeof *pieces, loader_stays(k->loader)))
		return false;
	take_method(&raw, method, to);
	take_const_method(&raw, to);
	bool good = take_pool(&raw, to);
	take_class(&raw, to);
	return good && to->const_method == p->const_method && to->pool == p->pool &&
	       memcmp(to->sizes, p->sizes, sizeof p->sizes) == 0 && to->klass == p->klass &&
	       to->name == p->name && to->class_name == p->class_name;
}

/* ---- texts ----------------------------------------------------------------------------- */

/* [handler] The beginning of a symbol, up to the end of its page: what follows may be missing. */
static struct peek_piece first_piece(uintptr_t symbol, struct metadata_symbol *s)
{
	uintptr_t from = symbol + at.symbol_length;
	size_t left = PAGE - from % PAGE;

	s->first = left < FIRST_BYTES ? left : FIRST_BYTES;
	return (struct peek_piece){ .from = from, .to = s->bytes, .len = s->first };
}

const unsigned char *metadata_text_in(const struct metadata_symbol *s)
{
	return s->bytes + (at.symbol_body - at.symbol_length);
}

/* [handler] How many bytes of the text were read. */
static size_t symbol_used(const struct metadata_symbol *s)
{
	return s->len < METADATA_TEXT ? s->len : METADATA_TEXT;
}

uint16_t metadata_symbol(uintptr_t symbol, char *to, size_t room)
{
	struct metadata_symbol s;
	struct peek_piece piece = first_piece(symbol, &s);
	size_t before = at.symbol_body - at.symbol_length;

	if (!symbol || !read_all(&piece, 1))
		return 0;
	s.len = short_in(s.bytes);
	size_t have = s.first > before ? s.first - before : 0;
	have = have < s.len ? have : s.len;
	if (s.len > room)
		return 0;
	memcpy(to, metadata_text_in(&s), have);
	return have == s.len || peek(symbol + at.symbol_body + have, to + have, s.len - have)
		       ? s.len
		       : 0;
}

bool metadata_read_texts(const struct metadata_records *r, struct metadata_texts *t)
{
	const uintptr_t symbols[METADATA_SYMBOLS] = { r->class_name, r->name, r->descriptor };
	struct peek_piece firsts[METADATA_SYMBOLS + 1], rest[METADATA_SYMBOLS];
	size_t n = 0, nrest = 0;

	for (; n < METADATA_SYMBOLS; n++)
		firsts[n] = first_piece(symbols[n], &t->symbol[n]);
	memset(t->lines, 0, sizeof t->lines);
	t->nlines = 0;
	if (r->lines) {
		size_t all = r->lines_end - r->lines;
		t->nlines = all < METADATA_LINES ? all : METADATA_LINES;
		firsts[n++] =
			(struct peek_piece){ .from = r->lines, .to = t->lines, .len = t->nlines };
	}
	if (!read_all(firsts, n))
		return false;
	for (int i = 0; i < METADATA_SYMBOLS; i++) {
		struct metadata_symbol *s = &t->symbol[i];
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

/* [handler] */
static bool is_text(const struct metadata_symbol *s, const char *wanted)
{
	return s->len == strlen(wanted) && memcmp(metadata_text_in(s), wanted, s->len) == 0;
}

uint64_t metadata_hash(const struct metadata_records *r, const struct metadata_texts *t)
{
	const uintptr_t symbols[METADATA_SYMBOLS] = { r->class_name, r->name, r->descriptor };
	uint64_t rest[7] = { 0 };

	for (int i = 0; i < METADATA_SYMBOLS; i++) {
		const struct metadata_symbol *s = &t->symbol[i];
		rest[i] = XXH3_64bits(metadata_text_in(s), symbol_used(s)) + s->len;
		rest[3] += s->len > METADATA_TEXT ? symbols[i] : 0; /* what follows may differ */
	}
	rest[4] = XXH3_64bits(t->lines, lines_used(t->lines, t->nlines));
	rest[5] = r->code_size;
	rest[6] = r->access;
	uint64_t number = XXH3_64bits(rest, sizeof rest) & ~(uint64_t)METADATA_BITS;
	bool entry = r->access & ACC_NATIVE && is_text(&t->symbol[METADATA_NAME], ENTRY_NAME) &&
		     is_text(&t->symbol[METADATA_CLASS], ENTRY_CLASS);
	/* never 0, and never METHODS_UNKNOWN */
	return (number | (METADATA_BITS + 1)) | (r->access & ACC_NATIVE ? METADATA_NATIVE : 0) |
	       (entry ? METADATA_ENTRY : 0);
}

/* ---- proofs ---------------------------------------------------------------------------- */

/* [handler] Reads what a proof is about, by the addresses in `p`. */
static bool read_proof(uintptr_t method, const struct metadata_proof *p, struct metadata_proof *now)
{
	size_t tail = p->length < METADATA_TAIL ? p->length : METADATA_TAIL;
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

bool metadata_prove(const struct metadata_records *r, const struct metadata_texts *t,
		    struct metadata_known *to)
{
	const struct metadata_symbol *name = &t->symbol[METADATA_CLASS];
	size_t tail = name->len < METADATA_TAIL ? name->len : METADATA_TAIL;
	struct metadata_proof *p = &to->proof;

	memset(p, 0, sizeof *p);
	to->loader = r->loader;
	p->const_method = r->const_method;
	p->pool = r->pool;
	p->klass = r->klass;
	p->class_name = r->class_name;
	p->name = r->name;
	p->length = name->len;
	memcpy(p->sizes, r->sizes, sizeof p->sizes);
	if (name->len > METADATA_TEXT)
		return peek(r->class_name + at.symbol_body + name->len - tail, p->tail, tail);
	memcpy(p->tail, metadata_text_in(name) + name->len - tail, tail);
	return true;
}

/* [handler] Where nothing that was read once is ever unmapped. */
static bool same_in_place(uintptr_t method, const struct metadata_proof *p)
{
	const unsigned char *rest = (const unsigned char *)p->const_method;

	return *(const uintptr_t *)(method + at.const_method) == p->const_method &&
	       word_in(rest + at.constants) == p->pool &&
	       *(const uintptr_t *)(p->pool + at.holder) == p->klass &&
	       memcmp(rest + at.code_size, p->sizes, sizeof p->sizes) == 0;
}

bool metadata_proved(uintptr_t method, const struct metadata_known *k)
{
	struct metadata_proof now;

	if (loader_stays(k->loader))
		return same_in_place(method, &k->proof);
	memset(&now, 0, sizeof now);
	return read_proof(method, &k->proof, &now) && memcmp(&k->proof, &now, sizeof now) == 0;
}
