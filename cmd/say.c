/* SPDX-License-Identifier: Apache-2.0 */
/*
 * say.c - the messages of ojx. Each line is built first and written at once, so that it does not
 * mix with output of the profiled program on the same terminal.
 */
#include "say.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"

enum { LINE = 8192, MAX_WORD = 64 };
static FILE *say_log; /* NULL: standard error */
static void (*say_hook)(bool before);

void say_to(FILE *log)
{
	say_log = log;
}

int say_descriptor(void)
{
	return fileno(say_log ? say_log : stderr);
}

/*
 * Sets a function that is called before and after each message, for example to make room for it;
 * NULL: none.
 */
static void say_around(void (*hook)(bool before))
{
	say_hook = hook;
}

/* Replaces bytes that are not text or could steer a terminal by '?'. */
static void clean(char *text)
{
	const char *from = text, *end = text + strlen(text);

	while (from < end) {
		const char *start = from;
		uint32_t c = utf8_next(&from, end);
		bool control = c < ' ' || (c >= 0x7f && c < 0xa0);
		/* two surrogates of three bytes each are not UTF-8, but a JVM writes them */
		if (control || c == 0xfffd || from - start > 4) {
			*text++ = '?';
			continue;
		}
		memmove(text, start, (size_t)(from - start));
		text += from - start;
	}
	*text = '\0';
}

static void say_line(const char *before, const char *after, const char *format, va_list args)
{
	int saved = errno;
	FILE *out = say_log ? say_log : stderr;
	char line[LINE];
	char *text = stpcpy(line, before);

	/*
	 * A line that is too long is cut. (clang-tidy 14 errs when it checks several files at
	 * once.)
	 */
	/* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
	vsnprintf(text, sizeof line - (size_t)(text - line) - strlen(after), format, args);
	clean(text);
	if (say_hook)
		say_hook(true);
	stpcpy(text + strlen(text), after);
	fputs(line, out);
	fflush(out);
	if (say_hook)
		say_hook(false);
	errno = saved;
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("ojx: ", "\n", format, args);
	va_end(args);
}

int say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("ojx: ", "\n", format, args);
	va_end(args);
	return -1;
}

int say_unwritten(const char *name)
{
	int error = errno;

	return say_error("cannot write '%s': %s", name, error ? strerror(error) : "error");
}

void say_summary(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_line("[ ojx ", " ]\n", format, args);
	va_end(args);
}

/* Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours. */
static unsigned edit_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned row[3][MAX_WORD + 1] = { 0 };

	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *now = row[i % 3];
		const unsigned *up = row[(i + 2) % 3];
		const unsigned *upper = row[(i + 1) % 3];
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			unsigned best = up[j - 1] + (a[i - 1] != b[j - 1]);
			if (best > up[j] + 1)
				best = up[j] + 1;
			if (best > now[j - 1] + 1)
				best = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    best > upper[j - 2] + 1)
				best = upper[j - 2] + 1;
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

const char *say_similar(const char *word, const char *const *names)
{
	size_t n = strlen(word);
	const char *found = NULL;
	/* one mistake in three letters; with two, nothing of a short word would be left */
	unsigned best = n > 3 ? 1 + (unsigned)n / 3 : 1;

	if (n == 0 || n > MAX_WORD)
		return NULL;
	for (; *names; names++) {
		size_t m = strlen(*names);
		if (m > MAX_WORD)
			continue;
		unsigned distance = edit_distance(word, n, *names, m);
		if (distance < best || (!found && distance == best)) {
			best = distance;
			found = *names;
		}
	}
	return found;
}

/* ---- progress -------------------------------------------------------------------------- */

/*
 * A thread wakes a few times per second and rewrites the line; the work itself does not deal with
 * time. Messages use a hook that erases the line first.
 */
enum {
	FIRST_MS = 1000, /* no line for shorter work */
	EACH_MS = 200,
};

static struct {
	struct progress progress;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool running, stopping;
	bool shown; /* a line is on the terminal */
} progress_shown = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void write_text(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return; /* if this fails, it does not matter */
}

/* Caller holds the lock. */
static void erase(void)
{
	if (progress_shown.shown)
		write_text("\r\x1b[K");
	progress_shown.shown = false;
}

/* Caller holds the lock. */
static void show(void)
{
	const char *what =
		atomic_load_explicit(&progress_shown.progress.what, memory_order_relaxed);
	uint64_t done = atomic_load_explicit(&progress_shown.progress.done, memory_order_relaxed);
	uint64_t total = atomic_load_explicit(&progress_shown.progress.total, memory_order_relaxed);
	char line[128];

	if (!what)
		return;
	if (total > 0)
		snprintf(line, sizeof line, "\r\x1b[Kojx: %s, %d %%", what,
			 done < total ? (int)(100.0 * (double)done / (double)total) : 100);
	else
		snprintf(line, sizeof line, "\r\x1b[Kojx: %s ...", what);
	write_text(line);
	progress_shown.shown = true;
}

static void add_ms(struct timespec *t, long ms)
{
	t->tv_sec += ms / 1000;
	t->tv_nsec += ms % 1000 * 1000000;
	if (t->tv_nsec >= 1000000000) {
		t->tv_nsec -= 1000000000;
		t->tv_sec++;
	}
}

static void *show_until_ended(void *arg)
{
	struct timespec next;

	(void)arg;
	clock_gettime(CLOCK_MONOTONIC, &next);
	add_ms(&next, FIRST_MS);
	pthread_mutex_lock(&progress_shown.lock);
	while (!progress_shown.stopping) {
		if (pthread_cond_timedwait(&progress_shown.wake, &progress_shown.lock, &next) == 0)
			continue; /* woken: the work has ended, or there is none */
		show();
		clock_gettime(CLOCK_MONOTONIC, &next);
		add_ms(&next, EACH_MS);
	}
	pthread_mutex_unlock(&progress_shown.lock);
	return NULL;
}

/* Removes the line while ojx writes a message. */
static void make_room(bool before)
{
	if (!before) {
		pthread_mutex_unlock(&progress_shown.lock);
		return;
	}
	pthread_mutex_lock(&progress_shown.lock);
	erase();
}

static bool can_erase(void)
{
	const char *term = getenv("TERM");

	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

struct progress *show_progress_start(bool quiet)
{
	pthread_condattr_t clock;
	sigset_t all, old;

	if (quiet || progress_shown.running || !can_erase())
		return NULL;
	progress_begin(&progress_shown.progress, NULL, 0);
	progress_shown.stopping = false;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&progress_shown.wake, &clock);
	pthread_condattr_destroy(&clock);
	/* the main thread handles signals */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	progress_shown.running =
		pthread_create(&progress_shown.thread, NULL, show_until_ended, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!progress_shown.running) {
		pthread_cond_destroy(&progress_shown.wake);
		return NULL;
	}
	say_around(make_room);
	return &progress_shown.progress;
}

void show_progress_stop(void)
{
	if (!progress_shown.running)
		return;
	pthread_mutex_lock(&progress_shown.lock);
	progress_shown.stopping = true;
	pthread_cond_signal(&progress_shown.wake);
	pthread_mutex_unlock(&progress_shown.lock);
	pthread_join(progress_shown.thread, NULL);
	erase();
	progress_shown.running = false;
	pthread_cond_destroy(&progress_shown.wake);
	say_around(NULL);
}

struct progress *show_progress_now(void)
{
	return progress_shown.running ? &progress_shown.progress : NULL;
}
