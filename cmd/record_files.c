/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_files.c - the files of `ojx record`: one, or with --rotate a series of them, each of which
 * can be read alone. docs/service.md says what users see of it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "record.h"
#include "say.h"

#define SECOND_NS UINT64_C(1000000000)
#define MINUTE_NS (60 * SECOND_NS)

enum {
	RETRY_S = 5,	/* after the output has failed */
	LEAST_PART = 2, /* a file that is to reach a size may have so many times that */
};

/* ---- options ------------------------------------------------------------------------------- */

/* The number that TEXT begins with, times the factor of the word behind it. False: it is none. */
static bool scale(const char *text, const char *const *words, const double *factors, double *value)
{
	char *end;

	if (text[strspn(text, "0123456789.")] == '\0' || text[0] == '\0')
		return false;
	double number = strtod(text, &end);
	for (size_t i = 0; end != text && words[i]; i++)
		if (strcmp(end, words[i]) == 0) {
			*value = number * factors[i];
			return *value > 0;
		}
	return false;
}

/* TIME or SIZE. `m` is minutes, as in other times; M is megabytes. */
static bool parse_rotate(const char *text, uint64_t *ns, uint64_t *bytes)
{
	static const char *const times[] = { "s", "m", "h", "d", NULL };
	static const double seconds[] = { 1, 60, 3600, 86400 };
	static const char *const sizes[] = { "k", "K", "M", "G", NULL };
	static const double factors[] = { 1 << 10, 1 << 10, 1 << 20, 1 << 30 };
	double value;

	if (scale(text, times, seconds, &value) && value >= 1 && value <= 366 * 86400.0) {
		*ns = (uint64_t)(value * (double)SECOND_NS);
		return true;
	}
	if (scale(text, sizes, factors, &value) && value >= 64 << 10 && value <= 1e15) {
		*bytes = (uint64_t)value;
		return true;
	}
	return false;
}

/* The following return -1 to go on, or the exit status. */

static int check_rotate(struct record_options *o)
{
	if (!parse_rotate(o->rotate, &o->rotate_ns, &o->rotate_bytes)) {
		say("--rotate: '%s' is no time (10m, 1h, 1d) and no size (64k or more: 16M, 1G)",
		    o->rotate);
		return EXIT_RECORD;
	}
	if (o->rotate_bytes && o->max_size && o->rotate_bytes > o->max_size / LEAST_PART) {
		say("--rotate: '%s' is more than half of --max-size, which no file gets near: "
		    "raise --max-size",
		    o->rotate);
		return EXIT_RECORD;
	}
	if (o->needs.flags & WIRE_LIVES) {
		say("--rotate excludes -e lifetime: a life that spans two files is in neither");
		return EXIT_RECORD;
	}
	return -1;
}

int record_files_check(struct record_options *o)
{
	char why[SERIES_WHY];
	bool keep = o->keep_ns || o->keep_bytes, finds = o->wait || o->attach;

	o->series = o->rotate || finds;
	if (o->literal && (o->series || keep)) {
		say("%s is of 'ojx record'", o->rotate	 ? "--rotate"
					     : o->wait	 ? "--wait"
					     : o->attach ? "--attach"
							 : "--keep");
		return EXIT_RECORD;
	}
	if (o->literal)
		return -1;
	if (keep && !o->series) {
		say("%s needs --rotate or --wait: one file is not deleted",
		    o->keep_ns ? "--keep" : "--keep-size");
		return EXIT_RECORD;
	}
	if (finds && strcmp(o->output, "-") == 0) {
		say("--%s: standard output can have one recording only",
		    o->wait ? "wait" : "attach");
		return EXIT_RECORD;
	}
	if (o->series && strcmp(o->output, OJX_DATA) == 0)
		o->output = o->pids || o->attach ? "ojx-%Y%m%dT%H%M%S-%p.data"
						 : "ojx-%Y%m%dT%H%M%S.data";
	int codes = series_codes(o->output, why);
	if (codes < 0) {
		say("--output '%s': %s", o->output, why);
		return EXIT_RECORD;
	}
	if (codes & SERIES_HAS_PID && !o->pids && !o->attach) {
		say("--output '%s': %%p is the process id of the JVM that --pid or --attach finds",
		    o->output);
		return EXIT_RECORD;
	}
	if (o->rotate && !(codes & SERIES_HAS_TIME)) {
		say("--rotate: the name '%s' has no time, so it can be that of one file: use "
		    "-o 'app-%%Y%%m%%dT%%H%%M%%S.data'",
		    o->output);
		return EXIT_RECORD;
	}
	return o->rotate ? check_rotate(o) : -1;
}

