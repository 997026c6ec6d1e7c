/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session.h - a recording in progress: the connected JVMs, what they send, and where it goes.
 *
 * One thread calls session_wait and session_step in turns. A step accepts connections, reads what
 * JVMs have written into their shared memory, feeds it to the model, and writes what the recorder
 * admits. JVMs come and go at any time; each has an index, 1, 2, ... in order of appearance.
 * Nothing here prints: a callback gets the news for the user.
 */
#ifndef OJX_SESSION_H
#define OJX_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"
#include "model/model.h"
#include "record/rundir.h"
#include "wire/shm.h"

enum { SESSION_LISTENERS = 16, SESSION_ITSELF = -2 };

enum session_news_kind {
	SESSION_WAITING,   /* pid: its agent waits for an answer, so it is there to look at */
	SESSION_JOINED,	   /* pid, vm_name, vm_version: its agent has connected */
	SESSION_RECORDING, /* pid: its agent samples; not told of a JVM that ends at once */
	/* pid, vm_name, vm_version, code: wire_refusal, error: errno or 0, holder (WIRE_BUSY) */
	SESSION_REFUSED,
	SESSION_NOTE,	 /* pid, text: the agent's message for the user */
	SESSION_DAMAGED, /* pid, text: it sent invalid data, which was left out; the first of it */
	SESSION_LEFT,	 /* pid, code: the state that it claimed last */
	SESSION_UNWRITTEN, /* code: errno of the output; recording has been stopped */
	SESSION_LIMIT, /* pid, code: wire_limit that was reached, count: what it refused so far */
	SESSION_FULL,  /* the file is near its bound: no new contexts from now on */
};

/* Texts end with NUL, are valid during the call, and can contain anything a process can send. */
struct session_news {
	enum session_news_kind kind;
	int32_t pid;
	int code, error;
	uint64_t count;
	/*
	 * WIRE_BUSY: pid of the other tool, as the JVM sees it. 0: unknown; WIRE_GONE: it has
	 * ended; SESSION_ITSELF: the JVM's own agent
	 */
	int32_t holder;
	int32_t limit; /* WIRE_NO_ROOM: as in wire_hello */
	uint32_t left_mb, need_mb;
	const char *vm_name, *vm_version, *text;
};

/* Everything in it must outlive the session. */
struct session_setup {
	struct wire_config config;
	struct wire_secret secret; /* of the hashes of contents, see secret.h */
	struct shm_sizes sizes;
	struct model *model;
	struct datafile_writer *writer;
	uint64_t max_size;	 /* bytes of the file, see recorder.h; 0: no bound */
	uint64_t foreign_cpu_ns; /* CPU time of this process that is not the recording's */
	void (*tell)(const struct session_news *news, void *arg);
	void *arg;
};

struct session;

/*
 * Starts a session; the recording's time begins here. NULL if out of memory. Release with
 * session_free.
 */
struct session *session_new(const struct session_setup *setup);
void session_free(struct session *s);

/* Where JVMs connect. */
struct session_listener {
	int fd; /* non-blocking; the caller's */
	struct peer_expected who;
	struct wire_config config; /* of the JVMs that connect there */
};

/* Adds a listener. 0, or -1 if there are too many. */
int session_listen(struct session *s, const struct session_listener *l);

/* Records the command line, at most 8 MiB of it; argv ends with NULL. 0, or -1 with errno. */
int session_command(struct session *s, char *const *argv);
/* The same of globs of the reader's own classes (model_set_own). */
int session_own(struct session *s, const char *const *globs);
/* Records of which secret the hashes are (wire_secret_fingerprint). 0, or -1 with errno. */
int session_secret(struct session *s);
/*
 * Records a label (model/labels.h) that was given; then those that can be found of this machine.
 * Those of each JVM are found when it joins. 0, or -1 with errno.
 */
int session_label(struct session *s, const char *name, const char *value);
void session_find_labels(struct session *s);

/*
 * Waits until there is something to do, until `fd` (of the caller) is readable, or for at most
 * `max_ms` (-1: the session decides). A signal also ends the wait.
 */
void session_wait(const struct session *s, int fd, int max_ms);

/* Does everything there is to do; never waits. */
void session_step(struct session *s);

/* Asks all JVMs to stop recording, and accepts no new ones. They answer within a few steps. */
void session_stop(struct session *s);

unsigned session_live(const struct session *s);	 /* JVMs connected now, handshakes included */
unsigned session_total(const struct session *s); /* ever accepted */

/*
 * Ends the session: reads what is left, disconnects the remaining JVMs, writes the last counters
 * and FILE_END. `wait_status` is the command's from waitpid, -1 if it still runs. 0, or -1 with
 * errno if the output failed, now or before.
 */
int session_finish(struct session *s, int wait_status);

/*
 * ---- a recording of several files, one after another (session_files.c). Between the end of one
 * and the beginning of the next nothing is read, so no record is lost, and none is in two files.
 */

/* Before the first JVM joins: there will be several files, and an output that fails stops none. */
void session_lasts(struct session *s);

/*
 * Cuts the recording here: the present file gets the sums of all that has been read, and becomes
 * the tail, which is written until it ends. 0, or -1 with errno if the output failed.
 */
int session_cut(struct session *s);
/* Whether the tail lacks names of methods that may still come. */
bool session_tail_lacks(const struct session *s);
/* Ends the tail, if there is one. Then the caller closes it. */
void session_end_tail(struct session *s);

/*
 * Begins the next one. What opens a recording (session_command and the like) comes next, then
 * session_go_on, by which the connected JVMs go on in it. The old model and writer are the
 * caller's.
 */
void session_begin_file(struct session *s, struct model *model, struct datafile_writer *writer);
void session_go_on(struct session *s);

/* Brings the file up to date, so that others can read it while it is written. */
void session_flush(struct session *s);

int session_failed(const struct session *s);   /* errno of the output; 0: it works */
bool session_has_any(const struct session *s); /* whether the present file has a JVM */
/* Whether the agent of a JVM had better begin anew, see definitions_worn. */
bool session_worn(const struct session *s);

#endif
