/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence_log.c - see evidence_log.h. A piece begins with what sweeping and sorting want to know; hashes are copied as
 * they are; other numbers are written seven bits at a time. Weights are mostly round, so that the bytes of a double
 * the other way round are a small number.
 *
 * Chunks of the memory are handed to streams, each for a few contexts.
 */
#include "model/evidence_log.h"

#include <stdlib.h>
#include <string.h>

enum {
	HEAD = 4, /* bytes */
	MOST = 192, /* bytes of a piece: all slots, two hashes, and numbers of 32 bits in 5 bytes each */
	CHUNK = 8 << 10,
	LINE = 64, /* of the cache */
	TICKET = MODEL_TICKET_BITS / 8,
};

/* A word, from its lowest bits on. */
struct head {
	unsigned context
	    : EVIDENCE_STREAM_BITS; /* lowest bits of its number; the stream has the others */
      unsigned slots : 6;
	unsigned
		level : 6; /* leading zeros of the ticket, of which a piece ends with the lower bits */
	unsigned use : 1, deep : 1;
	unsigned len : 8; /* of the piece */
};

_Static_assert(sizeof(struct head) == HEAD, "a head is a word");
_Static_assert(WIRE_SLOTS < 1 << 6, "the number of slots fits");
_Static_assert(HEAD + 2 * 8 + WIRE_SLOTS * 4 + 10 + 5 * 5 + TICKET <= MOST, "a look fits");
_Static_assert(MOST < 1 << 8, "the length of a piece fits");

static struct head head_at(const unsigned char *p)
{
	struct head h;

	memcpy(&h, p, sizeof h);
	return h;
}

static void put_head(unsigned char *p, struct head h, uint32_t context, uint32_t ticket, size_t len)
{
	h.context = context & (EVIDENCE_STREAM - 1);
	h.level = ticket ? (unsigned)__builtin_clz(ticket) : 32;
	h.len = (uint8_t)len;
	memcpy(p, &h, sizeof h);
}

/* ---- numbers --------------------------------------------------------------------------- */

static unsigned char *put(unsigned char *p, uint64_t value)
{
	while (value >= 0x80) {
		*p++ = (unsigned char)(value | 0x80);
		value >>= 7;
	}
	*p++ = (unsigned char)value;
	return p;
}

static uint64_t get(const unsigned char **at)
{
	const unsigned char *p = *at;
	uint64_t value = *p & 0x7f;

	for (unsigned shift = 7; *p++ & 0x80; shift += 7)
		value |= (uint64_t)(*p & 0x7f) << shift;
	*at = p;
	return value;
}

/* A fraction has its bits at the front, and a round number none behind. */
static unsigned char *put_weight(unsigned char *p, double weight)
{
	uint64_t bits;

	memcpy(&bits, &weight, sizeof bits);
	return put(p, __builtin_bswap64(bits));
}

static double get_weight(const unsigned char **at)
{
	uint64_t bits = __builtin_bswap64(get(at));
	double weight;

	memcpy(&weight, &bits, sizeof weight);
	return weight;
}

static unsigned char *put_hash(unsigned char *p, uint64_t hash)
{
	memcpy(p, &hash, sizeof hash);
	return p + sizeof hash;
}

static unsigned char *put_ticket(unsigned char *p, uint32_t ticket)
{
	memcpy(p, &ticket, TICKET); /* the lower bits: the JVMs there are run on x86-64 */
	return p + TICKET;
}

static uint32_t get_ticket(const unsigned char *p)
{
	uint32_t ticket = 0;

	memcpy(&ticket, p, TICKET);
	return ticket;
}

static uint64_t get_hash(const unsigned char **at)
{
	uint64_t hash;

	memcpy(&hash, *at, sizeof hash);
	*at += sizeof hash;
	return hash;
}

/* ---- chunks ---------------------------------------------------------------------------- */

int evidence_log_begin(struct evidence_log *log, size_t room)
{
	uint32_t chunks = (uint32_t)(room / CHUNK);

	*log = (struct evidence_log){
		.bytes = malloc((size_t)chunks * CHUNK + 1),
		.next = malloc((chunks + 1) * sizeof *log->next),
		.used = malloc((chunks + 1) * sizeof *log->used),
		.chunks = chunks,
		.nfree = chunks,
	};
	if (!log->bytes || !log->next || !log->used) {
		evidence_log_release(log);
		return -1;
	}
	for (uint32_t i = 0; i < chunks; i++)
		log->next[i] = i + 1;
	return 0;
}

