/* SPDX-License-Identifier: Apache-2.0 */
/*
 * show_progress.c - see show_progress.h. A thread wakes a few times per second and rewrites the
 * line; the work itself does not deal with time. Messages of ojx use a hook that erases the line
 * first.
 */
#include "show_progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

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
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void write_text(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return; /* if this fails, it does not matter */
}

/* Caller holds the lock. */
static void erase(void)
{
	if (state.shown)
		write_text("\r\x1b[K");
	state.shown = false;
}

/* Caller holds the lock. */
static void show(void)
{
	const char *what = atomic_load(&state.progress.what);
	uint64_t done = atomic_load(&state.progress.done);
	uint64_t total = atomic_load(&state.progress.total);
	char line[128];

	if (!what)
		return;
	if (total > 0)
		snprintf(line, sizeof line, "\r\x1b[Kojx: %s, %d %%", what,
			 done < total ? (int)(100.0 * (double)done / (double)total) : 100);
	else
		snprintf(line, sizeof line, "\r\x1b[Kojx: %s ...", what);
	write_text(line);
	state.shown = true;
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
	pthread_mutex_lock(&state.lock);
	while (!state.stopping) {
		if (pthread_cond_timedwait(&state.wake, &state.lock, &next) == 0)
			continue; /* woken: the work has ended, or there is none */
		show();
		clock_gettime(CLOCK_MONOTONIC, &next);
		add_ms(&next, EACH_MS);
	}
	pthread_mutex_unlock(&state.lock);
	return NULL;
}

/* Removes the line while ojx writes a message. */
static void make_room(bool before)
{
	if (!before) {
		pthread_mutex_unlock(&state.lock);
		return;
	}
	pthread_mutex_lock(&state.lock);
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

	if (quiet || state.running || !can_erase())
		return NULL;
	progress_begin(&state.progress, NULL, 0);
	state.stopping = false;
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&state.wake, &clock);
	pthread_condattr_destroy(&clock);
	/* the main thread handles signals */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	state.running = pthread_create(&state.thread, NULL, show_until_ended, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (!state.running) {
		pthread_cond_destroy(&state.wake);
		return NULL;
	}
	say_around(make_room);
	return &state.progress;
}

void show_progress_stop(void)
{
	if (!state.running)
		return;
	pthread_mutex_lock(&state.lock);
	state.stopping = true;
	pthread_cond_signal(&state.wake);
	pthread_mutex_unlock(&state.lock);
	pthread_join(state.thread, NULL);
	erase();
	state.running = false;
	pthread_cond_destroy(&state.wake);
	say_around(NULL);
}

struct progress *show_progress_now(void)
{
	return state.running ? &state.progress : NULL;
}
