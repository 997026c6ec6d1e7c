/* SPDX-License-Identifier: Apache-2.0 */
/* top_batch.c - `ojx top` without a screen: a table every interval, on standard output. */
#include <poll.h>
#include <stdio.h>
#include <time.h>

#include "live/rates.h"
#include "live/view.h"
#include "terminal.h"
#include "top.h"

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int put_table(struct top *t, struct view *v, const struct style *s)
{
	struct cell_context ctx = { .style = s,
				    .min_pairs = t->live.options.replica.min_pairs,
				    .confidence = t->live.options.replica.confidence,
				    .rates = &t->live.rates,
				    .rate = rates_bytes };
	size_t cursor, limit = (size_t)t->options.limit;
	struct lines lines;

	if (view_set_rows(v, &t->live.rows, t->live.model, &ctx) < 0)
		return -1;
	if (limit == 0 || limit > v->n)
		limit = v->n;
	if (view_lines(v, &ctx, limit + 1, &lines, &cursor) < 0)
		return -1;
	printf("# %zu %s by %s, ", v->n, v->n == 1 ? "line" : "lines", column_name(v->key));
	top_put_status(stdout, t, s);
	putchar('\n');
	if (t->total.bytes > 0) {
		fputs("# ", stdout);
		top_put_sum(stdout, t, s);
		putchar('\n');
	}
	for (size_t i = 0; i < lines.n && i <= limit; i++)
		printf("%.*s\n", (int)lines.line[i].len, lines.line[i].text);
	putchar('\n');
	lines_release(&lines);
	return fflush(stdout) == 0 ? 0 : -1;
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
	struct view v;

	view_begin(&v, COLUMN_TOP, t->options.key);
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
	view_release(&v);
}