void evidence_log_release(struct evidence_log *log)
{
	free(log->bytes);
	free(log->next);
	free(log->used);
	free(log->stream);
	free(log->at);
	free(log->end);
	*log = (struct evidence_log){ .bytes = NULL };
}

static uint32_t take_chunk(struct evidence_log *log)
{
	uint32_t chunk = log->free;

	if (log->nfree == 0)
		return EVIDENCE_NO_CHUNK;
	log->free = log->next[chunk];
	log->nfree--;
	log->next[chunk] = EVIDENCE_NO_CHUNK;
	log->used[chunk] = 0;
	return chunk;
}

/* Those from `chunk` on. */
static void free_chunks(struct evidence_log *log, uint32_t chunk)
{
	while (chunk != EVIDENCE_NO_CHUNK) {
		uint32_t next = log->next[chunk];
		log->next[chunk] = log->free;
		log->free = chunk;
		log->nfree++;
		chunk = next;
	}
}

/* ---- adding ---------------------------------------------------------------------------- */

static struct evidence_stream *add_streams(struct evidence_log *log, uint32_t n)
{
	while (log->nstreams <= n) {
		uint32_t more = log->nstreams ? 2 * log->nstreams : 16;
		struct evidence_stream *moved = realloc(log->stream, more * sizeof *moved);
		if (!moved)
			return NULL;
		log->stream = moved;
		while (log->nstreams < more)
			log->stream[log->nstreams++] =
				(struct evidence_stream){ EVIDENCE_NO_CHUNK, EVIDENCE_NO_CHUNK };
	}
	return &log->stream[n];
}

/* Where the next piece of a context is to be, with room for any; NULL where there is none. */
static unsigned char *begin_piece(struct evidence_log *log, uint32_t context, uint32_t *chunk)
{
	uint32_t n = context >> EVIDENCE_STREAM_BITS;
	struct evidence_stream *s = n < log->nstreams ? &log->stream[n] : add_streams(log, n);

	if (!s)
		return NULL;
	if (s->last == EVIDENCE_NO_CHUNK || log->used[s->last] > CHUNK - MOST) {
		uint32_t fresh = take_chunk(log);
		if (fresh == EVIDENCE_NO_CHUNK)
			return NULL;
		if (s->last == EVIDENCE_NO_CHUNK)
			s->first = fresh;
		else
			log->next[s->last] = fresh;
		s->last = fresh;
	}
	*chunk = s->last;
	return log->bytes + (size_t)s->last * CHUNK + log->used[s->last];
}

bool evidence_log_look(struct evidence_log *log, uint32_t context, const struct wire_look *w)
{
	struct head h = { .slots = w->nslots, .deep = w->deep || w->nodes || w->deep_bytes };
	uint32_t chunk;
	unsigned char *piece = begin_piece(log, context, &chunk);

	if (!piece)
		return false;
	unsigned char *p = put_hash(piece + HEAD, w->content);
	p = put_weight(p, w->weight);
	p = put(p, w->extent);
	p = put(p, w->epoch);
	p = put(p, w->flags);
	if (h.deep) {
		p = put_hash(p, w->deep);
		p = put(p, w->nodes);
		p = put(p, w->deep_bytes);
	}
	memcpy(p, w + 1, w->nslots * sizeof(uint32_t));
	p = put_ticket(p + w->nslots * sizeof(uint32_t), w->ticket);
	put_head(piece, h, context, w->ticket, (size_t)(p - piece));
	log->used[chunk] += (uint32_t)(p - piece);
	return true;
}

bool evidence_log_use(struct evidence_log *log, uint32_t context, const struct wire_use *w)
{
	uint32_t chunk;
	unsigned char *piece = begin_piece(log, context, &chunk);

	if (!piece)
		return false;
	unsigned char *p = put_hash(piece + HEAD, w->content);
	p = put_weight(p, w->weight);
	p = put(p, w->value);
	p = put(p, w->extent);
	p = put(p, w->epoch);
	p = put(p, w->access);
	p = put(p, w->position);
	p = put(p, w->flags);
	p = put_ticket(put(p, w->size), w->ticket);
	put_head(piece, (struct head){ .use = 1 }, context, w->ticket, (size_t)(p - piece));
	log->used[chunk] += (uint32_t)(p - piece);
	return true;
}

/* ---- sweeping and sorting ---------------------------------------------------------------- */

/* Of a piece of stream i. */
static size_t list_of(uint32_t i, struct head h)
{
	return EVIDENCE_KINDS * ((size_t)i * EVIDENCE_STREAM + h.context) +
	       (h.use ? EVIDENCE_USE : EVIDENCE_LOOK);
}