/* ---- opening ------------------------------------------------------------------------------- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Says that there is no file to write, and what of it; at most once a minute. */
static void say_lack(struct record_files *f, int error, const char *what, uint64_t now)
{
	_Atomic uint64_t *shared = f->options->unwritten_ns, *told = shared ? shared : &f->told_ns;
	uint64_t last = atomic_load_explicit(told, memory_order_relaxed);

	if ((!last || now >= last + MINUTE_NS) &&
	    atomic_compare_exchange_strong_explicit(told, &last, now, memory_order_relaxed,
						    memory_order_relaxed))
		say("cannot write '%s': %s: %s until it can be written again", f->series.pattern,
		    datafile_why(error), what);
}

static int say_unopened(const char *path, int error)
{
	say("cannot write '%s': %s", path, datafile_why(error));
	return EXIT_RECORD;
}

/* The one file. */
static int open_single(struct record_files *f)
{
	const struct series *s = &f->series;

	f->name = f->options->literal ? strdup(s->pattern)
				      : series_name(s->pattern, s->host, s->pid, time(NULL));
	if (!f->name)
		return say_unopened(s->pattern, ENOMEM);
	f->file.writer = datafile_create(f->name);
	return f->file.writer ? -1 : say_unopened(f->name, errno);
}

/* What the file is called that is open now; NULL if out of memory. */
static void take_name(struct record_files *f)
{
	free(f->name);
	f->name = strdup(f->file.path);
}

/* The first file of a series. Same results. */
static int open_series(struct record_files *f)
{
	const struct record_options *o = f->options;

	if (series_open(&f->series, &f->file) < 0 && o->renews) {
		say_lack(f, errno, "nothing is recorded", now_ns());
		return RECORD_UNWRITTEN;
	}
	if (!f->file.writer)
		return say_unopened(o->output, errno);
	take_name(f);
	if (o->lacked)
		say("recording goes on, in '%s'", record_files_name(f));
	return -1;
}

int record_files_open(struct record_files *f, const struct record_options *o, pid_t pid)
{
	f->options = o;
	f->many = o->series;
	f->push = (struct record_push){ .url = o->push, .quiet = o->quiet };
	f->model = model_new(analyses);
	if (!f->model) {
		say("out of memory");
		return EXIT_RECORD;
	}
	series_init(&f->series, o->output, pid);
	if (!f->many)
		return open_single(f);
	series_adopt(&f->series);
	record_keep_init(&f->keep, o);
	record_keep_now(&f->keep, now_ns());
	if (o->rotate_ns)
		f->next_ns = now_ns() + o->rotate_ns;
	return open_series(f);
}

const char *record_files_name(const struct record_files *f)
{
	return f->name ? f->name : f->series.pattern;
}

/* Of the globs of --own. 0, or -1 if out of memory. */
static int put_own(const struct record_files *f, struct session *s)
{
	const struct option_list *own = &f->options->own;
	const char *globs[OPTION_LIST_MAX + 1] = { NULL };

	memcpy(globs, own->item, own->n * sizeof *globs);
	return own->n > 0 ? session_own(s, globs) : 0;
}

int record_files_begin(struct record_files *f, struct session *s, char *const *command)
{
	f->command = command;
	if (f->many)
		session_lasts(s);
	return session_command(s, command) == 0 && put_own(f, s) == 0 && session_secret(s) == 0 &&
			       record_labels_put(f->options, s) == 0
		       ? 0
		       : -1;
}

/* The file before the present one, which has ended. */
static void close_tail(struct record_files *f)
{
	uint64_t bytes = f->tail.writer ? datafile_size(f->tail.writer) : 0;

	if (!f->tail.writer)
		return;
	series_publish(&f->tail); /* if it fails, series_close fails as well */
	char *name = strdup(f->tail.path);
	bool written = series_close(&f->tail, false) == 0;
	if (!written)
		say("cannot write '%s': %s", name ? name : "?", strerror(errno));
	else if (f->options->verbose)
		say("wrote %" PRIu64 " bytes to '%s'", bytes, name ? name : "?");
	if (written && name)
		record_push_start(&f->push, name);
	free(name);
}

static int close_present(struct record_files *f, bool any)
{
	if (f->many && f->file.writer && any) {
		series_publish(&f->file); /* the same */
		take_name(f);
	}
	if (f->many)
		return series_close(&f->file, !any);
	int result = datafile_close(f->file.writer);
	f->file.writer = NULL;
	return result;
}

/* The next file could not be opened, so what has come since is in the one before. */
static void extend_tail(const struct record_files *f, struct session *s)
{
	if (f->failed && f->tail.writer && !session_failed(s))
		session_cut(s);
}

