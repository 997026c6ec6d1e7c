/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.h - recording: the options of `ojx record`, how it starts a program or attaches to
 * JVMs, and what it says. record.c puts the parts together; commands that record use it, too.
 */
#ifndef OJX_RECORD_H
#define OJX_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "analyse/analyses.h"
#include "attach/hotspot.h"
#include "attach/place.h"
#include "file/series.h"
#include "model/analysis.h"
#include "options.h"
#include "record/agentfile.h"
#include "record/jvmproc.h"
#include "record/launch.h"
#include "record/session.h"
#include "wire/wire.h"

/* ---- the settings */

struct record_options {
	const char *output, *class_glob, *log_file, *events, *sampler;
	const char *secret_file; /* of the secret that recordings share; NULL: a new one */
	bool literal;		 /* `output` is a name and no pattern */
	bool wait;   /* JVMs that match are recorded when they appear, see record_service */
	bool attach; /* so are those of the command, which runs untouched */
	bool series; /* there are several files, or several recordings */
	bool renews; /* it is one of several: RECORD_RENEW and RECORD_UNWRITTEN can be its end */
	bool lacked; /* the last one ended with RECORD_UNWRITTEN */
	/* when it was last said that nothing can be written, by any of several; NULL: it is one */
	_Atomic uint64_t *unwritten_ns;
	const struct wire_secret *secret; /* that of another recording; NULL: its own */
	const char *rotate; /* when a file ends and the next begins; NULL: there is one */
	uint64_t rotate_ns, rotate_bytes; /* one of them, of `rotate` */
	uint64_t keep_ns, keep_bytes;	  /* what of old files stays; 0: all */
	const char *pids; /* JVMs to attach to, see jvms.h; NULL: the command is recorded */
	const char *push; /* where to send what the recording tells; NULL: nowhere */
	bool verbose, quiet, children, exact, values, no_watch, no_scan;
	double budget, frequency, tolerance;
	struct analysis_needs needs; /* of the analyses of -e */
	uint64_t interval, min_size, max_size, delay_ns, duration_ns;
	int max_stack, seed, count;
	struct wire_event event[WIRE_EVENTS]; /* events that sample accesses */
	uint32_t nevents;
	bool governed; /* no rate was requested */
	char **command;
	struct option_list own;	  /* globs of the reader's own classes */
	struct option_list label; /* "NAME=VALUE" */
};

/* The defaults. */
#define RECORD_OPTIONS_INIT                                                             \
	{                                                                               \
		.output = OJX_DATA, .events = analyses[0]->events[0].name, .budget = 2, \
		.sampler = "auto", .tolerance = 1, .max_stack = 128, .min_size = 1024,  \
		.max_size = 64 << 20                                                    \
	}

/* ---- the options */

/* A command with the same options and some of its own, which take precedence. */
struct record_command {
	struct option_command shown; /* its rows are its own options */
	bool may_lack_command;	     /* o->command may be empty */
};

/*
 * Parses the arguments; reports errors. `as` NULL: for `ojx record` itself. Returns -1 to go on, or
 * the exit status.
 */
int record_options_parse(struct record_options *o, const struct record_command *as, int argc,
			 char **argv);

/*
 * The configuration of the agents; `deadly`: wire_config_flags for calls that they must not make.
 */
struct wire_config record_options_config(const struct record_options *o, uint32_t deadly);

/* ---- labels */

/* Whether --label has names and values that can be recorded. Returns -1, or the exit status. */
int record_labels_check(const struct record_options *o);

/* Records them, and those that are found of this machine. 0, or -1 if out of memory. */
int record_labels_put(const struct record_options *o, struct session *s);

/* ---- what -e, --sampler, -F and -c say together: what to look for, and by which samples */

/*
 * Sorts what -e names into analyses, which go to o->needs, and events, and chooses the samplers:
 * o->event. Says what is wrong. Returns -1 to go on, or the exit status.
 */
int record_sampler_choose(struct record_options *o);

/* ---- sending what a recording tells */

enum { RECORD_PUSHES = 8 }; /* at a time */

struct record_push {
	const char *url; /* NULL: nothing is sent */
	bool quiet;
	pid_t pid[RECORD_PUSHES]; /* processes that send */
};

/* Whether --push can do what it says. Returns -1, or the exit status. */
int record_push_check(const struct record_options *o);

/* Has a recording sent whose file is whole. */
void record_push_start(struct record_push *p, const char *recording);

/* Waits until all is sent, or waits in its folder. */
void record_push_wait(struct record_push *p);

/* ---- which files stay */

