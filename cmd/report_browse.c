/* SPDX-License-Identifier: Apache-2.0 */
/* report_browse.c - part of report.h: the browser of `ojx report`, of a recording that was read. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/units.h"
#include "fix/fix_rows.h"
#include "report.h"
#include "say.h"
#include "screen/browse.h"
#include "screen/screen.h"

static void put_status(FILE *out, const struct browse_source *source, const struct style *s)
{
	const struct recording *r = source->report.recording;
	const char *dot = style_glyph(s, GLYPH_DOT);
	char text[UNITS_TEXT];

	fputs(units_seconds(text, r->duration_s), out);
	fprintf(out, " %s %s objects sampled", dot, units_count(text, (double)r->sampled));
	fprintf(out, " %s %s pairs", dot, units_count(text, (double)r->pairs));
	if (!isnan(r->cost.whole))
		fprintf(out, " %s cost about %.1f %%", dot, r->cost.whole);
	if (r->lost)
		fprintf(out, " %s %s events lost", dot, units_count(text, (double)r->lost));
}

/* What the browser has of a report besides its source. */
struct browsed {
	int signal; /* that would have ended us; 0: none */
	struct rows_options how;
	struct rows rows; /* of another grouping than the report's */
	struct rows *own;
	enum rows_grouping grouping; /* of `own` */
	report_page_fn *page;
	void *arg;
};

static int regroup(struct browse_source *source, enum rows_grouping grouping)
{
	struct browsed *b = source->arg;

	rows_release(&b->rows);
	b->rows = (struct rows){ .seen = false };
	b->how.grouping = grouping;
	source->rows = grouping == b->grouping ? b->own : &b->rows;
	if (source->rows == &b->rows) {
		rows_make(&b->rows, source->model, &b->how);
		if (source->report.fixes)
			fixes_tell_rows(source->report.fixes, source->model, &b->rows);
		rows_tell_apart(&b->rows, b->rows.table.n);
	}
	source->report.grouping = grouping;
	source->report.rows = source->rows;
	return 0;
}

/* A signal that would end us has arrived: restore the screen first. */
static enum browse_end end_by_signal(struct browse_source *source)
{
	struct signalfd_siginfo info;

	if (read(source->fd, &info, sizeof info) == sizeof info)
		((struct browsed *)source->arg)->signal = (int)info.ssi_signo;
	return BROWSE_QUIT;
}

static void browsed_page(struct browse_source *source, char *said, size_t room)
{
	struct browsed *b = source->arg;

	browse_write_page(said, room, b->page, b->arg);
}

int report_browse(const struct report *report, struct rows *rows, const struct rows_options *how,
		  report_page_fn *page, void *arg)
{
	/* the progress of work that has ended is shown no more */
	struct browsed browsed = {
		.how = *how, .own = rows, .grouping = how->grouping, .page = page, .arg = arg
	};
	sigset_t deadly, old;
	struct browse_source source = {
		.name = "ojx report",
		.headline = true,
		.report = *report,
		.rows = rows,
		.model = report->recording->model,
		.how = &browsed.how,
		.group = regroup,
		.page = browsed_page,
		.table = COLUMN_BROWSER,
		.put_status = put_status,
		.arg = &browsed,
		.step = end_by_signal,
	};

	browsed.how.progress = NULL;
	if (!screen_possible())
		return 1;
	sigemptyset(&deadly);
	sigaddset(&deadly, SIGINT);
	sigaddset(&deadly, SIGQUIT);
	sigaddset(&deadly, SIGTERM);
	sigaddset(&deadly, SIGHUP);
	source.fd = signalfd(-1, &deadly, SFD_CLOEXEC | SFD_NONBLOCK);
	if (source.fd < 0)
		return 1;
	sigprocmask(SIG_BLOCK, &deadly, &old);
	enum browse_end how_ended = browse(&source);
	int error = errno;
	close(source.fd);
	rows_release(&browsed.rows);
	if (browsed.signal)
		raise(browsed.signal);
	sigprocmask(SIG_SETMASK, &old, NULL); /* here a pending signal ends us */
	if (how_ended != BROWSE_FAILED)
		return 0;
	return error ? say_error("%s", strerror(error)) : 1;
}
