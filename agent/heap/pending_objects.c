/* SPDX-License-Identifier: Apache-2.0 */
/* pending_objects.c - see pending_objects.h. scan.c decides when to take snapshots. */
#include "heap/pending_objects.h"

#include <string.h>

#include "core/link.h"
#include "core/memory.h"
#include "core/thread.h"
#include "heap/deep.h"
#include "heap/fill.h"
#include "hotspot/mark_word.h"
#include "hotspot/metadata/layout.h"

/* ---- Converts Latin-1 and UTF-16 to UTF-8, and remembers the sent texts. */

#define SENT	    4096 /* remembered texts; a power of two */
#define REPLACEMENT 0xfffdu

/* [pause] Stores one character as UTF-8. Returns its length; 0 if there is no room. */
static uint32_t put(char *to, uint32_t room, uint32_t c)
{
	uint32_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	if (n > room)
		return 0;
	for (uint32_t i = n; i-- > 1; c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[n] | c);
	return n;
}

/*
 * [pause] Reads a UTF-16 character at position *i of n units, and advances *i. An unpaired
 * surrogate becomes REPLACEMENT.
 */
static uint32_t next_wide(const unsigned char *units, uint32_t n, uint32_t *i)
{
	uint16_t high, low = 0;

	memcpy(&high, units + 2 * *i, 2);
	(*i)++;
	if (high < 0xd800 || high > 0xdfff)
		return high;
	if (*i < n)
		memcpy(&low, units + 2 * *i, 2);
	if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
		return REPLACEMENT;
	(*i)++;
	return 0x10000u + ((uint32_t)(high & 0x3ff) << 10) + (low & 0x3ff);
}

/* [pause] Takes the text of the string that was walked last; none if it was no string. */
static void string_value_take(struct string_value *t, struct deep *d)
{
	unsigned char raw[2 * WIRE_VALUE_TEXT];
	uint32_t bytes = 0;
	bool wide = false;
	int got = deep_string(d, raw, sizeof raw, &bytes, &wide);
	uint32_t n = got < 0 ? 0 : (uint32_t)got / (wide ? 2 : 1);

	t->there = got >= 0;
	t->chars = bytes / (wide ? 2 : 1);
	t->len = 0;
	for (uint32_t i = 0, put_now = 1; i < n && put_now; t->len += (uint16_t)put_now) {
		uint32_t c = wide ? next_wide(raw, n, &i) : raw[i++];
		put_now = put(t->utf8 + t->len, WIRE_VALUE_TEXT - t->len, c);
	}
}

void string_value_send(struct link_ring *ring, const struct string_value *t, uint32_t context,
		       uint64_t deep)
{
	static uint64_t sent[SENT];
	uint64_t key = deep ^ context * 0x9e3779b97f4a7c15u;
	uint64_t *slot = &sent[key % SENT];

	if (!t->there || *slot == key)
		return;
	struct wire_value *value =
		link_reserve(ring, WIRE_VALUE, wire_pad(sizeof(struct wire_value) + t->len));
	if (!value)
		return;
	value->context = context;
	value->len = t->len;
	value->deep = deep;
	value->chars = t->chars;
	value->pad = 0;
	memcpy(value + 1, t->utf8, t->len);
	memset((char *)(value + 1) + t->len, 0, wire_pad(t->len) - t->len);
	link_commit(ring);
	*slot = key;
}

#define THREADS 1024 /* if there are more, some share an element, and its object may be another's */

static struct batch *batches;
static struct batch *_Atomic current;
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t missed;		 /* objects that found no batch */
static _Atomic uint64_t latest[THREADS]; /* by thread number: time of its last object */

/* Allocates the text of each entry. */
static bool string_values_init(void)
{
	struct string_value *texts = memory_new((size_t)BATCHES * ENTRIES, sizeof *texts);

	for (uint32_t i = 0; texts && i < BATCHES * ENTRIES; i++)
		batches[i / ENTRIES].entries[i % ENTRIES].text = &texts[i];
	return texts != NULL;
}

bool pending_objects_init(void)
{
	batches = memory_new(BATCHES, sizeof *batches);
	return batches && (!(ojx.config.flags & WIRE_VALUES) || string_values_init());
}

