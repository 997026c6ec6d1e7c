/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.c - see session.h. docs/wire.md describes the protocol, lib/wire/shm.c the order of
 * reading.
 *
 * Agents do not wake the tool. For that they would need a descriptor in the program, and the
 * program could close it and open something else under its number. So the tool polls: every
 * WAIT_BUSY_MS at first, later less often, and the sooner the fuller it found the rings.
 * Whatever ended the wait, a step looks at everything: it takes some dozen system calls and needs
 * no state that must agree with the kernel's.
 */
#define _GNU_SOURCE
#include "record/session.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "record/find_labels.h"
#include "record/session_private.h"

#define SECOND	1000000000u
#define STEP_NS 1000000u /* at most one step in this time, whatever agents do */

#define MOST_COMMAND (8u << 20) /* bytes of a command line; what is longer is cut */

#define FULL  (1.0 / 8)	 /* above this the next step comes sooner, */
#define EMPTY (1.0 / 64) /* below this it comes later */

/*
 * Percent. An agent may spend the budget of a second at once: at 5 % that is 35 ms, or 12 000
 * samples that are only counted, and 0.4 of the 0.5 MiB that a ring has.
 */
#define DENSE_BUDGET 5

/*
 * When a JVM starts, its lines are met for the first time, and its agent waits for what is said of
 * these (quota.h). Later a budget of DENSE_BUDGET fills a part of a ring only, however seldom we
 * look.
 */
#define YOUNG_NS 4000000000u

enum {
	WAIT_BUSY_MS = 100,
	WAIT_SHORT_MS = 20, /* agents wait for room in their rings, or end */
	WAIT_IDLE_MS = 500,
	WAIT_ALONE_MS = 1000, /* no JVM is connected */
};

enum { MAX_ACCEPTS = 16 }; /* in one step, of each listener */

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

/* Puts words that end with NULL, or the first ones if they are too long. */
static int put_words(struct session *s, uint16_t type, const char *const *argv)
{
	size_t text = 0, argc = 0;

	for (; argv[argc] && text + strlen(argv[argc]) < MOST_COMMAND; argc++)
		text += strlen(argv[argc]) + 1;
	struct file_command *command = calloc(1, sizeof *command + wire_pad(text));
	if (!command)
		return -1;
	session_set_header(&command->rec, type, sizeof *command + wire_pad(text));
	command->argc = (uint32_t)argc;
	command->len = (uint32_t)text;
	char *to = (char *)(command + 1);
	for (size_t i = 0; i < argc; i++)
		to = stpcpy(to, argv[i]) + 1;
	int result = session_put(s, 0, &command->rec);
	free(command);
	return result;
}

int session_command(struct session *s, char *const *argv)
{
	return put_words(s, FILE_COMMAND, (const char *const *)argv);
}

int session_own(struct session *s, const char *const *globs)
{
	return put_words(s, FILE_OWN, globs);
}

int session_secret(struct session *s)
{
	struct file_secret secret = { .fingerprint = wire_secret_fingerprint(&s->setup.secret) };

	session_set_header(&secret.rec, FILE_SECRET, sizeof secret);
	return session_put(s, 0, &secret.rec);
}

int session_label(struct session *s, const char *name, const char *value)
{
	return session_put_label(s, 0, true, name, value);
}

static void put_found(const char *name, const char *value, void *arg)
{
	session_put_label(arg, 0, false, name, value);
}

void session_find_labels(struct session *s)
{
	find_host_label(put_found, s);
}

/* ---- connections -------------------------------------------------------------------------- */

static void close_peers(struct session *s)
{
	while (s->npeers > 0)
		peer_close(&s->peers[--s->npeers]);
}

int session_listen(struct session *s, const struct session_listener *l)
{
	if (s->nlisteners == SESSION_LISTENERS)
		return -1;
	s->listeners[s->nlisteners++] = *l;
	return 0;
}

/* Whether the one process that this listener is for is connected already. */
static bool is_connected(const struct session *s, unsigned listener)
{
	pid_t pid = s->listeners[listener].who.pid;

	for (unsigned i = 0; pid && i < s->npeers; i++)
		if (s->peers[i].listener == listener)
			return true;
	for (unsigned i = 0; pid && i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index && s->jvms[i].info.pid == pid)
			return true;
	return false;
}

