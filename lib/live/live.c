/* SPDX-License-Identifier: Apache-2.0 */
/* live.c - see live.h. */
#include "live/live.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fix/fix_rows.h"

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- reading ------------------------------------------------------------------------------- */

/*
 * Records that are kept on a reset: definitions and the state of the recording. Others are evidence
 * and counters.
 */
static bool is_lasting(uint16_t type)
{
	return (type >= WIRE_CLASS && type <= WIRE_LAST_DEFINITION) || type == FILE_COMMAND ||
	       type == FILE_OWN || type == FILE_LABEL || type == FILE_JVM || type == FILE_STATUS ||
	       type == FILE_THIN || type == FILE_SECRET || type == FILE_END;
}

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct live *l = arg;
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	(void)time_ns;
	if (l->follow.chunks.offset < l->reset_at && !is_lasting(type))
		return 0;
	if (model_feed(l->model, jvm, rec, len) != MODEL_BAD)
		return 0;
	if (!model_can_skip(jvm, rec))
		return -1;
	l->bad++;
	return 0;
}

int live_open(struct live *l, const char *path, const struct analysis *const *analyses,
	      const struct rows_options *options, bool from_zero)
{
	*l = (struct live){ .follow.chunks.fd = -1,
			    .analyses = analyses,
			    .options = *options,
			    .from_zero = from_zero };
	l->options.lazy = true;
	l->model = model_new(l->analyses);
	if (l->model && follow_open(&l->follow, path) == 0)
		return 0;
	int saved = errno;
	live_close(l);
	errno = saved;
	return -1;
}

static void release_rows(struct live *l)
{
	fixes_release(&l->fixes); /* they point at rows */
	rows_release(&l->rows);
}

static void release_rates(struct live *l)
{
	rates_release(&l->rates);
	for (size_t i = 0; i < ROWS_GROUPINGS; i++)
		rates_release(&l->kept[i]);
}

void live_close(struct live *l)
{
	release_rows(l);
	release_rates(l);
	model_free(l->model);
	if (l->follow.chunks.fd >= 0)
		follow_close(&l->follow);
	l->model = NULL;
}

/* ---- the figures ---------------------------------------------------------------------------- */

uint64_t live_pause_ns(const struct live *l)
{
	return (uint64_t)fmin((double)l->cost_ns / LIVE_SHARE, LIVE_LONGEST_NS);
}

static int find_rates(struct live *l)
{
	bool later = l->follow.end_ns > l->rates.now_ns;

	/* a recording that is joined has counted before; what is shown begins here */
	if (later && rates_update(&l->rates, &l->rows, l->follow.end_ns, l->from_zero) < 0)
		return -1;
	rates_note_saved(&l->rates, &l->rows);
	return 0;
}

static int make_rows(struct live *l)
{
	release_rows(l);
	rows_make(&l->rows, l->model, &l->options);
	if (l->options.grouping == ROWS_BY_LINE) {
		fixes_find(&l->fixes, &l->rows, l->model, l->rows.how->confidence);
		fixes_tell_rows(&l->fixes, l->model, &l->rows);
	}
	return find_rates(l);
}

int live_group(struct live *l, enum rows_grouping grouping)
{
	l->kept[l->options.grouping] = l->rates;
	l->rates = l->kept[grouping];
	l->kept[grouping] = (struct rates)RATES_INIT;
	l->options.grouping = grouping;
	return make_rows(l);
}

int live_update(struct live *l)
{
	uint64_t begin = cpu_ns();

	errno = 0;
	if (follow_step(&l->follow, feed_record, l) < 0)
		return -1;
	model_set_machine(l->model, &l->follow.header);
	if (make_rows(l) < 0)
		return -1;
	recording_collect(&l->recording, l->model, &l->follow.header, l->follow.end_ns);
	l->recording.pairs = l->rows.pairs;
	l->cost_ns = cpu_ns() - begin;
	return 0;
}

int live_reset(struct live *l)
{
	struct model *unflushed = model_new(l->analyses);

	if (!unflushed)
		return -1;
	release_rows(l);
	release_rates(l);
	model_free(l->model);
	l->model = unflushed;
	l->reset_at = l->follow.chunks.offset;
	l->reset_ns = l->follow.end_ns;
	/* totals begin with 0, rates begin now */
	l->from_zero = false;
	l->bad = 0;
	const struct rates begun = { .begun = true,
				     .begin_ns = l->follow.end_ns,
				     .now_ns = l->follow.end_ns };
	l->rates = begun;
	for (size_t i = 0; i < ROWS_GROUPINGS; i++)
		l->kept[i] = begun;
	follow_rewind(&l->follow);
	return live_update(l);
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
