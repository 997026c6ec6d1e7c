/* SPDX-License-Identifier: Apache-2.0 */
/* top_screen.c - `ojx top` on a screen: a source for browse.h. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memtext.h"
#include "base/units.h"
#include "cmd.h"
#include "live/rates.h"
#include "live/screen_table.h"
#include "out_of_memory.h"
#include "output.h"
#include "report.h"
#include "say.h"
#include "screen/browse.h"
#include "screen/top.h"

/* ---- the recording that `ojx top` shows: its updates and its description. */

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
	return live_update(&t->live);
}

uint64_t top_interval_ns(const struct top *t)
{
	uint64_t interval = t->options.interval_ns, pause = live_pause_ns(&t->live);

	if (t->options.eager &&
	    t->live.follow.end_ns - t->live.reset_ns < EAGER_S * (uint64_t)SECOND)
		interval = SECOND;
	return pause > interval ? pause : interval;
}

void top_say_failed(void)
{
	switch (errno) {
	case 0:
		say("this terminal cannot show a screen: see --batch");
		break;
	case ENOMEM:
		out_of_memory();
	case EILSEQ:
	case EBADMSG:
		say("the recording is damaged: it is not what ojx wrote");
		break;
	case ENOTSUP:
		say("the recording is made by another version of ojx than this (%s)", OJX_VERSION);
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
		.fixes = t->live.options.grouping == ROWS_BY_LINE ? &t->live.fixes : NULL,
		.shown = t->live.rows.table.n,
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

/* ---- `ojx top` without a screen: a table every interval, on standard output. */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The findings, before the rows are sorted. */
static char *fixes_text(const struct top *t, const struct style *s)
{
	const struct report r = top_report(t);
	struct screen_fixes fixes = { .n = 0 };
	struct memtext text;
	FILE *out = memtext_begin(&text);

	screen_fixes_take(&fixes, &r, s);
	if (r.fixes && r.fixes->bytes > 0)
		fprintf(out, "# %s\n", fixes.sum);
	for (size_t i = 0; i < screen_fixes_seen(&fixes); i++)
		fprintf(out, "# %s\n", fixes.fix[i].line);
	screen_fixes_release(&fixes);
	return memtext_end(&text);
}

static int put_table(struct top *t, struct screen_table *v, const struct style *s)
{
	char *fixes = fixes_text(t, s);
	struct cell_context ctx = { .style = s,
				    .min_pairs = t->live.options.replica.min_pairs,
				    .confidence = t->live.options.replica.confidence,
				    .rates = &t->live.rates,
				    .rate = rates_bytes };
	size_t cursor, limit = (size_t)t->options.limit;
	struct inked_lines lines;

	if (screen_table_set_rows(v, &t->live.rows, &ctx) < 0)
		goto failed;
	if (limit == 0 || limit > v->n)
		limit = v->n;
	screen_table_lines(v, &ctx, limit + 1, &lines, &cursor);
	printf("# %zu %s by %s, ", v->n, v->n == 1 ? "line" : "lines", column_name(v->key));
	top_put_status(stdout, t, s);
	putchar('\n');
	fputs(fixes, stdout);
	free(fixes);
	for (size_t i = 0; i < lines.n && i <= limit; i++)
		printf("%.*s\n", (int)lines.line[i].len, lines.line[i].text);
	putchar('\n');
	inked_release(&lines);
	return fflush(stdout) == 0 ? 0 : -1;
failed:
	free(fixes);
	return -1;
}

/* Waits until the next table is due or the recording ends. */
static void wait_until(struct top *t, uint64_t end_ms)
{
	struct pollfd fd = { .fd = t->child.signal_fd, .events = POLLIN };

	for (uint64_t now = now_ms(); now < end_ms && !t->ended; now = now_ms()) {
		uint64_t left = end_ms - now;
		poll(&fd, 1, left < 1000 ? (int)left : 1000);
		child_step(&t->child);
		top_notice_end(t);
		if (!t->child.pid && t->child.last_signal)
			return;
	}
}

void top_batch(struct top *t)
{
	struct style style = terminal_style(stdout, COLOR_AUTO);
	uint64_t interval = t->options.interval_ns / 1000000, next = now_ms();
	struct screen_table v;

	screen_table_begin(&v, COLUMN_TOP, t->options.key);
	for (int i = 0; t->options.count == 0 || i < t->options.count; i++) {
		uint64_t pause = live_pause_ns(&t->live) / 1000000;
		next += interval > pause ? interval : pause;
		wait_until(t, next);
		if (!t->child.pid && t->child.last_signal)
			break;
		if (top_update(t) < 0) {
			top_say_failed();
			break;
		}
		if (put_table(t, &v, &style) < 0 || t->ended)
			break;
	}
	screen_table_release(&v);
}

static void put_status(FILE *out, const struct browse_source *source, const struct style *s)
{
	top_put_status(out, source->arg, s);
}

/* A program that was started can be stopped. From one that runs anyway, ojx only detaches. */
static bool can_stop(const struct top *t)
{
	return t->child.pid && !t->child.exited && !t->ended && !t->options.record.pids;
}

static bool detaches(const struct top *t)
{
	return t->child.pid && !t->child.exited && !t->ended && t->options.record.pids;
}

static int update(struct browse_source *source)
{
	struct top *t = source->arg;

	top_notice_end(t);
	if (top_update(t) < 0)
		return -1;
	source->interval_ms = top_interval_ns(t) / 1000000;
	source->can_stop = can_stop(t);
	source->detaches = detaches(t);
	const struct column *key = source->report.key;
	source->report = top_report(t);
	source->report.key = key;
	source->model = t->live.model;
	return 0;
}

static int group(struct browse_source *source, enum rows_grouping grouping)
{
	struct top *t = source->arg;

	if (live_group(&t->live, grouping) < 0)
		return -1;
	const struct column *key = source->report.key;
	source->report = top_report(t);
	source->report.key = key;
	return 0;
}

static int page(void *arg, const char *path)
{
	const struct top *t = arg;
	struct loaded l = { .model = t->live.model, .recording = t->live.recording };

	return report_page(&l, path);
}

static void write_page(struct browse_source *source, char *said, size_t room)
{
	browse_write_page(said, room, page, source->arg);
}

/*
 * A signal, or the recorder's end. A user who has interrupted the program does not want to browse.
 */
static enum browse_end step(struct browse_source *source)
{
	struct top *t = source->arg;

	child_step(&t->child);
	if (t->child.last_signal && (t->child.exited || !t->child.pid))
		return BROWSE_OVER;
	return t->child.exited && !t->ended ? BROWSE_NEWS : BROWSE_GOES_ON;
}

static int reset(struct browse_source *source)
{
	struct top *t = source->arg;

	if (live_reset(&t->live) < 0)
		return -1;
	return update(source);
}

static void write_recording(struct browse_source *source, char *said, size_t room)
{
	const struct top *t = source->arg;

	if (live_write(&t->live, OJX_DATA) == 0)
		snprintf(said, room, "written to '%s': see 'ojx report'", OJX_DATA);
	else
		snprintf(said, room, "cannot write '%s': %s", OJX_DATA, datafile_why(errno));
}

static char *output(struct browse_source *source, const struct style *s)
{
	const struct top *t = source->arg;

	return spool_tail(&t->out, s);
}

void top_screen(struct top *t)
{
	struct browse_source source = {
		.name = "ojx top",
		.report = top_report(t),
		.rows = &t->live.rows,
		.model = t->live.model,
		.how = &t->live.options,
		.table = COLUMN_TOP,
		.put_status = put_status,
		.arg = t,
		.rates = &t->live.rates,
		.interval_ms = top_interval_ns(t) / 1000000,
		.fd = t->child.signal_fd,
		.can_stop = can_stop(t),
		.detaches = detaches(t),
		.step = step,
		.update = update,
		.reset = reset,
		.group = group,
		.page = write_page,
		.write = write_recording,
		.output = t->out.fd >= 0 ? output : NULL,
	};

	enum browse_end end = browse(&source);
	if (end == BROWSE_FAILED)
		top_say_failed();
	if (end == BROWSE_STOP && !t->child.exited)
		kill(t->child.pid, SIGTERM);
}