struct record_keep {
	struct series series;
	struct series_bounds bounds;
	uint64_t at_ns;	     /* when to look next for files that are too old */
	bool verbose, badly; /* it has been said that they cannot be deleted */
};

void record_keep_init(struct record_keep *k, const struct record_options *o);

/* Deletes old files; step: if it is time. If that fails, it is said once. */
void record_keep_now(struct record_keep *k, uint64_t now_ns);
void record_keep_step(struct record_keep *k, uint64_t now_ns);

/*
 * ---- the files: one, or a series (--rotate). Each file of a series has a model of its own, and
 * can be read alone.
 */

/* Zero-initialised. */
struct record_files {
	const struct record_options *options;
	char *const *command;
	struct model *model;	       /* of the present file */
	struct series_file file, tail; /* the present one; the one before, while it is open */
	struct series series;
	char *name;		  /* of the present file, or the last one */
	bool many;		  /* it is a series */
	bool asked;		  /* SIGHUP: the next file begins now */
	bool failed;		  /* there is no file, as the output failed */
	uint64_t next_ns;	  /* when the next file begins; 0: not by the time */
	uint64_t retry_ns;	  /* when to try again */
	_Atomic uint64_t told_ns; /* when the failure was last told */
	bool renew;		  /* in place of the next file the recording is to begin anew */
	struct record_keep keep;
	uint64_t bytes; /* of the file that was closed last */
	struct record_push push;
};

/* Checks -o and --rotate. Returns -1 to go on, or the exit status. */
int record_files_check(struct record_options *o);

/* Makes the model, and opens the first file; `pid` is for %p. Same results. */
int record_files_open(struct record_files *f, const struct record_options *o, pid_t pid);

/* Writes what opens a recording. 0, or -1 if out of memory. */
int record_files_begin(struct record_files *f, struct session *s, char *const *command);

/* After each step of the session: ends a file and begins the next, if it is time. */
void record_files_step(struct record_files *f, struct session *s);

/* Milliseconds until it has something to do; -1: nothing by the time. */
int record_files_ms(const struct record_files *f);

/* As the user knows it. */
const char *record_files_name(const struct record_files *f);

/*
 * Closes the present file after the session's end; of a series one without `any` JVM is removed.
 * 0, or -1 with errno.
 */
int record_files_close(struct record_files *f, struct session *s, bool any);
void record_files_release(struct record_files *f);

/* ---- how a command is started: with the agent, or without it if it would do harm */

struct record_launch {
	char *program; /* the command's executable */
	char *agent;   /* the installed libojx-agent.so */
	struct agentfile settled;
	struct launch plan;
};

/* Finds the command and the agent; reports errors. Returns -1 to go on, or the exit status. */
int record_launch_find(struct record_launch *r, const struct record_options *o);

/* The agent alone. Same results. */
int record_launch_find_agent(struct record_launch *r);

/* Finds or makes the copy of the agent that JVMs get, `settled`. Same results. */
int record_launch_settle(struct record_launch *r, bool verbose);

/* Fills in `plan`, and `settled`. Same results. */
int record_launch_plan(struct record_launch *r, const struct record_options *o,
		       const char *socket_path);

void record_launch_release(struct record_launch *r);

/*
 * ---- the JVMs of a recorded command as processes: those that are not recorded because they
 * belong to another user or did not get the agent, and those that still run when the recording
 * ends.
 */

enum { RECORD_JVMS = 64, RECORD_FOREIGN = 8 };

/* Zero-initialised. */
struct record_jvms {
	struct jvmproc joined[RECORD_JVMS]; /* JVMs that are being recorded */
	unsigned njoined;
	bool any;		       /* at least one has joined */
	bool ended;		       /* the recording has ended */
	uid_t foreign[RECORD_FOREIGN]; /* users whose JVMs were reported */
	unsigned nforeign;
	/* path of the control socket, if JVMs get it by JAVA_TOOL_OPTIONS; NULL: they do not */
	const char *socket;
	struct jvmproc bare[RECORD_FOREIGN]; /* JVMs that were reported not to have it */
	unsigned nbare;
	/* one that was asked for its version, and announced the variable into a pipe; 0: none */
	pid_t piped;
	uint64_t next_ns; /* time of the next search */
};

/* Call it with all news of the session. */
void record_jvms_news(struct record_jvms *r, const struct session_news *news);

/*
 * Searches for JVMs below the process, if it is time. Reports that those of other users are not
 * recorded, once for each user, and each that JAVA_TOOL_OPTIONS did not reach. `ns` is the time
 * since the start. Returns the milliseconds until the next search.
 */
