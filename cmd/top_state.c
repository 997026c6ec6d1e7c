/* SPDX-License-Identifier: Apache-2.0 */
/* top_state.c - the recording that `ojx top` shows: its updates and its description. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "say.h"
#include "top.h"

#define SECOND 1000000000u

enum {
	EAGER_S = 10, /* seconds in which updates are frequent */
	OLD_S = 4,    /* the status shows an age above this */
	STACK_FRAMES = 128,
	ACCESS_FRAMES = 8,
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

int top_update(struct top *t)
{
	if (live_update(&t->live) < 0)
		return -1;
	top_measure(t);
	return 0;
}

void top_measure(struct top *t)
{
	if (t->live.options.grouping == ROWS_BY_LINE)
		total_measure(&t->total, &t->live.rows);
}

uint64_t top_interval_ns(const struct top *t)
{
	uint64_t interval = t->options.interval_ns, pause = live_pause_ns(&t->live);

	if (t->options.eager &&
	    t->live.follow.end_ns - t->live.reset_ns < EAGER_S * (uint64_t)SECOND)
		interval = SECOND;
	return pause > interval ? pause : interval;
}

void top_put_sum(FILE *out, const struct top *t, const struct style *s)
{
	const struct report r = top_report(t);

	if (r.total && r.total->bytes > 0)
		render_least(out, &r, s);
}

void top_say_failed(void)
{
	switch (errno) {
	case 0:
		say("this terminal cannot show a screen: see --batch");
		break;
	case EILSEQ:
	case EBADMSG:
		say("the recording is damaged: it is not what ojx wrote");
		break;
	case ENOTSUP:
		say("the recording is made by a newer version of ojx than this (%s)", OJX_VERSION);
		break;
	default:
		say("cannot read the recording: %s", strerror(errno));
	}
}

void top_notice_end(struct top *t)
{
	if (t->child.pid)
		t->ended = t->child.exited;
	else
		t->ended = live_ended(&t->live) || (kill(t->watched, 0) < 0 && errno == ESRCH);
}

struct report top_report(const struct top *t)
{
	return (struct report){
		.version = OJX_VERSION,
		.recording = &t->live.recording,
		.rows = &t->live.rows,
		.lines = &t->live.rows,
		.total = t->live.options.grouping == ROWS_BY_LINE ? &t->total : NULL,
		.shown = t->live.rows.n,
		.key = t->options.key,
		.grouping = t->live.options.grouping,
		.min_pairs = t->live.options.replica.min_pairs,
		.confidence = t->live.options.replica.confidence,
		.stack_frames = STACK_FRAMES,
		.access_frames = ACCESS_FRAMES,
	};
}

static void put_age(FILE *out, const struct top *t, const char *dot)
{
	const struct live *l = &t->live;
	uint64_t now = clock_ns(CLOCK_REALTIME);
	uint64_t read = l->follow.header.start_unix_ns + l->follow.end_ns;
	uint64_t age = l->follow.end_ns && now > read ? now - read : 0;

	if (t->ended)
		fprintf(out, " %s ended", dot);
	else if (age > OLD_S * (uint64_t)SECOND + t->options.interval_ns)
		fprintf(out, " %s as of %llu s ago", dot, (unsigned long long)(age / SECOND));
}

void top_put_status(FILE *out, const struct top *t, const struct style *s)
{
	const struct recording *r = &t->live.recording;
	const char *dot = style_glyph(s, GLYPH_DOT);
	char text[UNITS_TEXT];
	double bytes, saved;

	live_totals(&t->live, &bytes, &saved);
	fprintf(out, "%s/s", units_bytes(text, bytes));
	fprintf(out, " %s %s/s saved", dot, units_bytes(text, saved));
	fprintf(out, " %s %s", dot,
		units_seconds(text, (double)(t->live.follow.end_ns - t->live.reset_ns) / SECOND));
	if (r->lost)
		fprintf(out, " %s %s lost", dot, units_count(text, (double)r->lost));
	if (t->live.bad)
		fprintf(out, " %s %s bad", dot, units_count(text, (double)t->live.bad));
	if (r->model && !isnan(r->cost.whole))
		fprintf(out, " %s cost about %.1f %%", dot, r->cost.whole);
	put_age(out, t, dot);
}
