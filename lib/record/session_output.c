/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_output.c - used by all parts of a session: tells the time, writes records, and stops
 * recording if writing fails.
 */
#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "record/session_private.h"

#define SECOND 1000000000u

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

/* The agent may sleep for long: a byte wakes it. */
static void stop_jvm(struct session_jvm *j)
{
	shm_stop(j->shm);
	send(j->sock, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void session_stop(struct session *s)
{
	s->stopping = true;
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			stop_jvm(&s->jvms[i]);
}

void session_tell_output(struct session *s)
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
