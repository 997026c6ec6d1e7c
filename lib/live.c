/* SPDX-License-Identifier: Apache-2.0 */
/* live.c - see live.h. */
#include "live.h"

#include <errno.h>
#include <math.h>
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
	if (l->follow.chunks.offset < l->reset_at && !is_lasting(type))
		return 0;
	return model_feed(l->model, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

int live_open(struct live *l, const char *path, const struct rows_options *options, bool from_zero)
{
	*l = (struct live){ .follow.chunks.fd = -1, .options = *options, .from_zero = from_zero };
	l->options.brief = true;
	l->allowance = LIVE_FIRST_NS;
	l->credit = LIVE_FIRST_NS;
	l->model = model_new();
	if (l->model && growing_begin(&l->growing, l->model, &l->options) == 0 &&
	    follow_open(&l->follow, path) == 0)
		return 0;
	int saved = errno;
	live_close(l);
	errno = saved;
	return -1;
}

static void release_rows(struct live *l)
{
	growing_release(&l->growing);
	waste_release(l->waste);
	memset(l->waste, 0, sizeof l->waste);
}

void live_close(struct live *l)
{
	release_rows(l);
	rates_release(&l->rates);
	model_free(l->model);
	if (l->follow.chunks.fd >= 0)
		follow_close(&l->follow);
	l->model = NULL;
}

/* ---- the figures ---------------------------------------------------------------------------- */

/* What wastes memory operations is shown on a page of its own: it may be a little older. */
static int find_waste(struct live *l, uint64_t now_ns, bool all)
{
	uint64_t begin = cpu_ns();
	struct waste_sum waste[WASTE_KINDS];

	if (!all && l->waste_ns &&
	    (double)(now_ns - l->waste_ns) < (double)l->waste_cost / LIVE_SHARE)
		return 0;
	if (waste_compute(waste, l->model, l->options.replica.confidence) < 0)
		return -1;
	waste_release(l->waste);
	memcpy(l->waste, waste, sizeof waste);
	l->waste_ns = now_ns;
	l->waste_cost = cpu_ns() - begin;
	return 0;
}

/* Analyses rows for as long as the time since the last update allows. */
static int analyse(struct live *l, uint64_t now_ns)
{
	double passed = l->seen_ns ? (double)(now_ns - l->seen_ns) : 0;
	uint64_t begin = cpu_ns();

	l->allowance = (uint64_t)fmin((double)l->allowance + passed * LIVE_SHARE, LIVE_FIRST_NS);
	if (growing_analyse(&l->growing, l->allowance) < 0)
		return -1;
	uint64_t spent = cpu_ns() - begin;
	l->allowance -= spent < l->allowance ? spent : l->allowance;
	return 0;
}

/* Rates of rows that are all others. */
static int refresh_all(struct live *l)
{
	struct rows *rows = &l->growing.rows;
	bool later = l->follow.end_ns > l->rates.now_ns;

	if ((later ? rates_update(&l->rates, rows, l->follow.end_ns, l->from_zero)
		   : rates_find(&l->rates, rows)) < 0)
		return -1;
	rates_note_saved(&l->rates, rows);
	return 0;
}

/* Rates of those that have changed. */
static int refresh(struct live *l)
{
	struct growing *g = &l->growing;

	/* a recording that is joined has counted up to now; what is shown begins here */
	if (l->follow.end_ns > l->rates.now_ns &&
	    rates_update_some(&l->rates, &g->rows, &g->changed, l->follow.end_ns, l->from_zero) < 0)
		return -1;
	rates_note_saved_some(&l->rates, &g->rows, &g->analysed);
	return 0;
}

/* What an update takes with all that follows from it: whoever sorts and shows the rows takes as long again. */
static double whole_cost(uint64_t cost)
{
	return 2 * (double)cost;
}

uint64_t live_pause_ns(const struct live *l)
{
	double pause = (whole_cost(l->refresh_cost) - l->credit) / LIVE_REFRESH_SHARE;

	return (uint64_t)fmin(fmax(pause, 0), LIVE_LONGEST_NS);
}

/* Notes what an update took at a time. */
static void pay(struct live *l, uint64_t now_ns, uint64_t cost)
{
	double passed = l->seen_ns ? (double)(now_ns - l->seen_ns) : 0;
	double most_debt = LIVE_REFRESH_SHARE * LIVE_LONGEST_NS;

	l->credit = fmin(l->credit + passed * LIVE_REFRESH_SHARE, LIVE_FIRST_NS);
	l->credit = fmax(l->credit - whole_cost(cost), -most_debt);
	/* smoothed: what is new at once is no measure of what comes */
	l->refresh_cost = (3 * l->refresh_cost + cost) / 4;
}

/* Everything anew. */
static int update_all(struct live *l, uint64_t now_ns)
{
	l->anew = true;
	if (find_waste(l, now_ns, true) < 0 || growing_all(&l->growing) < 0)
		return -1;
	return refresh_all(l);
}

static int update_changed(struct live *l, uint64_t now_ns)
{
	uint64_t begin = cpu_ns();

	l->anew = false;
	if (growing_take(&l->growing) < 0)
		return -1;
	uint64_t taken = cpu_ns() - begin;
	if (analyse(l, now_ns) < 0 || find_waste(l, now_ns, false) < 0)
		return -1;
	begin = cpu_ns();
	if (refresh(l) < 0)
		return -1;
	pay(l, now_ns, taken + cpu_ns() - begin);
	return 0;
}

int live_update(struct live *l, uint64_t now_ns, bool all)
{
	errno = 0;
	if (follow_step(&l->follow, take, l) < 0)
		return -1;
	if ((all ? update_all(l, now_ns) : update_changed(l, now_ns)) < 0)
		return -1;
	l->seen_ns = now_ns;
	recording_collect(&l->recording, l->model, &l->follow.header, l->follow.end_ns,
			  &l->growing.rows);
	return 0;
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
	if (growing_begin(&l->growing, fresh, &l->options) < 0)
		return -1;
	l->reset_at = l->follow.chunks.offset;
	l->reset_ns = l->follow.end_ns;
	/* the totals begin with 0, the rates with this moment */
	l->from_zero = false;
	l->rates.begun = true;
	l->rates.begin_ns = l->rates.now_ns = l->follow.end_ns;
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
