/* SPDX-License-Identifier: Apache-2.0 */
/* session_jvm.c - one JVM of a session: welcome, records, counters, end. */
#define _GNU_SOURCE

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "file/record_text.h"
#include "model/labels.h"
#include "record/find_labels.h"
#include "record/session_private.h"

/*
 * ---- used by all parts of a session: tells the time, writes records, and stops recording if
 * writing fails.
 */

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

uint64_t session_cpu(const struct session *s)
{
	return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - s->setup.foreign_cpu_ns;
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
		if (!s->lasts)
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

int session_put_label(struct session *s, uint32_t jvm, bool given, const char *name,
		      const char *value)
{
	struct {
		struct file_label head;
		char text[FILE_LABEL_NAME + FILE_LABEL_VALUE + WIRE_ALIGN];
	} label = { .text = "" };
	size_t name_len = strlen(name), value_len = strlen(value);

	if (name_len > FILE_LABEL_NAME || value_len > FILE_LABEL_VALUE) {
		errno = EINVAL;
		return -1;
	}
	if (!given && model_label_given(s->setup.model, name))
		return 0;
	label.head.flags = given ? FILE_LABEL_GIVEN : 0;
	label.head.name_len = (uint16_t)name_len;
	label.head.value_len = (uint16_t)value_len;
	memcpy(label.text, name, name_len);
	memcpy(label.text + name_len, value, value_len);
	session_set_header(&label.head.rec, FILE_LABEL,
			   sizeof label.head + wire_pad(name_len + value_len));
	return session_put(s, jvm, &label.head.rec);
}

/* ---- records ----------------------------------------------------------------------------- */

/* Whether an agent may send this type. File types come only from the tool. */
static bool is_wire_type(uint16_t type)
{
	return (type >= WIRE_CLASS && type <= WIRE_LAST_DEFINITION) ||
	       (type >= WIRE_ALLOC && type <= WIRE_LAST_EVENT);
}

/* Counts a record that makes no sense, and keeps the beginning of the first one. */
static void count_bad(struct session_jvm *j, const struct wire_rec *rec, uint32_t len, int error)
{
	FILE *text = j->bad++ ? NULL : fmemopen(j->first_bad, sizeof j->first_bad - 1, "w");

	if (!text)
		return;
	if (error && error != EBADMSG)
		fprintf(text, "%s: ", strerror(error));
	record_put(text, j->index, rec, len, false);
	fclose(text);
	j->first_bad[strcspn(j->first_bad, "\n")] = '\0';
}

/* A definition that the present file needs again. */
static void take_definition(const struct wire_rec *rec, uint32_t len, void *arg)
{
	const struct session_jvm *j = arg;

	recorder_take(&j->session->recorder, j->index, rec, len);
}

static void take_record(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct session_jvm *j = arg;
	struct session *s = j->session;
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if (!is_wire_type(type)) {
		count_bad(j, rec, len, 0);
		return;
	}
	j->taken += type == WIRE_ALLOC || type == WIRE_ALLOC_COUNTED;
	if (j->definitions)
		definitions_before(j->definitions, rec, len, take_definition, j);
	if (s->tail && j->tail_index && (type == WIRE_METHOD || type == WIRE_LOADS))
		datafile_write(s->tail, j->tail_index, rec, len); /* its closing tells of errors */
	if (s->recorder.failed && s->lasts)
		return; /* there is no file: nothing is added up until there is one again */
	if (recorder_take(&s->recorder, j->index, rec, len) == MODEL_BAD)
		count_bad(j, rec, len, errno);
	else if (j->quota)
		quota_take(j->quota, rec);
}

static void tell_of(const struct session_jvm *j, enum session_news_kind kind, const char *text)
{
	session_tell(j->session, &(struct session_news){ .kind = kind,
							 .pid = j->info.pid,
							 .vm_name = j->info.vm_name,
							 .vm_version = j->info.vm_version,
							 .code = (int)shm_state(j->shm),
							 .text = text });
}

/* Writes FILE_JVM if more is known than before. */
static void update_info(struct session_jvm *j)
{
	struct file_jvm now = j->info;

	shm_describe(j->shm, &now);
	/* the texts of the hello are used until the agent sends better ones */
	if (!now.vm_name[0])
		memcpy(now.vm_name, j->info.vm_name, sizeof now.vm_name);
	if (!now.vm_version[0])
		memcpy(now.vm_version, j->info.vm_version, sizeof now.vm_version);
	if (memcmp(&now, &j->info, sizeof now) == 0)
		return;
	j->info = now;
	session_put(j->session, j->index, &now.rec);
}

/* Of bounds that were reached since `before`, while there is something to do about it. */
static void tell_limits(const struct session_jvm *j, const struct file_status *before)
{
	for (int i = 0; i < WIRE_LIMITS; i++)
		if (j->status.refused[i] && !before->refused[i])
			session_tell(j->session,
				     &(struct session_news){ .kind = SESSION_LIMIT,
							     .pid = j->info.pid,
							     .code = i,
							     .count = j->status.refused[i] });
}

/* Takes off what the JVM's counters were at the beginning of the file. */
static void since(struct file_status *now, const struct file_status *base)
{
#define SINCE(field) now->field -= base->field <= now->field ? base->field : now->field;
	FILE_STATUS_COUNTERS(SINCE)
	SINCE(lost)
	SINCE(callback_ns)
	SINCE(trap_ns)
	SINCE(tick_ns)
	SINCE(service_ns)
	SINCE(pause_ns)
	SINCE(cpu_ns)
	SINCE(wall_ns)
	SINCE(epochs)
	SINCE(collections)
	SINCE(paused_ns)
	SINCE(counted)
	SINCE(counted_ns)
	for (int i = 0; i < WIRE_LIMITS; i++)
		SINCE(refused[i])
#undef SINCE
}

void session_jvm_read(struct session_jvm *j)
{
	j->status = (struct file_status){ .nnotes = 0 };
	session_set_header(&j->status.rec, FILE_STATUS, sizeof j->status);
	shm_status(j->shm, &j->status);
	j->status.lost += shm_damage(j->shm) + j->bad;
}

static void update_status(struct session_jvm *j, bool ends)
{
	struct session *s = j->session;
	const struct file_status before = j->status;

	session_jvm_read(j);
	struct file_status now = j->status;
	since(&now, &j->base);
	if (j->index == 1) {
		now.tool_ns = session_cpu(s) - s->tool_base_ns;
		s->first = now;
	}
	session_put(s, j->index, &now.rec);
	for (uint32_t i = before.nnotes; i < now.nnotes; i++)
		tell_of(j, SESSION_NOTE, now.note[i]);
	if (!ends)
		tell_limits(j, &before);
	if (!j->damage_told && shm_damage(j->shm) + j->bad > 0) {
		j->damage_told = true;
		tell_of(j, SESSION_DAMAGED,
			shm_damage(j->shm) ? shm_first_damage(j->shm) : j->first_bad);
	}
}

void session_jvm_flush(struct session_jvm *j)
{
	update_info(j);
	update_status(j, false);
}

void session_flush(struct session *s)
{
	bool first_lives = false;

	for (unsigned i = 0; i < SESSION_MAX_JVMS; i++) {
		if (!s->jvms[i].index)
			continue;
		session_jvm_flush(&s->jvms[i]);
		first_lives = first_lives || s->jvms[i].index == 1;
	}
	if (s->first.rec.len && !first_lives) {
		s->first.tool_ns = session_cpu(s) - s->tool_base_ns;
		session_put(s, 1, &s->first.rec);
	}
	recorder_flush(&s->recorder);
	session_tell_output(s);
}

void session_jvm_release(struct session_jvm *j)
{
	quota_free(j->quota);
	definitions_free(j->definitions);
	shm_free(j->shm);
	if (j->sock >= 0)
		close(j->sock);
	*j = (struct session_jvm){ .index = 0, .sock = -1 };
}

void session_jvm_end(struct session_jvm *j)
{
	struct session *s = j->session;

	s->news += shm_drain(j->shm, true, session_now(), take_record, j);
	update_info(j);
	update_status(j, true);
	tell_of(j, SESSION_LEFT, NULL);
	session_jvm_release(j);
	s->njvms--;
}

/* Whether the agent is gone, or sent something after its hello, which no agent does. */
static bool jvm_is_gone(const struct session_jvm *j)
{
	char byte;
	ssize_t n = recv(j->sock, &byte, 1, MSG_DONTWAIT);

	return n >= 0 || (errno != EAGAIN && errno != EINTR);
}

static void tell_recording(struct session_jvm *j)
{
	if (j->recording_told || shm_state(j->shm) != WIRE_RECORDING)
		return;
	j->recording_told = true;
	tell_of(j, SESSION_RECORDING, NULL);
}

void session_jvm_step(struct session_jvm *j)
{
	struct session *s = j->session;

	tell_recording(j);
	if (j->bears_cost)
		shm_tell_cost(j->shm, session_cpu(j->session));
	/* check for the end first: then all that the JVM wrote is there when it is read */
	bool ended = jvm_is_gone(j) || shm_state(j->shm) == WIRE_STOPPED;
	if (ended) {
		session_jvm_end(j);
		return;
	}
	s->news += shm_drain(j->shm, false, session_now(), take_record, j);
	if (j->quota)
		quota_tell(j->quota);
	if (s->fullness < shm_fullness(j->shm))
		s->fullness = shm_fullness(j->shm);
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* Makes room and shared memory for a JVM; NULL with errno, 0 if there are too many JVMs. */
static struct session_jvm *jvm_new(struct session *s, const struct wire_config *config)
{
	struct session_jvm *j = s->jvms;

	while (j < s->jvms + SESSION_MAX_JVMS && j->index)
		j++;
	if (j == s->jvms + SESSION_MAX_JVMS || s->indices >= SESSION_MAX_EVER) {
		errno = 0;
		return NULL;
	}
	*j = (struct session_jvm){ .session = s, .sock = -1 };
	j->shm = shm_new(&s->setup.sizes, config);
	if (!j->shm) {
		int saved = errno;
		session_jvm_release(j);
		errno = saved;
		return NULL;
	}
	return j;
}

/* `error`: 0, or the errno that is the reason. */
static void refuse(struct session *s, const struct peer *p, int verdict, int error)
{
	bool itself = p->hello.holder > 0 && p->hello.holder == p->hello.pid;

	peer_refused(p, (uint32_t)verdict);
	session_tell(s, &(struct session_news){ .kind = SESSION_REFUSED,
						.pid = p->pid,
						.code = verdict,
						.error = error,
						.holder = itself ? SESSION_ITSELF : p->hello.holder,
						.limit = p->hello.limit,
						.left_mb = p->hello.left_mb,
						.need_mb = p->hello.need_mb,
						.vm_name = p->hello.vm_name,
						.vm_version = p->hello.vm_version });
}

static void put_found(const char *name, const char *value, void *arg)
{
	const struct session_jvm *j = arg;

	session_put_label(j->session, j->index, false, name, value);
}

void session_jvm_introduce(struct session_jvm *j)
{
	session_put(j->session, j->index, &j->info.rec);
	find_labels(j->info.pid, put_found, j);
}

void session_jvm_new_quota(struct session_jvm *j)
{
	const struct session_setup *setup = &j->session->setup;

	if (j->quota)
		quota_forget(shm_controls(j->shm));
	quota_free(j->quota);
	j->quota = NULL;
	if (!(setup->config.flags & WIRE_EXACT) && !setup->config.interval)
		j->quota = quota_new(setup->model, j->index, shm_controls(j->shm),
				     quota_wanted(setup->config.budget));
}

static void join(struct session *s, struct peer *p)
{
	struct session_jvm *j = jvm_new(s, &s->listeners[p->listener].config);

	if (!j) {
		refuse(s, p, WIRE_TOO_MANY, errno);
		return;
	}
	session_tell(s, &(struct session_news){ .kind = SESSION_WAITING, .pid = p->pid });
	if (peer_accepted(p, shm_fd(j->shm), shm_size(j->shm), &s->setup.secret) < 0) {
		session_jvm_release(j);
		return;
	}
	j->sock = p->fd;
	p->fd = -1;
	j->bears_cost = s->total++ == 0;
	j->index = ++s->indices;
	if (s->lasts)
		j->definitions = definitions_new();
	session_jvm_new_quota(j);
	s->njvms++;
	s->joined_ns = session_now();
	session_set_header(&j->info.rec, FILE_JVM, sizeof j->info);
	j->info.pid = p->pid;
	memcpy(j->info.vm_name, p->hello.vm_name, sizeof j->info.vm_name);
	memcpy(j->info.vm_version, p->hello.vm_version, sizeof j->info.vm_version);
	session_jvm_introduce(j);
	tell_of(j, SESSION_JOINED, NULL);
}

void session_greet(struct session *s, struct peer *p)
{
	if (p->hello.version != OJX_WIRE_VERSION)
		refuse(s, p, WIRE_BAD_VERSION, 0);
	else if (p->hello.refused != WIRE_ACCEPTED &&
		 !(p->hello.refused == WIRE_NO_SAMPLING &&
		   s->listeners[p->listener].config.flags & WIRE_NO_OBJECTS))
		refuse(s, p, p->hello.refused, 0);
	else
		join(s, p);
}