struct batch *pending_objects_batch(uint32_t i)
{
	return &batches[i];
}

uint64_t pending_objects_missed(void)
{
	return atomic_exchange_explicit(&missed, 0, memory_order_relaxed);
}

void pending_objects_close(void)
{
	for (uint32_t i = 0; i < BATCHES; i++) {
		uint32_t open = BATCH_OPEN;
		atomic_compare_exchange_strong_explicit(&batches[i].state, &open, BATCH_CLOSED,
							memory_order_seq_cst, memory_order_seq_cst);
	}
	atomic_store_explicit(&current, NULL, memory_order_release);
}

bool pending_objects_retire(struct batch *b)
{
	struct batch *same = b;
	uint32_t open = BATCH_OPEN;

	atomic_compare_exchange_strong_explicit(&current, &same, NULL, memory_order_acq_rel,
						memory_order_acquire);
	return atomic_compare_exchange_strong_explicit(&b->state, &open, BATCH_CLOSED,
						       memory_order_seq_cst, memory_order_seq_cst);
}

/* ---- tracking -------------------------------------------------------------------------- */

/* A batch for `epoch` with room; opens a free one if needed. NULL if all are in use. */
static struct batch *batch_with_room(uint64_t epoch)
{
	struct batch *b = atomic_load_explicit(&current, memory_order_acquire);
	if (b && b->epoch == epoch &&
	    atomic_load_explicit(&b->used, memory_order_acquire) < ENTRIES)
		return b;

	pthread_mutex_lock(&open_lock);
	b = atomic_load_explicit(&current, memory_order_acquire);
	if (!b || b->epoch != epoch ||
	    atomic_load_explicit(&b->used, memory_order_acquire) >= ENTRIES) {
		b = NULL;
		for (uint32_t i = 0; i < BATCHES && !b && epoch_is(epoch); i++)
			if (atomic_load_explicit(&batches[i].state, memory_order_seq_cst) ==
				    BATCH_FREE &&
			    atomic_load_explicit(&batches[i].writers, memory_order_seq_cst) == 0)
				b = &batches[i];
		if (b) {
			b->epoch = epoch;
			b->opened = now_ns();
			b->settled = 0;
			atomic_store_explicit(&b->used, 0, memory_order_release);
			atomic_store_explicit(&b->state, BATCH_OPEN, memory_order_seq_cst);
			atomic_store_explicit(&current, b, memory_order_release);
		}
	}
	pthread_mutex_unlock(&open_lock);
	return b;
}

/* Hands out an entry of an open batch, or NULL. The caller then counts as a writer. */
static struct entry *entry_take(struct batch *b, uint64_t epoch)
{
	atomic_fetch_add_explicit(&b->writers, 1, memory_order_seq_cst);
	/* meanwhile the batch may have been closed, sent and opened again */
	if (atomic_load_explicit(&b->state, memory_order_seq_cst) == BATCH_OPEN &&
	    b->epoch == epoch) {
		uint32_t i = atomic_fetch_add_explicit(&b->used, 1, memory_order_acq_rel);
		if (i < ENTRIES)
			return &b->entries[i];
	}
	atomic_fetch_sub_explicit(&b->writers, 1, memory_order_seq_cst);
	return NULL;
}

void pending_objects_add(struct allocation *a)
{
	uint16_t thread = thread_number(a->thread);
	struct batch *b = batch_with_room(a->epoch);
	struct entry *e = b ? entry_take(b, a->epoch) : NULL;

	if (!e) {
		atomic_fetch_add_explicit(&missed, 1, memory_order_relaxed);
		status_add(skipped, 1);
		return;
	}
	e->class_id = a->klass->id;
	e->object = a->address;
	e->time = now_ns();
	e->weight = a->weight;
	e->context = a->context;
	e->array_length = a->array_length;
	e->thread = thread;
	e->exponent = a->exponent;
	atomic_store_explicit(&latest[thread % THREADS], e->time, memory_order_relaxed);
	e->ticket = a->ticket;
	e->flags = 0;
	e->snapshots = 0;
	atomic_store_explicit(&e->held, 0, memory_order_relaxed);
	a->pending = e;
	atomic_store_explicit(&e->state, ENTRY_READY, memory_order_release);
	atomic_fetch_sub_explicit(&b->writers, 1, memory_order_seq_cst);
}