/* Where pieces of a stream that is swept go to: never behind where they come from. */
struct cursor {
	uint32_t chunk, used;
};

static void move(const struct evidence_log *log, struct cursor *to, const unsigned char *piece,
		 uint8_t len)
{
	if (to->used > CHUNK - MOST) {
		log->used[to->chunk] = to->used;
		*to = (struct cursor){ .chunk = log->next[to->chunk] };
	}
	memmove(log->bytes + (size_t)to->chunk * CHUNK + to->used, piece, len);
	to->used += len;
}

static void sweep(struct evidence_log *log, uint32_t i, const uint8_t *halvings)
{
	struct evidence_stream *s = &log->stream[i];
	struct cursor to = { .chunk = s->first };

	for (uint32_t c = s->first; c != EVIDENCE_NO_CHUNK; c = log->next[c]) {
		const unsigned char *p = log->bytes + (size_t)c * CHUNK, *end = p + log->used[c];
		while (p < end) {
			struct head h = head_at(p);
			if (h.level >= halvings[list_of(i, h)])
				move(log, &to, p, h.len);
			p += h.len;
		}
	}
	if (s->first == EVIDENCE_NO_CHUNK)
		return;
	log->used[to.chunk] = to.used;
	free_chunks(log, log->next[to.chunk]);
	log->next[to.chunk] = EVIDENCE_NO_CHUNK;
	s->last = to.chunk;
}

double evidence_log_sweep(struct evidence_log *log, const uint8_t *halvings)
{
	for (uint32_t i = 0; i < log->nstreams; i++)
		sweep(log, i, halvings);
	return log->chunks ? (double)log->nfree / log->chunks : 0;
}

int evidence_log_sort(struct evidence_log *log, const uint8_t *halvings, uint32_t *end, size_t n)
{
	log->at = malloc((n ? n : 1) * sizeof *log->at);
	if (!log->at)
		return -1;
	log->end = end;
	for (uint32_t i = 0; i < log->nstreams; i++)
		for (uint32_t c = log->stream[i].first; c != EVIDENCE_NO_CHUNK; c = log->next[c])
			for (uint32_t at = c * CHUNK, to = at + log->used[c]; at < to;) {
				struct head h = head_at(log->bytes + at);
				size_t list = list_of(i, h);
				if (h.level >= halvings[list])
					log->at[end[list]++] = at;
				at += h.len;
			}
	return 0;
}

/* ---- reading --------------------------------------------------------------------------- */

uint16_t evidence_log_slots(const struct evidence_log *log, size_t i)
{
	return (uint16_t)head_at(log->bytes + log->at[i]).slots;
}

void evidence_log_get_look(const struct evidence_log *log, size_t i, struct model_look *to)
{
	const unsigned char *p = log->bytes + log->at[i];
	struct head h = head_at(p);

	p += HEAD;
	*to = (struct model_look){ .nslots = (uint16_t)h.slots };
	to->content = get_hash(&p);
	to->weight = get_weight(&p);
	to->extent = (uint32_t)get(&p);
	to->epoch = (uint32_t)get(&p);
	to->flags = (uint16_t)get(&p);
	if (h.deep) {
		to->deep = get_hash(&p);
		to->nodes = (uint32_t)get(&p);
		to->deep_bytes = (uint32_t)get(&p);
	}
	memcpy(to->slot, p, to->nslots * sizeof to->slot[0]);
	to->ticket = get_ticket(p + to->nslots * sizeof to->slot[0]);
}

void evidence_log_get_use(const struct evidence_log *log, size_t i, struct model_use *to)
{
	const unsigned char *p = log->bytes + log->at[i];

	p += HEAD;
	*to = (struct model_use){ 0 };
	to->content = get_hash(&p);
	to->weight = get_weight(&p);
	to->value = get(&p);
	to->extent = (uint32_t)get(&p);
	to->epoch = (uint32_t)get(&p);
	to->access = (uint32_t)get(&p);
	to->position = (uint32_t)get(&p);
	to->flags = (uint16_t)get(&p);
	to->size = (uint16_t)get(&p);
	to->ticket = get_ticket(p);
}

void evidence_log_warm(const struct evidence_log *log, uint32_t context)
{
	uint32_t i = context >> EVIDENCE_STREAM_BITS;
	uint32_t c = i < log->nstreams ? log->stream[i].first : EVIDENCE_NO_CHUNK;

	for (; c != EVIDENCE_NO_CHUNK; c = log->next[c])
		for (uint32_t at = 0; at < log->used[c]; at += LINE)
			__builtin_prefetch(log->bytes + (size_t)c * CHUNK + at);
}
