/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.h - what /proc tells of a process that runs already and may be a JVM to attach to. Reading
 * it neither stops nor signals the process.
 */
#ifndef OJX_TARGET_H
#define OJX_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/jdks.h"
#include "record/jvmproc.h"

/* Options of the JVM that matter for attaching, as they are in force. */
struct target_options {
	bool no_attach;	 /* -XX:+DisableAttachMechanism */
	bool no_agents;	 /* -XX:-EnableDynamicAgentLoading */
	bool no_signals; /* -Xrs */
};

struct target {
	struct jvmproc process; /* start 0: there is no such process, or a zombie */
	bool zombie;
	pid_t inner_pid; /* its pid in its own namespace */
	uid_t uid;	 /* effective, as seen from here */
	gid_t gid;
	char state;			   /* as in /proc/PID/status: 'R', 'S', 'T', ... */
	uint64_t caught;		   /* signals that it handles: bit 0 is signal 1 */
	bool dispatches;		   /* it has HotSpot's thread that handles SIGQUIT */
	int seccomp_mode, seccomp_filters; /* -1: unknown */
	bool same_users;		   /* it is in our user namespace */
	uid_t root; /* root of its user namespace, as seen from here; if unknown our own root */
	int unseen; /* errno if its memory map cannot be read; else 0 */
	/*
	 * The map cannot be read, as the process has more rights than ojx (a capability), but it is
	 * HotSpot by its threads, and all that HotSpot's protocol needs is known: it is of our
	 * user, its pid is ours, and so are its files. What is not known: its JDK, its environment.
	 */
	bool hidden;
	char *libjvm; /* path of its libjvm.so, in its own file system; or NULL */
	bool openj9;
	int machine;		   /* e_machine of its program; 0: unknown */
	char version[JDK_VERSION]; /* of the JDK; empty: unknown */
	char *main;		   /* class, jar or module; or the process's name; may be NULL */
	struct target_options options;
};

/* Reads all of it. Release with target_release. */
void target_read(struct target *t, pid_t pid);
void target_release(struct target *t);

/* Whether it seems to be a JVM; if its memory cannot be seen, by its name. */
bool target_is_jvm(const struct target *t);

/*
 * Opens a directory of its file system, such as "/tmp", with O_PATH; -1 with errno: ESRCH if it has
 * ended.
 */
int target_open_dir(const struct target *t, const char *path);

/* e_machine of a program; 0 if unknown. */
int target_machine(const char *exe);

/* ---- finds the JVMs that run on this machine. */

enum { JVMS_MOST = 256 };

struct jvms {
	struct target jvm[JVMS_MOST]; /* ordered by pid */
	size_t n;
};

/* Finds them, at most JVMS_MOST. NULL if out of memory. Release with jvms_free. */
struct jvms *jvms_find(void);
void jvms_free(struct jvms *j);

/*
 * Whether what the JVM runs matches: a glob over all of it or its last part ('*.Kafka',
 * 'app-*.jar'), or a part of it ('kafka.Kafka').
 */
bool jvms_match(const struct target *t, const char *pattern);

#endif