/* ---- looking --------------------------------------------------------------------------- */

bool entry_is_last(const struct entry *e)
{
	return atomic_load_explicit(&latest[e->thread % THREADS], memory_order_relaxed) <= e->time;
}

bool entry_claim(struct entry *e, uint32_t from)
{
	return atomic_load_explicit(&e->state, memory_order_relaxed) == from &&
	       atomic_compare_exchange_strong_explicit(&e->state, &from, ENTRY_BUSY,
						       memory_order_acq_rel, memory_order_acquire);
}

/*
 * [pause] Follows the object's references. If that is not done this time and the object itself is
 * unchanged, the result of an earlier snapshot stays.
 */
static void snapshot_deep(struct entry *e, const struct klass *k, const struct snapshot_how *how,
			  bool changed)
{
	struct deep_result result = { 0 };

	if (e->text && !e->snapshots)
		e->text->there = false; /* the text of the entry's previous object */
	if (k->array && !(e->content.flags & WIRE_REFS)) {
		/* nothing to follow */
		bool part = e->content.flags & WIRE_PARTIAL;
		result.hash = e->content.hash;
		result.nodes = 1;
		result.flags = WIRE_DEEP | (part ? WIRE_DEEP_CUT : 0);
	} else if (how->walked) {
		deep_end(how->walked, &result);
		if (e->text)
			string_value_take(e->text, how->walked);
	} else if (how->deep && (how->paused ? now_ns() : cpu_ns()) < how->deep_until) {
		deep_hash(how->deep, e->object, &result);
		if (e->text)
			string_value_take(e->text, how->deep);
	}
	if (!how->paused && !epoch_is(how->epoch))
		result.flags = 0;
	if (result.flags || changed || !e->snapshots)
		e->deep = result;
	if (e->text && !e->deep.flags)
		e->text->there = false;
}

/* [pause] The hash of what cannot change around the object, if it refers to others. */
static uint16_t snapshot_fixed(struct entry *e, const struct snapshot_how *how)
{
	uint64_t hash;

	if (!(e->content.flags & WIRE_REFS) || !how->deep ||
	    !deep_fixed(how->deep, e->object, &hash) || (!how->paused && !epoch_is(how->epoch)))
		return 0;
	e->fixed = hash;
	return WIRE_FIXED;
}

/* [pause] How full the object is. */
static uint16_t snapshot_fill(struct entry *e, const unsigned char *at, const struct klass *k,
			      const struct snapshot_how *how)
{
	bool followed;

	if (!fill_read(at, k, e->array_length, how->deep, &e->fill, &followed) ||
	    (followed && !how->paused && !epoch_is(how->epoch)))
		return 0;
	return WIRE_FILLED;
}

void entry_snapshot(struct entry *e, const unsigned char *at, const struct snapshot_how *how)
{
	struct klass *k = class_by_id(e->class_id);
	uint64_t word = k ? atomic_load_explicit(&k->word, memory_order_relaxed) : 0;
	uint64_t before = e->content.hash;
	uint16_t flags = how->paused ? WIRE_IN_PAUSE : 0;

	if (k && !word && how->learn) {
		/*
		 * the kernel does not permit reads: an object does not move in its epoch, so it is
		 * the sampled one
		 */
		word = layout_klass(at);
		atomic_store_explicit(&k->word, word, memory_order_relaxed);
	}
	if (!word || layout_klass(at) != word ||
	    (k->array && *(const uint32_t *)(at + layout.length_offset) != e->array_length)) {
		atomic_store_explicit(&e->state, ENTRY_GONE, memory_order_release);
		return;
	}
	content_hash(at, k, e->array_length, true, &e->content);
	bool changed = e->snapshots > 0 && before != e->content.hash;
	if (e->snapshots > 0)
		flags |= WIRE_TWICE | (e->flags & WIRE_CHANGED) | (changed ? WIRE_CHANGED : 0);
	flags |= mark_word_flags(at) | (e->flags & (WIRE_HASHED | WIRE_LOCKED));
	flags |= snapshot_fixed(e, how);
	snapshot_deep(e, k, how, changed);
	flags |= snapshot_fill(e, at, k, how);
	e->snapshots++;
	e->flags = flags | e->content.flags | e->deep.flags;
	atomic_store_explicit(&e->state, ENTRY_SNAPPED, memory_order_release);
}

