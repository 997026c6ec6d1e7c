/* SPDX-License-Identifier: Apache-2.0 */
/* selection.c - see selection.h. */
#include "report/selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/analysis.h"
#include "report/filter.h"

/* ---- records ----------------------------------------------------------------------------- */

static bool is_evidence(uint16_t type)
{
	return type == WIRE_SNAPSHOT || type == WIRE_USE;
}

/* Whether a record is a sum, or an event that is kept only as part of a sum. */
static bool is_counted(const struct model *m, uint16_t type)
{
	switch (type) {
	case WIRE_ALLOC:
	case WIRE_ALLOC_COUNTED:
	case WIRE_UNUSED:
	case FILE_COUNT:
	case FILE_TALLY:
		return true;
	default:
		return model_is_analysed(m, type) && !model_is_whole(m, type);
	}
}

/* Whether a record is a part of a view. The last view within the selection counts. */
static bool is_view(uint16_t type)
{
	return type == WIRE_ALIVE || type == WIRE_VIEW;
}

static uint64_t key_of(uint32_t jvm, uint32_t thread)
{
	return (uint64_t)jvm << 32 | thread;
}

/* Whether a thread that was just defined is wanted. */
static int add_thread(struct selection *w, const struct model *m, uint32_t jvm, uint32_t thread)
{
	static char yes;
	const char *name = model_thread(m, jvm, thread);

	if (!name)
		return 0;
	w->threads++;
	if (!filter_matches(w->thread_glob, name) &&
	    !filter_matches(w->thread_glob, model_shown_thread(m, jvm, thread, false)))
		return 0;
	w->matching++;
	return idmap_put(&w->taken, key_of(jvm, thread), &yes);
}

static enum model_fed feed_other(struct selection *w, struct model *m, uint32_t jvm,
				 const struct wire_rec *rec, uint32_t len, uint16_t type)
{
	enum model_fed fed = model_feed(m, jvm, rec, len);

	if (type != WIRE_THREAD || fed != MODEL_KEEP || jvm == 0 || !w->thread_glob)
		return fed;
	uint32_t number = ((const struct wire_thread *)rec)->number;
	return add_thread(w, m, jvm, number) < 0 ? MODEL_BAD : fed;
}

enum model_fed selection_feed(struct selection *w, struct model *m, uint32_t jvm, uint64_t time_ns,
			      const struct wire_rec *rec, uint32_t len)
{
	if (len < sizeof *rec)
		return model_feed(m, jvm, rec, len);
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);
	bool before = w->from_ns > 0 && time_ns <= w->from_ns;
	/* each flush begins with a status, before the counts */
	if (type == FILE_STATUS && before)
		w->begin_ns = time_ns;
	if (type == FILE_STATUS && time_ns <= w->to_ns)
		w->end_ns = time_ns;
	bool whole = model_is_whole(m, type);
	if (!is_evidence(type) && !is_counted(m, type) && !is_view(type) && !whole)
		return feed_other(w, m, jvm, rec, len, type);
	if (time_ns > w->to_ns || (before && is_view(type)))
		return MODEL_DROPPED;
	if ((!before || whole) && (!w->thread_glob || type == WIRE_VIEW ||
				   idmap_get(&w->taken, key_of(jvm, rec->thread))))
		return model_feed(m, jvm, rec, len);
	return is_evidence(type) || is_view(type) || whole ? model_feed_outside(m, jvm, rec, len)
							   : MODEL_DROPPED;
}

void selection_end(struct selection *w, struct model *m)
{
	for (size_t i = 0; i < model_ncontexts(m); i++) {
		struct model_context *c = model_context(m, i);
		size_t snapshots = 0, uses = 0, alive = 0;
		for (size_t k = 0; k < c->nsnapshots; k++)
			if (!(c->snapshots[k]->flags & MODEL_OUTSIDE))
				c->snapshots[snapshots++] = c->snapshots[k];
		for (size_t k = 0; k < c->nuses; k++)
			if (!(c->uses[k]->flags & MODEL_OUTSIDE))
				c->uses[uses++] = c->uses[k];
		for (size_t k = 0; k < c->nalive; k++)
			if (!(c->alive[k]->flags & MODEL_OUTSIDE))
				c->alive[alive++] = c->alive[k];
		c->nalive = alive;
		c->nsnapshots = snapshots;
		c->nuses = uses;
	}
	if (w->end_ns < w->begin_ns)
		w->end_ns = w->begin_ns;
}

void selection_release(struct selection *w)
{
	idmap_release(&w->taken);
}

bool selection_is_timed(const struct selection *w)
{
	return w->from_ns > 0 || w->to_ns < UINT64_MAX;
}

/* ---- options ----------------------------------------------------------------------------- */

/* Parses a time of `len` bytes; `empty` if there is none. */
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

bool selection_parse(struct selection *w, const char *text)
{
	const char *comma = strchr(text, ',');

	if (!comma)
		return false;
	return parse_time(text, (size_t)(comma - text), 0, &w->from_ns) &&
	       parse_time(comma + 1, strlen(comma + 1), UINT64_MAX, &w->to_ns) &&
	       w->from_ns < w->to_ns;
}
