/* SPDX-License-Identifier: Apache-2.0 */
/* live.c - see live.h. */
#include "live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* What names things, and what is the last word on the recording; the rest is evidence and counts. */
static bool is_lasting(uint16_t type)
{
	return (type >= WIRE_CLASS && type <= WIRE_LAST_DEFINITION) || type == FILE_COMMAND ||
	       type == FILE_JVM || type == FILE_STATUS || type == FILE_END;
}

static int take(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct live *l = arg;
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	(void)time_ns;
	if (l->follow.offset < l->reset_at && !is_lasting(type))
		return 0;
	return model_feed(l->model, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

int live_open(struct live *l, const char *path, const struct rows_options *options, bool from_zero)
{
	*l = (struct live){ .follow.fd = -1, .options = *options, .from_zero = from_zero };
	l->options.brief = true;
	l->model = model_new();
	if (l->model && follow_open(&l->follow, path) == 0)
		return 0;
	int saved = errno;
	live_close(l);
	errno = saved;
	return -1;
}

static void release_rows(struct live *l)
{
	rows_release(&l->rows);
	waste_release(l->waste);
	memset(l->waste, 0, sizeof l->waste);
}

void live_close(struct live *l)
{
	release_rows(l);
	rates_release(&l->rates);
	model_free(l->model);
	if (l->follow.fd >= 0)
		follow_close(&l->follow);
	l->model = NULL;
}

/* ---- the figures ---------------------------------------------------------------------------- */

/* Adds up what the rows' contexts have by now. */
static void add_amounts(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		struct row *row = &rows->row[i];
		struct replica *x = &row->replica;
		x->objects = x->bytes = 0;
		x->sampled = 0;
		for (size_t k = 0; k < row->ncontexts; k++) {
			x->objects += row->contexts[k]->objects;
			x->bytes += row->contexts[k]->bytes;
			x->sampled += row->contexts[k]->sampled;
		}
	}
}

static int make_rows(struct live *l, uint64_t now_ns)
{
	uint64_t begin = cpu_ns();
	struct rows rows;
	struct waste_sum waste[WASTE_KINDS];

	if (waste_compute(waste, l->model, l->options.replica.confidence) < 0)
		return -1;
	if (rows_make(&rows, l->model, &l->options) < 0) {
		waste_release(waste);
		return -1;
	}
	if (rows_tell_apart(&rows, rows.n) < 0) {
		rows_release(&rows);
		waste_release(waste);
		return -1;
	}
	release_rows(l);
	l->rows = rows;
	memcpy(l->waste, waste, sizeof waste);
	l->ncontexts = model_ncontexts(l->model);
	l->made_ns = now_ns;
	l->made_upto = l->follow.end_ns;
	l->make_cost = cpu_ns() - begin;
	return 0;
}

/* Whether the time since the rows were made allows to make them again. */
static bool may_make(const struct live *l, uint64_t now_ns)
{
	double least = (double)l->make_cost / LIVE_SHARE;

	return !l->made_ns || (double)(now_ns - l->made_ns) >= least;
}

/* Brings up to date what is not analysed. */
static int refresh(struct live *l, bool made)
{
	uint64_t begin = cpu_ns();

	if (!made)
		add_amounts(&l->rows);
	/* a recording that is joined has counted up to now; what is shown begins here */
	if (l->follow.end_ns > l->rates.now_ns &&
	    rates_update(&l->rates, &l->rows, l->follow.end_ns, l->from_zero) < 0)
		return -1;
	if (made)
		rates_note_saved(&l->rates, &l->rows);
	recording_collect(&l->recording, l->model, &l->follow.header, l->follow.end_ns, &l->rows);
	l->refresh_cost = cpu_ns() - begin;
	return 0;
}

uint64_t live_pause_ns(const struct live *l)
{
	/* whoever sorts and shows the rows takes twice as long */
	return (uint64_t)(3 * (double)l->refresh_cost / LIVE_REFRESH_SHARE);
}

int live_update(struct live *l, uint64_t now_ns, bool all)
{
	errno = 0;
	int chunks = follow_step(&l->follow, take, l);

	if (chunks < 0)
		return -1;
	bool made = all || (chunks > 0 && may_make(l, now_ns)) || !l->made_ns;
	if (made && make_rows(l, now_ns) < 0)
		return -1;
	return refresh(l, made);
}

int live_reset(struct live *l, uint64_t now_ns)
{
	struct model *fresh = model_new();

	if (!fresh)
		return -1;
	release_rows(l);
	rates_release(&l->rates);
	model_free(l->model);
	l->model = fresh;
	l->reset_at = l->follow.offset;
	l->reset_ns = l->follow.end_ns;
	/* the totals begin with 0, the rates with this moment */
	l->from_zero = false;
	l->rates.begun = true;
	l->rates.begin_ns = l->rates.now_ns = l->follow.end_ns;
	l->made_ns = 0;
	follow_rewind(&l->follow);
	return live_update(l, now_ns, true);
}

bool live_ended(const struct live *l)
{
	struct file_end end;

	return model_ended(l->model, &end);
}

void live_totals(const struct live *l, double *bytes, double *saved)
{
	*bytes = l->rates.bytes;
	*saved = l->rates.saved;
}

int live_write(const struct live *l, const char *path)
{
	return follow_copy(&l->follow, path, live_ended(l));
}