bool entry_refill(struct entry *e, const unsigned char *at, const struct snapshot_how *how)
{
	struct klass *k = class_by_id(e->class_id);
	uint64_t word = k ? atomic_load_explicit(&k->word, memory_order_relaxed) : 0;
	struct wire_fill fill;
	bool followed, same = word && layout_klass(at) == word;
	bool known = same && fill_read(at, k, e->array_length, how->deep, &fill, &followed);

	if (known)
		e->fill = fill;
	else if (same && k->array)
		e->flags &= (uint16_t)~WIRE_FILLED; /* it is used to its end now */
	atomic_store_explicit(&e->state, ENTRY_SNAPPED, memory_order_release);
	return known;
}

/* [pause] Bytes to read of an object: header and content; 0 if its class is unknown. */
static uint64_t entry_bytes(const struct entry *e)
{
	const struct klass *k = class_by_id(e->class_id);
	uint64_t end = k ? class_end(k, e->array_length) : 0;
	return k && end < 16 ? 16 : end;
}

bool run_add(struct copy_run *run, struct entry *e, unsigned char *space, size_t room)
{
	uint64_t len = entry_bytes(e);

	if (run->n == PEEK_BATCH || run->bytes + len > room)
		return false;
	run->entries[run->n] = e;
	run->pieces[run->n++] = (struct peek_piece){ e->object, space + run->bytes, len, false };
	run->bytes += (len + 7) & ~(size_t)7;
	return true;
}

/* [pause] Whether what the object of a run refers to is to be read. */
static bool leads_on(const struct copy_run *run, size_t i)
{
	const struct klass *k = class_by_id(run->entries[i]->class_id);

	return run->pieces[i].ok && k && (!k->array || class_refers(k));
}

/*
 * [pause] Walks from some objects of a run together, those from `from` on; the service thread does.
 * Returns the position after the last one, and in `walked` whose walk is whose.
 */
static size_t walk_together(const struct copy_run *run, size_t from, const struct snapshot_how *how,
			    struct deep *walked[PEEK_BATCH])
{
	uintptr_t objects[DEEP_TOGETHER];
	uint32_t n = 0;
	size_t end = from;

	memset(walked, 0, PEEK_BATCH * sizeof *walked);
	for (; end < run->n && n < DEEP_TOGETHER; end++)
		if (leads_on(run, end))
			objects[n++] = run->entries[end]->object;
	if (n < 2 || cpu_ns() >= how->deep_until || !deep_together(objects, n))
		return end;
	n = 0;
	for (size_t i = from; i < end; i++)
		if (leads_on(run, i))
			walked[i] = deep_walked(n++);
	return end;
}

/* [pause] Takes the snapshots of a run's objects, which were copied. */
static void take_snapshots(const struct copy_run *run, const struct snapshot_how *how)
{
	struct deep *walked[PEEK_BATCH] = { NULL };
	struct snapshot_how each = *how;
	size_t end = 0;

	for (size_t i = 0; i < run->n; i++) {
		struct entry *e = run->entries[i];
		if (i == end)
			end = how->deep && !how->paused ? walk_together(run, i, how, walked)
							: run->n;
		each.walked = walked[i];
		if (run->pieces[i].ok)
			entry_snapshot(e, run->pieces[i].to, &each);
		else
			atomic_store_explicit(&e->state, ENTRY_GONE, memory_order_release);
	}
}

void run_finish(struct copy_run *run, const struct snapshot_how *how)
{
	peek_batch(run->pieces, run->n);
	bool good = how->paused || epoch_is(how->epoch);
	if (good && how->deep && !how->paused)
		deep_begin(how->deep, how->epoch);
	for (size_t i = 0; i < run->n; i++)
		run->pieces[i].ok &= good;
	take_snapshots(run, how);
	run->n = 0;
	run->bytes = 0;
}
