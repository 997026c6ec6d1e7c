/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - see session.h. docs/wire.md has the protocol, lib/shm.c the order of reading.
 *
 * Waiting is cheap rather than exact: agents wake us when a ring fills up; otherwise we look every
 * WAIT_BUSY_MS, less often while nothing comes. A step looks at everything there is, whatever ended
 * the wait: some dozen system calls, and no state to get out of step with the kernel's.
 */
#define _GNU_SOURCE
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session_private.h"

#define SECOND	1000000000u
#define STEP_NS 1000000u /* no more than one step in this time, whatever the agents do */

enum {
	WAIT_BUSY_MS = 100,
	WAIT_IDLE_MS = 200,
	WAIT_ALONE_MS = 1000, /* no JVM is connected */
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

uint64_t session_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

uint64_t session_cpu(void)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

struct session *session_new(const struct session_setup *setup)
{
	struct session *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	s->setup = *setup;
	s->recorder = (struct recorder){ .model = setup->model,
					 .writer = setup->writer,
					 .max_size = setup->max_size,
					 .start_ns = session_now() };
	s->recorder.now_ns = s->recorder.flushed_ns = s->recorder.start_ns;
	return s;
}

/* ---- output ------------------------------------------------------------------------------ */

/*
 * Tells what has become of the output; once it cannot be written, there is nothing more to record.
 */
static void tell_output(struct session *s)
{
	if (s->recorder.failed && !s->failure_told) {
		s->failure_told = true;
		session_tell(s, &(struct session_news){ .kind = SESSION_UNWRITTEN,
							.code = s->recorder.failed });
		session_stop(s);
	}
	if (s->recorder.closed && !s->full_told) {
		s->full_told = true;
		session_tell(s, &(struct session_news){ .kind = SESSION_FULL });
	}
}

int session_put(struct session *s, uint32_t jvm, const struct wire_rec *rec)
{
	return recorder_put(&s->recorder, jvm, rec);
}

void session_set_header(struct wire_rec *rec, uint16_t type, size_t len)
{
	rec->len = (uint32_t)len;
	atomic_store_explicit(&rec->type, type, memory_order_relaxed);
}

int session_command(struct session *s, char *const *argv)
{
	size_t text = 0, argc = 0;

	for (; argv[argc]; argc++)
		text += strlen(argv[argc]) + 1;
	struct file_command *command = calloc(1, sizeof *command + wire_pad(text));
	if (!command)
		return -1;
	session_set_header(&command->rec, FILE_COMMAND, sizeof *command + wire_pad(text));
	command->argc = (uint32_t)argc;
	command->len = (uint32_t)text;
	char *to = (char *)(command + 1);
	for (size_t i = 0; i < argc; i++)
		to = stpcpy(to, argv[i]) + 1;
	int result = session_put(s, 0, &command->rec);
	free(command);
	return result;
}

/* ---- connections -------------------------------------------------------------------------- */

static void close_peers(struct session *s)
{
	while (s->npeers > 0)
		peer_close(&s->peers[--s->npeers]);
}

static void accept_peers(struct session *s, uint64_t now)
{
	while (s->npeers < SESSION_MAX_PEERS) {
		if (peer_accept(&s->peers[s->npeers], s->setup.listen_fd, now) == 0)
			s->npeers++;
		else if (errno != EPERM && errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

static void step_peers(struct session *s, uint64_t now)
{
	for (unsigned i = 0; i < s->npeers;) {
		struct peer *p = &s->peers[i];
		enum peer_result result = peer_read(p, now);
		if (result == PEER_WAITING) {
			i++;
			continue;
		}
		if (result == PEER_READY)
			session_greet(s, p);
		peer_close(p);
		*p = s->peers[--s->npeers];
	}
}

/* ---- the loop ---------------------------------------------------------------------------- */

static size_t add_fd(struct pollfd *fds, size_t n, int fd)
{
	fds[n] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return n + 1;
}

void session_wait(const struct session *s, int fd, int max_ms)
{
	struct pollfd fds[2 + SESSION_MAX_PEERS + 2 * SESSION_MAX_JVMS];
	size_t n = add_fd(fds, 0, fd);
	int ms = s->news ? WAIT_BUSY_MS : WAIT_IDLE_MS;

	if (session_live(s) == 0)
		ms = WAIT_ALONE_MS;
	if (max_ms >= 0 && max_ms < ms)
		ms = max_ms;
	if (!s->stopping && s->npeers < SESSION_MAX_PEERS)
		n = add_fd(fds, n, s->setup.listen_fd);
	for (unsigned i = 0; i < s->npeers; i++)
		n = add_fd(fds, n, s->peers[i].fd);
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		if (!s->jvms[i].index)
			continue;
		n = add_fd(fds, n, s->jvms[i].sock);
		n = add_fd(fds, n, s->jvms[i].wake);
	}
	/* A JVM that wakes us without end must not keep us busy; the caller's fd is not held up. */
	uint64_t start = session_now();
	if (poll(fds, n, ms) > 0 && !fds[0].revents && session_now() - start < STEP_NS)
		poll(fds, 1, 1);
}

/* Brings the file up to date, so that it can be read while it is being written. */
static void flush(struct session *s)
{
	bool first_lives = false;

	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		if (!s->jvms[i].index)
			continue;
		session_jvm_flush(&s->jvms[i]);
		first_lives = first_lives || s->jvms[i].index == 1;
	}
	if (s->first.rec.len && !first_lives) {
		s->first.tool_ns = session_cpu();
		session_put(s, 1, &s->first.rec);
	}
	recorder_flush(&s->recorder);
	tell_output(s);
}

void session_step(struct session *s)
{
	uint64_t now = session_now();

	s->recorder.now_ns = now;
	s->news = 0;
	if (s->stopping) {
		close_peers(s);
	} else {
		accept_peers(s, now);
		step_peers(s, now);
	}
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			session_jvm_step(&s->jvms[i]);
	tell_output(s);
	if (s->total > 0 && now - s->recorder.flushed_ns >= SECOND &&
	    recorder_flush_due(&s->recorder, datafile_watched(s->setup.writer)))
		flush(s);
}

void session_stop(struct session *s)
{
	s->stopping = true;
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			shm_stop(s->jvms[i].shm);
}

unsigned session_live(const struct session *s)
{
	return s->njvms + s->npeers;
}

unsigned session_total(const struct session *s)
{
	return s->total;
}

int session_finish(struct session *s, int wait_status)
{
	struct file_end end = { .wait_status = wait_status };

	session_stop(s);
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			session_jvm_end(&s->jvms[i]);
	flush(s);
	session_set_header(&end.rec, FILE_END, sizeof end);
	end.duration_ns = session_now() - s->recorder.start_ns;
	session_put(s, 0, &end.rec);
	recorder_flush(&s->recorder);
	tell_output(s);
	errno = s->recorder.failed;
	return s->recorder.failed ? -1 : 0;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	close_peers(s);
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			session_jvm_release(&s->jvms[i]);
	recorder_release(&s->recorder);
	free(s);
}
