/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - see window.h. */
#include "window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In the flags of looks and uses, which have no more than 12 of their own. */
#define BEFORE 0x8000

/* Room for a look with all its slots, or a use. */
enum { MAX_EVIDENCE = sizeof(struct wire_look) + WIRE_SLOTS * sizeof(uint32_t) };

/* ---- records ----------------------------------------------------------------------------- */

static bool is_evidence(uint16_t type)
{
	return type == WIRE_LOOK || type == WIRE_USE;
}

/* Sums, and events that would become some. */
static bool is_counted(uint16_t type)
{
	switch (type) {
	case WIRE_ALLOC:
	case WIRE_UNUSED:
	case WIRE_WASTE:
	case WIRE_ACCESS:
	case FILE_COUNT:
	case FILE_TALLY:
	case FILE_WASTE:
	case FILE_ACCESS:
		return true;
	default:
		return false;
	}
}

/* Feeds a look or a use with a mark that it came before the window. */
static enum model_fed feed_marked(struct model *m, uint32_t jvm, const struct wire_rec *rec,
				  uint32_t len)
{
	_Alignas(8) unsigned char copy[MAX_EVIDENCE];
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if (len > sizeof copy || len < sizeof(struct wire_use))
		return model_feed(m, jvm, rec, len); /* which refuses it */
	memcpy(copy, rec, len);
	if (type == WIRE_LOOK)
		((struct wire_look *)copy)->flags |= BEFORE;
	else
		((struct wire_use *)copy)->flags |= BEFORE;
	return model_feed(m, jvm, (const struct wire_rec *)copy, len);
}

/* What was seen so far was seen before. */
static void begin(struct window *w, struct model *m)
{
	w->begun = true;
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		struct model_context *c = model_context(m, i);
		c->looks_seen = c->uses_seen = 0;
	}
}

enum model_fed window_feed(struct window *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			   const struct wire_rec *rec, uint32_t len)
{
	if (len < sizeof *rec)
		return model_feed(m, jvm, rec, len);
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);
	bool before = w->from_ns > 0 && time_ns <= w->from_ns;
	bool within = !before && time_ns <= w->to_ns;
	/* a status comes with each flush, before its counts */
	if (type == FILE_STATUS && before)
		w->begin_ns = time_ns;
	if (type == FILE_STATUS && time_ns <= w->to_ns)
		w->end_ns = time_ns;
	if (!is_evidence(type) && !is_counted(type))
		return model_feed(m, jvm, rec, len);
	if (within && !w->begun)
		begin(w, m);
	if (within)
		return model_feed(m, jvm, rec, len);
	if (is_evidence(type) && before)
		return feed_marked(m, jvm, rec, len);
	return MODEL_DROPPED;
}

void window_end(struct window *w, struct model *m)
{
	if (!w->begun)
		begin(w, m);
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		struct model_context *c = model_context(m, i);
		size_t looks = 0, uses = 0;
		for (size_t k = 0; k < c->nlooks; k++)
			if (!(c->looks[k]->flags & BEFORE))
				c->looks[looks++] = c->looks[k];
		for (size_t k = 0; k < c->nuses; k++)
			if (!(c->uses[k]->flags & BEFORE))
				c->uses[uses++] = c->uses[k];
		c->nlooks = looks;
		c->nuses = uses;
	}
	if (w->end_ns < w->begin_ns)
		w->end_ns = w->begin_ns;
}

/* ---- options ----------------------------------------------------------------------------- */

/* A time of `len` bytes; `empty` where there is none. */
static bool parse_time(const char *text, size_t len, uint64_t empty, uint64_t *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "", 1e9 }, { "s", 1e9 },  { "ms", 1e6 },  { "us", 1e3 },
		      { "ns", 1 }, { "m", 60e9 }, { "h", 3600e9 } };
	char word[32], *end;

	*ns = empty;
	if (len == 0)
		return true;
	if (len >= sizeof word || !strchr("0123456789.", text[0]))
		return false;
	memcpy(word, text, len);
	word[len] = '\0';
	if (strpbrk(word, "xX"))
		return false;
	double value = strtod(word, &end);
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcasecmp(end, units[i].name) == 0) {
			value *= units[i].ns;
			*ns = value < 1e18 ? (uint64_t)llround(value) : UINT64_MAX - 1;
			return true;
		}
	return false;
}

bool window_parse(struct window *w, const char *text)
{
	const char *comma = strchr(text, ',');

	memset(w, 0, sizeof *w);
	if (!comma)
		return false;
	return parse_time(text, (size_t)(comma - text), 0, &w->from_ns) &&
	       parse_time(comma + 1, strlen(comma + 1), UINT64_MAX, &w->to_ns) &&
	       w->from_ns < w->to_ns;
}