int record_files_close(struct record_files *f, struct session *s, bool any)
{
	if (s) {
		extend_tail(f, s);
		session_end_tail(s);
	}
	close_tail(f);
	bool open = f->file.writer != NULL;
	f->bytes = open ? datafile_size(f->file.writer) : 0;
	int result = close_present(f, any);
	if (open && any && result == 0 && f->name)
		record_push_start(&f->push, f->name);
	return result;
}

void record_files_release(struct record_files *f)
{
	record_files_close(f, NULL, false);
	record_push_wait(&f->push);
	free(f->name);
	model_free(f->model);
	f->name = NULL;
	f->model = NULL;
}

/* ---- one after another --------------------------------------------------------------------- */

/* There is no next file. */
static void lack(struct record_files *f, int error, uint64_t now)
{
	say_lack(f, error, f->tail.writer ? "the last file goes on" : "nothing is recorded", now);
	f->failed = true;
	f->retry_ns = now + RETRY_S * SECOND_NS;
}

/* Begins the next file, with an empty model. 0, or -1 with errno. */
static int begin_next(struct record_files *f, struct session *s)
{
	struct model *old = f->model, *model = model_new(analyses);
	struct series_file file;

	if (!model || series_open(&f->series, &file) < 0) {
		int saved = errno;
		model_free(model);
		errno = saved;
		return -1;
	}
	f->file = file;
	f->model = model;
	take_name(f);
	session_begin_file(s, model, file.writer);
	model_free(old);
	if (record_files_begin(f, s, f->command) < 0)
		say("out of memory: '%s' lacks labels or the command", record_files_name(f));
	session_go_on(s);
	session_flush(s);
	errno = session_failed(s);
	if (!errno)
		return 0;
	int saved = errno;
	series_close(&f->file, true);
	errno = saved;
	return -1;
}

static void next(struct record_files *f, struct session *s, uint64_t now)
{
	record_keep_now(&f->keep, now); /* also to make room */
	f->asked = false;
	while (f->next_ns && f->next_ns <= now) /* what a sleeping machine missed is left out */
		f->next_ns +=
			((now - f->next_ns) / f->options->rotate_ns + 1) * f->options->rotate_ns;
	if (begin_next(f, s) < 0) {
		lack(f, errno, now);
		return;
	}
	if (f->failed)
		say("recording goes on, in '%s'", record_files_name(f));
	f->failed = false;
}

/* Tries again to begin the next file, if it is time. */
static void retry(struct record_files *f, struct session *s, uint64_t now)
{
	if (f->tail.writer && session_failed(s)) { /* now it cannot be written, either */
		session_end_tail(s);
		close_tail(f);
		lack(f, session_failed(s), now);
	}
	if (now < f->retry_ns)
		return;
	extend_tail(f, s);
	next(f, s, now);
}

void record_files_step(struct record_files *f, struct session *s)
{
	uint64_t now = f->many ? now_ns() : 0;

	if (!f->many)
		return;
	record_keep_step(&f->keep, now);
	if (f->failed) {
		retry(f, s, now);
		return;
	}
	if (session_failed(s)) {
		int error = session_failed(s);
		record_files_close(f, s, session_has_any(s));
		lack(f, error, now);
		return;
	}
	if (f->tail.writer) {
		if (session_tail_lacks(s))
			return;
		session_end_tail(s);
		close_tail(f);
		record_keep_now(&f->keep, now);
	}
	if (f->options->needs.flags & WIRE_LIVES) /* lives that span two files would be lost */
		f->asked = false;
	bool due = f->asked || (f->next_ns && now >= f->next_ns) ||
		   (f->options->rotate_bytes &&
		    datafile_size(f->file.writer) >= f->options->rotate_bytes);
	if (!due)
		return;
	if (!session_has_any(s)) { /* a file without a JVM waits for one */
		f->asked = false;
		while (f->next_ns && f->next_ns <= now)
			f->next_ns += f->options->rotate_ns;
		return;
	}
	f->renew = f->options->renews && session_worn(s);
	if (f->renew)
		return;
	session_cut(s);
	f->tail = f->file;
	f->file = (struct series_file){ .writer = NULL };
	next(f, s, now);
}

int record_files_ms(const struct record_files *f)
{
	uint64_t now = f->many ? now_ns() : 0, at = f->failed ? f->retry_ns : f->next_ns;

	if (!f->many || !at)
		return -1;
	uint64_t ms = at <= now ? 0 : (at - now) / 1000000u + 1;
	return ms < 60000 ? (int)ms : 60000;
}