int record_jvms_look(struct record_jvms *r, pid_t below, uint64_t ns);

/* The recording ends: JVMs that leave it from now on still run. */
void record_jvms_end(struct record_jvms *r);

/* Says that a script may have taken the announcement of JAVA_TOOL_OPTIONS for something else. */
void record_jvms_say_piped(const struct record_jvms *r);

/* Names the JVMs that still run, in one line. */
void record_jvms_say_left(const struct record_jvms *r);

/*
 * ---- the JVMs that -p attaches to: finds them, has them load the agent, and says at the end how
 * it has left them
 */

enum { RECORD_TARGETS = SESSION_LISTENERS };

struct record_target {
	struct target target;
	struct place place;
	struct hotspot_request request; /* to load the agent */
	struct hotspot hotspot;
	uint64_t begun_ns;  /* when the JVM was first asked */
	uint64_t again_ns;  /* when it is asked again; 0: it has been asked */
	uint64_t loaded_ns; /* when the JVM had loaded the agent; 0: not yet */
	bool failed, joined, left;
	bool found; /* nobody has named it, so nothing is said if it is gone before it has joined */
	bool detached; /* the agent has confirmed the end */
	bool ends;     /* it has left without being asked: the JVM ends, or has ended */
};

struct record_attach {
	struct record_target list[RECORD_TARGETS];
	unsigned n;
	bool stopping;	/* they are asked to leave from now on */
	bool found;	/* nobody has named them, see record_target */
	char **command; /* the command line of the first; owned */
};

/*
 * Finds the JVMs that o->pids names, and checks that nothing prevents attaching to any of them;
 * reports errors. Returns -1 to go on, or the exit status.
 */
int record_attach_find(struct record_attach *a, const struct record_options *o);

/* Makes what the JVMs need in their file systems. Same results. */
int record_attach_prepare(struct record_attach *a, const char *agent);

/* Has the session listen to them. `config` is what they have in common. 0, or -1. */
int record_attach_listen(const struct record_attach *a, struct session *s,
			 const struct wire_config *config);

/* Begins. */
void record_attach_begin(struct record_attach *a, uint64_t now_ns);

/* Goes on; reports failures. Returns whether some JVM is still to join. */
bool record_attach_step(struct record_attach *a, uint64_t now_ns);

/* Call it with all news of the session. */
void record_attach_news(struct record_attach *a, const struct session_news *news);

/* Says how the JVMs were left. */
void record_attach_say_left(const struct record_attach *a);

/* Removes what was made. */
void record_attach_release(struct record_attach *a);

/* ---- messages about JVMs that come and go, and at the end */

enum { RECORD_MAX_NOTES = 32 };

/* What needs no allocation sampler. */
#define RECORD_WITHOUT_SAMPLER \
	"'ojx heap -p PID' and 'record -e dead-store,silent-store,silent-load' do without it"

struct record_say {
	bool verbose, quiet;
	const char *output; /* as given by the user */
	double budget;
	bool paced; /* accesses are sampled at the rate that was requested, whatever it costs */
	struct analysis_needs needs;   /* of the analyses that were requested */
	unsigned refused;	       /* number of JVMs that could not be profiled */
	char *notes[RECORD_MAX_NOTES]; /* already shown; many JVMs send the same */
	unsigned nnotes;
	unsigned limits; /* 1 << enum wire_limit: the same of bounds */
};

/* A callback for session_setup; `arg` is a struct record_say. */
void record_say_news(const struct session_news *news, void *arg);

/* Prints at most three lines: what was written, what it cost, what to do next. */
void record_say_summary(const struct record_say *r, const struct model *m, uint64_t bytes);

/* Frees the stored notes. */
void record_say_release(struct record_say *r);

/* ---- the recording */

/*
 * Runs the command and records it, like `ojx record`. Returns the exit status. Does not return if
 * the program was killed by a signal, see child_exit_status.
 */
int record_run(const struct record_options *options);

/* Gets the secret of the hashes of contents; `file` may be NULL. -1, or the exit status. */
int record_get_secret(struct wire_secret *secret, const char *file);

/*
 * What it returns with `renews` if the recording is to begin anew, see definitions_worn;
 * or if its first file cannot be written, and the JVM was not touched.
 */
enum { RECORD_RENEW = 3, RECORD_UNWRITTEN };

/*
 * ---- several recordings (record_service.c): each JVM that is found is recorded by a process of
 * its own, until it ends. With `wait` these are all that options->pids names, whenever they appear;
 * with `attach` those of the command.
 */

/* Returns the exit status, as record_run. */
int record_service(const struct record_options *options);

#endif
