/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_files.c - a session whose recording is in several files, one after another.
 *
 * Each record of a JVM goes to one file, that of the moment when it was read; allocations that are
 * added up are in the file in which their sum is. A file begins with an empty model. What was
 * defined before is repeated when it is named (definitions.h), counters of the JVM are told without
 * what earlier files have, and the quotas of lines begin anew, so that each file has enough
 * evidence of its own.
 *
 * An agent names a method some milliseconds after the stack that has it. So the file before, the
 * *tail*, stays open until its methods have come.
 */
#include <errno.h>
#include <stdlib.h>

#include "record/session_private.h"

#define TAIL_NS UINT64_C(10000000000) /* a file that lacks a method's name waits so long */

void session_lasts(struct session *s)
{
	s->lasts = true;
}

int session_failed(const struct session *s)
{
	return s->recorder.failed;
}

bool session_has_any(const struct session *s)
{
	return s->indices > 0;
}

bool session_worn(const struct session *s)
{
	bool worn = false;

	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		const struct session_jvm *j = &s->jvms[i];
		worn |= j->index && j->definitions && definitions_worn(j->definitions);
	}
	return worn;
}

/* ---- the end of a file ----------------------------------------------------------------------- */

static struct file_end end_record(const struct session *s, int wait_status)
{
	struct file_end end = { .wait_status = wait_status };

	session_set_header(&end.rec, FILE_END, sizeof end);
	end.duration_ns = session_now() - s->recorder.start_ns;
	return end;
}

int session_end_file(struct session *s, int wait_status)
{
	struct file_end end = end_record(s, wait_status);

	session_flush(s);
	session_put(s, 0, &end.rec);
	recorder_flush(&s->recorder);
	session_tell_output(s);
	errno = s->recorder.failed;
	return s->recorder.failed ? -1 : 0;
}

int session_cut(struct session *s)
{
	session_flush(s);
	s->tail = s->setup.writer;
	s->tail_end = end_record(s, -1);
	s->tail_until_ns = session_now() + TAIL_NS;
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		s->jvms[i].tail_index = s->jvms[i].index;
	errno = s->recorder.failed;
	return s->recorder.failed ? -1 : 0;
}

bool session_tail_lacks(const struct session *s)
{
	bool lacks = false;

	for (unsigned i = 0; s->tail && i < SESSION_MAX_JVMS; i++) {
		const struct session_jvm *j = &s->jvms[i];
		lacks |= j->index && j->tail_index && j->definitions &&
			 definitions_lacks(j->definitions);
	}
	return lacks && session_now() < s->tail_until_ns;
}

void session_end_tail(struct session *s)
{
	if (!s->tail)
		return;
	datafile_write(s->tail, 0, &s->tail_end.rec,
		       sizeof s->tail_end); /* closing it fails, too */
	s->tail = NULL;
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		struct session_jvm *j = &s->jvms[i];
		j->tail_index = 0;
		if (j->index && j->definitions)
			definitions_give_up(j->definitions);
	}
}

/* ---- the beginning of a file ----------------------------------------------------------------- */

/* A JVM goes on in a new file, which knows nothing of it. */
static void begin_jvm(struct session *s, struct session_jvm *j)
{
	j->index = ++s->indices;
	if (s->resumes) /* what was while nothing could be written is in no file */
		session_jvm_read(j);
	j->base = j->status;
	/* what was sampled after the counter was read, and has been taken */
	if (j->base.sampled < j->taken)
		j->base.sampled = j->taken;
	if (j->definitions)
		definitions_next_file(j->definitions);
	session_jvm_new_quota(j);
	session_jvm_introduce(j);
}

void session_begin_file(struct session *s, struct model *model, struct datafile_writer *writer)
{
	uint64_t now = session_now();

	s->resumes = s->recorder.failed;
	recorder_release(&s->recorder);
	s->setup.model = model;
	s->setup.writer = writer;
	s->recorder = (struct recorder){ .model = model,
					 .writer = writer,
					 .max_size = s->setup.max_size,
					 .start_ns = now,
					 .now_ns = now,
					 .flushed_ns = now };
	s->full_told = s->failure_told = false;
	s->first = (struct file_status){ .nnotes = 0 };
	s->tool_base_ns = session_cpu(s);
	s->indices = 0;
}

void session_go_on(struct session *s)
{
	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++)
		if (s->jvms[i].index)
			begin_jvm(s, &s->jvms[i]);
}
