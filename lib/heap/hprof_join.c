/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hprof_join.c - see hprof_private.h: parts that cross the border of two segments. Some tools cut a
 * dump into segments of equal lengths, so the header of the next segment lies within a part. The
 * bytes behind it move over it, and the header behind them: the dump stays one, and the part is in
 * one piece. The mapping is private, so the file does not change, and only the pages that are
 * written take memory. Each byte of a part moves once, however many headers it has: a part asks for
 * as many bytes as it has had, at least, so that it does not come often.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "heap/hprof_private.h"

/* Whether the bytes can be changed now; if not, h->error says why. */
static bool make_writable(struct hprof *h, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (!h->mapped)
		return true; /* a copy in memory */
	from -= from % page;
	if (mprotect((unsigned char *)(uintptr_t)h->data + from, to - from,
		     PROT_READ | PROT_WRITE) == 0)
		return true;
	snprintf(h->error, sizeof h->error, "an object in two segments cannot be joined: %s",
		 strerror(errno));
	return false;
}

static void put_u32(unsigned char *to, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(to, &v, sizeof v);
}

/* The segment at this offset; whether there is one. */
static bool segment_at(const struct hprof *h, uint64_t at, struct hprof_record *s)
{
	if (h->size - at < HPROF_RECORD_HEADER || h->data[at] != HPROF_TAG_SEGMENT)
		return false;
	*s = (struct hprof_record){ .at = at, .body = at + HPROF_RECORD_HEADER };
	s->end = s->body + hprof_u32(h->data + at + HPROF_LENGTH_AT);
	s->cut = s->end > h->size;
	return true;
}

/* Whether the segments that follow have so many bytes. */
static enum hprof_joined look(const struct hprof *h, uint64_t at, uint64_t bytes)
{
	struct hprof_record s;
	uint64_t n = 0;

	for (; n < bytes; at = s.end) {
		if (h->size - at < HPROF_RECORD_HEADER)
			return h->cut[0] ? HPROF_CUT : HPROF_APART;
		if (!segment_at(h, at, &s))
			return HPROF_APART;
		if (s.cut)
			return HPROF_CUT;
		n += s.end - s.body;
	}
	return HPROF_JOINED;
}

/* Writes headers of segments: `n` empty ones, and one of `rest` bytes. */
static void put_headers(unsigned char *to, const unsigned char header[HPROF_RECORD_HEADER],
			uint64_t n, uint32_t rest)
{
	for (uint64_t i = 0; i <= n; i++, to += HPROF_RECORD_HEADER) {
		memcpy(to, header, HPROF_RECORD_HEADER);
		put_u32(to + HPROF_LENGTH_AT, i == n ? rest : 0);
	}
}

enum hprof_joined hprof_join(struct hprof *h, struct hprof_record *r, uint64_t least, uint64_t want)
{
	unsigned char *data = (unsigned char *)(uintptr_t)h->data;
	enum hprof_joined result = look(h, r->end, least);
	unsigned char header[HPROF_RECORD_HEADER];
	uint64_t headers = 0, rest = 0;
	struct hprof_record s;

	if (result != HPROF_JOINED)
		return result;
	if (!make_writable(h, r->at, r->body))
		return HPROF_APART;
	if (want < least)
		want = least;
	memcpy(header, data + r->end, sizeof header);
	while (want > 0 && rest == 0 && segment_at(h, r->end + headers * HPROF_RECORD_HEADER, &s) &&
	       !s.cut) {
		uint64_t n = s.end - s.body < want ? s.end - s.body : want;
		if (!make_writable(h, r->end, s.body + n))
			return HPROF_APART;
		memmove(data + r->end, data + s.body, n);
		r->end += n;
		want -= n;
		rest = s.end - s.body - n;
		headers++;
	}
	put_headers(data + r->end, header, headers - 1, (uint32_t)rest);
	put_u32(data + r->at + HPROF_LENGTH_AT, (uint32_t)(r->end - r->body));
	return HPROF_JOINED;
}
