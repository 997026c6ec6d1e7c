/* SPDX-License-Identifier: Apache-2.0 */
/* top_screen.c - `ojx top` on a screen: a source for browse.h. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "browse.h"
#include "cmd.h"
#include "report_page.h"
#include "top.h"

static void put_status(FILE *out, const struct browse_source *source, const struct style *s)
{
	top_put_status(out, source->arg, s);
}

static void put_sum(FILE *out, const struct browse_source *source, const struct style *s)
{
	top_put_sum(out, source->arg, s);
}

static int update(struct browse_source *source)
{
	struct top *t = source->arg;

	top_notice_end(t);
	if (top_update(t) < 0)
		return -1;
	source->interval_ms = top_interval_ns(t) / 1000000;
	source->can_stop = t->child.pid && !t->ended;
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
	top_measure(t);
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
		.put_sum = put_sum,
		.arg = t,
		.rates = &t->live.rates,
		.interval_ms = top_interval_ns(t) / 1000000,
		.fd = t->child.signal_fd,
		.can_stop = t->child.pid && !t->child.exited,
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
