/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sieve.c - see sieve.h. What is kept has to be what model_evidence.c keeps, or batches would have other samples; and which
 * tickets are dropped is a matter of their leading zeros, as thresholds are powers of two. So a count for each number
 * of zeros is all there is to remember, and what is packed may hold dropped pieces until there is no room for more.
 *
 * Pieces are put into blocks, which go round in a ring: one is filled by the reader while the thread empties those before. Without a
 * thread there is one, which is emptied when it is full.
 */
#include "model/sieve.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/evidence_bounds.h"

#define LOG_LEFT (1.0 / 16) /* share of the room that has to be left after sweeping */

enum {
	BLOCKS = 4,
	BLOCK_BYTES = 256 << 10,
	PAGE = 64,  /* contexts whose counts are allocated together */
	AHEAD = 16, /* pieces whose counts are asked for together */
};

struct page {
	struct sieve_count count[PAGE][EVIDENCE_KINDS];
};

struct block {
	uint32_t len;
	uint64_t bytes[BLOCK_BYTES /
		       sizeof(uint64_t)]; /* records, with the context's number as its id */
};

struct sieve {
	/* the thread's, if there is one, until it has ended */
	struct page **page; /* by context; NULL: no evidence yet */
	uint32_t npages;
	uint32_t cap;
	size_t kept; /* of all contexts */
	struct evidence_log log;

	/* the reader's */
	bool apart; /* there is a thread */
	pthread_t thread;
	struct block *block;   /* a ring */
	struct block *filling; /* of it */

	/* of both, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint64_t filled, emptied; /* blocks so far */
	bool ended;		  /* no more will be filled */
	bool failed;		  /* memory lacks */
};

_Static_assert(offsetof(struct wire_look, context) == offsetof(struct wire_use, context),
	       "looks and uses have their context in one place");
_Static_assert(sizeof(struct wire_look) + (WIRE_SLOTS + 1) * sizeof(uint32_t) <= BLOCK_BYTES,
	       "a piece fits");

/* ---- packing --------------------------------------------------------------------------- */

/* See evidence_log_sweep; NULL where memory lacks. */
static uint8_t *list_halvings(const struct sieve *s, size_t contexts)
{
	uint8_t *halvings = calloc(EVIDENCE_KINDS * contexts + 1, 1);

	for (size_t i = 0; halvings && i < contexts; i++)
		for (int k = 0; k < EVIDENCE_KINDS; k++) {
			const struct sieve_count *c = sieve_get(s, (uint32_t)i, k);
			halvings[EVIDENCE_KINDS * i + (size_t)k] =
				c ? (uint8_t)c->halvings : (uint8_t)0;
		}
	return halvings;
}

/* Makes room in the log, or gives it up: sweeping for a few pieces each time would take for ever. */
static bool make_room(struct sieve *s)
{
	uint8_t *halvings = list_halvings(s, (size_t)s->npages * PAGE);

	if (!halvings || evidence_log_sweep(&s->log, halvings) < LOG_LEFT)
		evidence_log_release(&s->log);
	free(halvings);
	return s->log.bytes != NULL;
}

static bool pack(struct sieve *s, uint32_t context, const struct wire_rec *rec, int kind)
{
	return kind == EVIDENCE_LOOK
		       ? evidence_log_look(&s->log, context, (const struct wire_look *)rec)
		       : evidence_log_use(&s->log, context, (const struct wire_use *)rec);
}

/* Where the pieces of each context are to begin; NULL where memory lacks. */
static uint32_t *list_begins(const struct sieve *s, size_t contexts, size_t *n)
{
	uint32_t *begins = malloc((EVIDENCE_KINDS * contexts + 1) * sizeof *begins);

	*n = 0;
	for (size_t i = 0; begins && i < contexts; i++)
		for (int k = 0; k < EVIDENCE_KINDS; k++) {
			const struct sieve_count *c = sieve_get(s, (uint32_t)i, k);
			begins[EVIDENCE_KINDS * i + (size_t)k] = (uint32_t)*n;
			*n += c ? c->kept : 0;
		}
	return begins;
}