/* accept4 makes a socket before it finds that nobody waits, which takes longer than asking. */
static bool has_callers(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

static void accept_peers(struct session *s, unsigned listener, uint64_t now)
{
	const struct session_listener *l = &s->listeners[listener];

	if (!has_callers(l->fd))
		return;
	/* others can connect as fast as they are refused: they must not keep us here */
	for (int tries = 0; tries < MAX_ACCEPTS && s->npeers < SESSION_MAX_PEERS; tries++) {
		struct peer *p = &s->peers[s->npeers];
		if (peer_accept(p, l->fd, &l->who, now) == 0) {
			p->listener = listener;
			if (is_connected(s, listener))
				peer_close(p);
			else
				s->npeers++;
		} else if (errno != EPERM && errno != EINTR && errno != ECONNABORTED) {
			return;
		}
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

/* Whether an agent may send so much at once that rings fill up while nobody looks. */
static bool is_dense(const struct wire_config *c)
{
	return c->interval || c->budget > DENSE_BUDGET;
}

/* How long to wait for the next step, if nothing fills up. */
static int usual_wait_ms(const struct session *s)
{
	if (session_live(s) == 0)
		return WAIT_ALONE_MS;
	if (s->setup.config.flags & WIRE_EXACT || s->stopping)
		return WAIT_SHORT_MS;
	bool young = session_now() - s->joined_ns < YOUNG_NS;
	return is_dense(&s->setup.config) || (young && s->news) ? WAIT_BUSY_MS : WAIT_IDLE_MS;
}

/*
 * Adapts the wait. If a ring was an eighth full after 100 ms, the next step comes after 25 ms, and
 * so on; the wait then grows again step by step.
 */
static void adapt_wait(struct session *s)
{
	int usual = usual_wait_ms(s), ms = s->hurry_ms ? s->hurry_ms : usual;

	if (s->fullness > FULL)
		s->hurry_ms = ms >= 8 ? ms / 4 : 1;
	else if (s->hurry_ms && s->fullness < EMPTY)
		s->hurry_ms = 2 * ms < usual ? 2 * ms : 0;
}

void session_wait(const struct session *s, int fd, int max_ms)
{
	struct pollfd fds[1 + SESSION_LISTENERS + SESSION_MAX_PEERS + SESSION_MAX_JVMS];
	size_t n = add_fd(fds, 0, fd);
	int ms = s->hurry_ms ? s->hurry_ms : usual_wait_ms(s);

	if (max_ms >= 0 && max_ms < ms)
		ms = max_ms;
	if (!s->stopping && s->npeers < SESSION_MAX_PEERS)
		for (unsigned i = 0; i < s->nlisteners; i++)
			n = add_fd(fds, n, s->listeners[i].fd);
	for (unsigned i = 0; i < s->npeers; i++)
		n = add_fd(fds, n, s->peers[i].fd);
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		if (s->jvms[i].index)
			n = add_fd(fds, n, s->jvms[i].sock);
	}
	/* a JVM that wakes us endlessly must not keep us busy; the caller's fd is not delayed */
	uint64_t start = session_now();
	if (poll(fds, n, ms) > 0 && !fds[0].revents && session_now() - start < STEP_NS)
		poll(fds, 1, 1);
}

void session_step(struct session *s)
{
	uint64_t now = session_now();

	s->recorder.now_ns = now;
	s->news = 0;
	s->fullness = 0;
	if (s->stopping) {
		close_peers(s);
	} else {
		for (unsigned i = 0; i < s->nlisteners; i++)
			accept_peers(s, i, now);
		step_peers(s, now);
	}
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			session_jvm_step(&s->jvms[i]);
	session_tell_output(s);
	adapt_wait(s);
	if (s->indices > 0 && !s->recorder.failed && now - s->recorder.flushed_ns >= SECOND &&
	    recorder_flush_due(&s->recorder, datafile_watched(s->setup.writer)))
		session_flush(s);
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
	session_stop(s);
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			session_jvm_end(&s->jvms[i]);
	return session_end_file(s, wait_status);
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
	explicit_bzero(&s->setup.secret, sizeof s->setup.secret);
	free(s);
}
