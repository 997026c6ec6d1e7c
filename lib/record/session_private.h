/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_private.h - shared by session.c (the loop, connections), session_jvm.c (one JVM) and
 * session_files.c (several files).
 */
#ifndef OJX_SESSION_PRIVATE_H
#define OJX_SESSION_PRIVATE_H

#include "record/definitions.h"
#include "record/quota.h"
#include "record/recorder.h"
#include "record/rundir.h"
#include "record/session.h"

enum {
	SESSION_MAX_JVMS = 64,	 /* at one time */
	SESSION_MAX_EVER = 4096, /* a build may start many, one after another */
	FIRST_BAD = 256,
	SESSION_MAX_PEERS = 16, /* handshakes at one time; others wait in the socket's queue */
};

struct session_jvm {
	struct session *session;
	uint32_t index; /* 0: free */
	int sock;
	struct shm *shm;
	struct quota *quota; /* NULL: the user has chosen the interval, or out of memory */
	struct definitions *definitions; /* NULL: there is one file, or no memory */
	struct file_jvm info;		 /* as last written */
	struct file_status status;	 /* as last read */
	struct file_status base;	 /* what earlier files have of it */
	uint64_t taken;			 /* allocations of it, in all files */
	uint32_t tail_index;	   /* its index in the file before; 0: none is open, or it is new */
	uint64_t bad;		   /* records that the model rejected */
	char first_bad[FIRST_BAD]; /* the first of them, as text */
	bool bears_cost;	   /* it is told what the tool costs */
	bool damage_told, recording_told;
};

struct session {
	struct session_setup setup;
	struct session_listener listeners[SESSION_LISTENERS];
	unsigned nlisteners;
	struct peer peers[SESSION_MAX_PEERS];
	unsigned npeers;
	struct session_jvm jvms[SESSION_MAX_JVMS];
	unsigned njvms;		  /* connected */
	uint32_t total;		  /* accepted */
	uint32_t indices;	  /* of JVMs in the present file */
	struct file_status first; /* of JVM 1, which carries the tool's own cost; len 0: none yet */
	uint64_t tool_base_ns;	  /* CPU time of the tool that earlier files have */
	struct recorder recorder;
	uint64_t joined_ns; /* when the last JVM joined */
	size_t news;	    /* records that the last step read */
	double fullness;    /* of the fullest JVM's shared memory, in the last step */
	int hurry_ms;	    /* how soon the next step must come, if soon; else 0 */
	bool stopping;
	bool lasts;		      /* there are several files */
	bool resumes;		      /* the file before could not be written to its end */
	struct datafile_writer *tail; /* the file before, while it waits for names; else NULL */
	uint64_t tail_until_ns;
	struct file_end tail_end;
	bool failure_told, full_told;
};

/* Monotonic time; CPU time that this process has used for the recording. */
uint64_t session_now(void);
uint64_t session_cpu(const struct session *s);

/* Writes a label; one that was found only if none of that name was given. 0, or -1 with errno. */
int session_put_label(struct session *s, uint32_t jvm, bool given, const char *name,
		      const char *value);

static inline void session_tell(const struct session *s, const struct session_news *news)
{
	s->setup.tell(news, s->setup.arg);
}

void session_set_header(struct wire_rec *rec, uint16_t type, size_t len);

/* Reports an error of the output; if it cannot be written, recording stops. */
void session_tell_output(struct session *s);

/* Feeds a record of our own to the model, and writes it. 0, or -1 with errno. */
int session_put(struct session *s, uint32_t jvm, const struct wire_rec *rec);

/* Ends the present file, with all that has been read. 0, or -1 with errno if the output failed. */
int session_end_file(struct session *s, int wait_status);

/* session_jvm.c */

/* Has the quotas of lines begin, anew if there were some. */
void session_jvm_new_quota(struct session_jvm *j);
/* Writes what is known of the JVM. */
void session_jvm_introduce(struct session_jvm *j);

/*
 * Turns a peer whose hello is complete into a JVM, or refuses it. The peer's descriptor is either
 * taken over (and set to -1) or left.
 */
void session_greet(struct session *s, struct peer *p);
void session_jvm_step(struct session_jvm *j);
void session_jvm_read(struct session_jvm *j);	 /* reads its counters */
void session_jvm_flush(struct session_jvm *j);	 /* writes all that is known and counted so far */
void session_jvm_end(struct session_jvm *j);	 /* reads what is left, then forgets it */
void session_jvm_release(struct session_jvm *j); /* forgets it without reading */

#endif