void sieve_log(struct sieve *s, size_t contexts, struct evidence_log *log)
{
	size_t n;

	*log = s->log;
	s->log = (struct evidence_log){ .bytes = NULL };
	if (!log->bytes)
		return;
	uint8_t *halvings = list_halvings(s, contexts);
	uint32_t *begins = list_begins(s, contexts, &n);
	if (!halvings || !begins || evidence_log_sort(log, halvings, begins, n) < 0) {
		free(begins);
		evidence_log_release(log);
	}
	free(halvings);
}

/* ---- counting -------------------------------------------------------------------------- */

/* The page of a context; NULL where memory lacks. */
static struct page *add_page(struct sieve *s, uint32_t context)
{
	uint32_t i = context / PAGE;

	if (i >= s->npages) {
		uint32_t n = i + 1 + i / 2;
		struct page **moved = realloc(s->page, n * sizeof(struct page *));
		if (!moved)
			return NULL;
		memset(moved + s->npages, 0, (n - s->npages) * sizeof(struct page *));
		s->page = moved;
		s->npages = n;
	}
	if (!s->page[i])
		s->page[i] = calloc(1, sizeof *s->page[i]);
	return s->page[i];
}

static struct sieve_count *count_of(const struct sieve *s, uint32_t context, int kind)
{
	struct page *p = context / PAGE < s->npages ? s->page[context / PAGE] : NULL;

	return p ? &p->count[context % PAGE][kind] : NULL;
}

const struct sieve_count *sieve_get(const struct sieve *s, uint32_t context, int kind)
{
	return count_of(s, context, kind);
}

static void thin(struct sieve *s, struct sieve_count *c)
{
	while (c->kept > s->cap) {
		uint16_t gone = c->level[c->halvings++];
		c->kept -= gone;
		s->kept -= gone;
	}
}

/* Lowers the cap as long as all contexts together have too much. */
static void thin_all(struct sieve *s)
{
	while (evidence_too_much(s->kept, s->cap)) {
		s->cap /= 2;
		for (uint32_t i = 0; i < s->npages; i++)
			for (uint32_t k = 0; s->page[i] && k < PAGE * EVIDENCE_KINDS; k++)
				thin(s, &s->page[i]->count[k / EVIDENCE_KINDS][k % EVIDENCE_KINDS]);
	}
}

static int take(struct sieve *s, const struct wire_rec *rec)
{
	bool use = atomic_load_explicit(&rec->type, memory_order_relaxed) == WIRE_USE;
	int kind = use ? EVIDENCE_USE : EVIDENCE_LOOK;
	uint32_t ticket = use ? ((const struct wire_use *)rec)->ticket
			      : ((const struct wire_look *)rec)->ticket;
	uint32_t context = ((const struct wire_use *)rec)->context;
	unsigned level = ticket ? (unsigned)__builtin_clz(ticket) : 32;
	struct sieve_count *c = count_of(s, context, kind);

	if (!c && add_page(s, context))
		c = count_of(s, context, kind);
	if (!c)
		return -1;
	c->seen++;
	if (level < c->halvings)
		return 0;
	if (s->log.bytes && !pack(s, context, rec, kind) && make_room(s))
		pack(s, context, rec, kind);
	c->level[level]++;
	c->kept++;
	s->kept++;
	thin(s, c);
	thin_all(s);
	return 0;
}

/* ---- blocks ---------------------------------------------------------------------------- */

/* The next pieces of a block, whose counts are asked for. */
static size_t next_pieces(const struct sieve *s, const unsigned char *p, const unsigned char *end,
			  const struct wire_rec **recs)
{
	size_t n = 0;

	for (; p < end && n < AHEAD; n++) {
		const struct wire_use *any = (const struct wire_use *)p;
		bool use = atomic_load_explicit(&any->rec.type, memory_order_relaxed) == WIRE_USE;
		const struct sieve_count *c =
			count_of(s, any->context, use ? EVIDENCE_USE : EVIDENCE_LOOK);
		__builtin_prefetch(c, 1);
		recs[n] = &any->rec;
		p += any->rec.len;
	}
	return n;
}

static int empty(struct sieve *s, const struct block *b)
{
	const struct wire_rec *recs[AHEAD];
	const unsigned char *p = (const unsigned char *)b->bytes, *end = p + b->len;

	while (p < end) {
		size_t n = next_pieces(s, p, end, recs);
		for (size_t i = 0; i < n; i++) {
			if (take(s, recs[i]) < 0)
				return -1;
			p += recs[i]->len;
		}
	}
	return 0;
}

/* Waits for a filled block: its number, or false where none will come. */
static bool next_block(struct sieve *s, uint64_t *number)
{
	pthread_mutex_lock(&s->lock);
	while (s->emptied == s->filled && !s->ended)
		pthread_cond_wait(&s->changed, &s->lock);
	*number = s->emptied;
	bool found = s->emptied < s->filled && !s->failed;
	pthread_mutex_unlock(&s->lock);
	return found;
}

static void *work(void *arg)
{
	struct sieve *s = arg;
	uint64_t number;

	while (next_block(s, &number)) {
		bool failed = empty(s, &s->block[number % BLOCKS]) < 0;
		pthread_mutex_lock(&s->lock);
		s->emptied++;
		s->failed = failed;
		pthread_cond_signal(&s->changed);
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

/* Hands the block that is being filled over, and waits for one that is not in use. 0, or -1. */
static int hand_over(struct sieve *s)
{
	if (!s->apart) {
		s->failed |= empty(s, s->filling) < 0;
		s->filling->len = 0;
		return s->failed ? -1 : 0;
	}
	pthread_mutex_lock(&s->lock);
	s->filled++;
	pthread_cond_signal(&s->changed);
	while (s->filled - s->emptied == BLOCKS && !s->failed)
		pthread_cond_wait(&s->changed, &s->lock);
	bool failed = s->failed;
	pthread_mutex_unlock(&s->lock);
	s->filling = &s->block[s->filled % BLOCKS];
	s->filling->len = 0;
	return failed ? -1 : 0;
}

int sieve_put(struct sieve *s, uint32_t context, const struct wire_rec *rec)
{
	uint32_t len = rec->len;

	if (s->filling->len + len > BLOCK_BYTES && hand_over(s) < 0) {
		errno = ENOMEM;
		return -1;
	}
	struct block *b = s->filling;
	unsigned char *to = (unsigned char *)b->bytes + b->len;
	/* of a size that is known it takes no call; there is little more than that */
	memcpy(to, rec, sizeof(struct wire_use));
	for (uint32_t at = sizeof(struct wire_use); at < len; at += WIRE_ALIGN)
		memcpy(to + at, (const unsigned char *)rec + at, WIRE_ALIGN);
	((struct wire_use *)to)->context = context;
	b->len += len;
	return 0;
}

int sieve_end(struct sieve *s)
{
	if (!s->ended)
		hand_over(s);
	pthread_mutex_lock(&s->lock);
	s->ended = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (s->apart)
		pthread_join(s->thread, NULL);
	s->apart = false;
	if (s->failed)
		errno = ENOMEM;
	return s->failed ? -1 : 0;
}

/* ---- the whole ------------------------------------------------------------------------- */

struct sieve *sieve_new(size_t most, bool apart)
{
	struct sieve *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->cap = EVIDENCE_CAP;
	s->block = malloc((apart ? BLOCKS : 1) * sizeof *s->block);
	if (!s->block) {
		free(s);
		return NULL;
	}
	s->filling = s->block;
	s->filling->len = 0;
	if (most) /* where memory lacks there is none, which is no error */
		evidence_log_begin(&s->log, most);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	s->apart = apart && pthread_create(&s->thread, NULL, work, s) == 0;
	return s;
}

void sieve_free(struct sieve *s)
{
	if (!s)
		return;
	if (s->apart)
		sieve_end(s);
	for (uint32_t i = 0; i < s->npages; i++)
		free(s->page[i]);
	free(s->page);
	evidence_log_release(&s->log);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	free(s->block);
	free(s);
}
