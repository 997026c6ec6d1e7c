/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_service.c - `ojx record`, and its --wait and --attach: JVMs are found, and each has a
 * process of its own that records it until it ends.
 *
 * So a JVM with which something is wrong disturbs no other, and what its recording took is given
 * back with the process. This process only looks, starts recorders, and passes signals on. If it is
 * killed, the recorders end in order.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "attach/newcomers.h"
#include "attach/obstacles.h"
#include "attach/target.h"
#include "child.h"
#include "cmd.h"
#include "out_of_memory.h"
#include "record.h"
#include "say.h"

#define MS_NS	  UINT64_C(1000000)
#define SECOND_NS UINT64_C(1000000000)

enum {
	MOST = JVMS_MOST,
	SOON_MS = 20, /* a JVM of the command may be there, but not ready yet */
	SOON_FOR_MS = 10000,
	LATER_MS = 1000,
	REST = 200,	     /* a pause is so many times as long as the search took */
	SETTLED_S = 60,	     /* a process that ran so long when it was looked at is known */
	START_S = 10,	     /* a JVM that still prevents attaching is told about after that, */
	READY_S = 1,	     /* and tried again; */
	AGAIN_S = 5,	     /* also one whose recording fails, both */
	AGAIN_MOST_S = 3600, /* less and less often; */
	ROOM_S = 5,	     /* but one that lacks a file to write */
};

/* A JVM that was found. */
struct watched {
	struct jvmproc process;
	pid_t recorder; /* 0: none */
	uint64_t seen_ns, again_ns;
	uint64_t start_ns; /* when its recorder was started, */
	uint64_t begun_ns; /* and the first of those that went on for one another; 0: it is */
	unsigned tries;	   /* recorders that failed one after another */
	unsigned waits;	   /* the same of looks that found it not ready */
	bool told, done;   /* what prevents it; it has been recorded as long as was asked */
	bool lacked;	   /* the last recorder had no file to write */
};

struct service {
	const struct record_options *options;
	struct wire_secret secret; /* of all recordings */
	struct child child;	   /* the signals and, with --attach, the command */
	struct watched list[MOST];
	unsigned n;
	uint64_t begun_ns, look_ns, now_ns;
	struct newcomers *newcomers; /* with --wait */
	bool crowded;		     /* `list` had no room for a JVM */
	bool any;		     /* a recorder was started */
	struct record_keep keep;
	_Atomic uint64_t *unwritten_ns; /* shared with the recorders */
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
}

/* ---- finding ----------------------------------------------------------------------------- */

static void add(struct service *s, const struct jvmproc *p, uint64_t now)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->list[i].process.pid == p->pid && s->list[i].process.start == p->start)
			return;
	s->crowded |= s->n == MOST;
	if (s->n < MOST && p->start)
		s->list[s->n++] = (struct watched){ .process = *p, .seen_ns = now };
}

/* Whether a list of process ids and patterns, separated by commas, names the JVM. */
static bool is_named(const struct target *t, const char *list)
{
	char word[PATH_MAX], pid[16];

	snprintf(pid, sizeof pid, "%d", (int)t->process.pid);
	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");
		snprintf(word, sizeof word, "%.*s", (int)len, at);
		if (*word && (strcmp(word, pid) == 0 || jvms_match(t, word)))
			return true;
		at += len;
		if (!*at)
			return false;
	}
}

static void see_process(const struct target *t, void *arg)
{
	struct service *s = arg;

	if (target_is_jvm(t) && is_named(t, s->options->pids))
		add(s, &t->process, s->now_ns);
}

static bool see_below(const struct jvmproc *p, uid_t uid, void *arg)
{
	struct service *s = arg;

	if (uid == geteuid() || geteuid() == 0)
		add(s, p, s->now_ns);
	return false;
}

static void find(struct service *s, uint64_t now)
{
	s->now_ns = now;
	if (s->options->attach) {
		jvmproc_below(s->child.pid, see_below, s);
		return;
	}
	if (s->crowded) /* what was left out is looked for again */
		newcomers_forget(s->newcomers);
	s->crowded = false;
	newcomers_look(s->newcomers, now, SETTLED_S * SECOND_NS, see_process, s);
}

/* ---- recorders --------------------------------------------------------------------------- */

/*
 * In the recorder. It has a group of its own, so that Ctrl-C on a terminal reaches this service
 * alone, which then ends it; it may write to the terminal nevertheless.
 */
static _Noreturn void be_recorder(const struct service *s, const struct watched *w, pid_t parent,
				  uint64_t now)
{
	struct record_options o = *s->options;
	char pid[16];

	setpgid(0, 0);
	signal(SIGTTOU, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(EXIT_RECORD);
	close(s->child.signal_fd); /* its signals stay blocked until there is another one */
	snprintf(pid, sizeof pid, "%d", (int)w->process.pid);
	o.pids = pid;
	o.command = NULL;
	o.wait = o.attach = false;
	o.renews = true;
	o.lacked = w->lacked;
	o.unwritten_ns = s->unwritten_ns;
	o.keep_ns = o.keep_bytes = 0; /* this service sees to them */
	if (w->begun_ns) {	      /* it goes on with what another one has begun */
		uint64_t whole = o.delay_ns + o.duration_ns, gone = now - w->begun_ns;
		o.delay_ns = gone < o.delay_ns ? o.delay_ns - gone : 0;
		o.duration_ns = o.duration_ns ? whole - gone - o.delay_ns : 0;
	}
	o.log_file = NULL; /* messages go where this service's go */
	o.secret = &s->secret;
	int status = record_run(&o);
	fflush(NULL);
	_exit(status);
}

/* It is tried again after `least` seconds, and each further time after twice as long. */
static void put_off(struct watched *w, uint64_t least, unsigned *times, uint64_t now)
{
	uint64_t wait = least << (*times < 12 ? *times : 12);

	++*times;
	w->again_ns = now + (wait < AGAIN_MOST_S ? wait : AGAIN_MOST_S) * SECOND_NS;
}

static void fail(struct watched *w, uint64_t now)
{
	w->begun_ns = 0;
	put_off(w, AGAIN_S, &w->tries, now);
}

static void start(struct service *s, struct watched *w, uint64_t now)
{
	pid_t parent = getpid();

	fflush(NULL);
	w->recorder = fork();
	if (w->recorder == 0)
		be_recorder(s, w, parent, now);
	w->waits = 0;
	if (w->recorder < 0) {
		say("cannot start a process: %s", strerror(errno));
		w->recorder = 0;
		fail(w, now);
		return;
	}
	s->any = true;
	w->start_ns = now;
}

/* Starts a recorder if nothing prevents attaching. What does may pass, while a JVM starts. */
static void try(struct service *s, struct watched *w, uint64_t now)
{
	struct check_result r;
	struct target t;

	target_read(&t, w->process.pid);
	if (t.process.start == w->process.start && !obstacles_find(&t, true, &r)) {
		start(s, w, now);
	} else if (t.process.start == w->process.start && now - w->seen_ns > START_S * SECOND_NS) {
		if (!w->told && target_is_jvm(&t))
			say("pid %d (%s) is not recorded: it %s: %s", (int)t.process.pid,
			    t.main ? t.main : "?", r.found, r.advice);
		w->told = true;
		put_off(w, READY_S, &w->waits, now);
	}
	target_release(&t);
}

/* Whether a JVM whose recorder is to go on was recorded as long as was asked. */
static bool is_over(const struct record_options *o, const struct watched *w, uint64_t now)
{
	return w->begun_ns && o->duration_ns && now - w->begun_ns >= o->delay_ns + o->duration_ns;
}

/* A recorder has ended. */
static void reap(struct watched *w, int status, uint64_t now)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;

	w->recorder = 0;
	w->lacked = code == RECORD_UNWRITTEN;
	if (code == RECORD_RENEW) { /* the next one begins at once */
		w->tries = 0;
		w->begun_ns = w->begun_ns ? w->begun_ns : w->start_ns;
	} else if (code == RECORD_UNWRITTEN) {
		w->again_ns = now + ROOM_S * SECOND_NS;
	} else if (code == 0) {
		w->done = true;
	} else {
		fail(w, now);
	}
	if (WIFSIGNALED(status))
		say("the recorder of pid %d was killed by signal %d", (int)w->process.pid,
		    WTERMSIG(status));
}

static void step(struct service *s, uint64_t now)
{
	for (unsigned i = 0; i < s->n;) {
		struct watched *w = &s->list[i];
		int status;
		if (w->recorder && waitpid(w->recorder, &status, WNOHANG) == w->recorder)
			reap(w, status, now);
		if (!w->recorder && !jvmproc_runs(&w->process)) {
			*w = s->list[--s->n];
			continue;
		}
		if (!w->recorder && !w->done && is_over(s->options, w, now)) {
			w->done = true; /* its recorder left it just now, to begin anew */
			if (!s->options->quiet)
				say_summary("record: pid %d goes on", (int)w->process.pid);
		}
		if (!w->recorder && !w->done && now >= w->again_ns)
			try(s, w, now);
		i++;
	}
}

/* Whether a JVM is there that may be ready at any moment. */
static bool is_awaited(const struct service *s, uint64_t now)
{
	bool any = false;

	for (unsigned i = 0; i < s->n; i++)
		any |= !s->list[i].recorder && !s->list[i].done &&
		       now - s->list[i].seen_ns <= START_S * SECOND_NS;
	return any;
}

/* Looks if it is time. Milliseconds until the next time. */
static int look(struct service *s, uint64_t now)
{
	bool soon = s->options->attach && !s->any && now - s->begun_ns < SOON_FOR_MS * MS_NS;

	if (now >= s->look_ns) {
		uint64_t cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
		find(s, now);
		uint64_t rest = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
		rest *= soon ? SOON_MS : REST;
		uint64_t pause = (soon ? SOON_MS : LATER_MS) * MS_NS;
		s->look_ns = now + (rest > pause ? rest : pause);
	}
	if (is_awaited(s, now))
		return SOON_MS;
	uint64_t ms = (s->look_ns - now) / MS_NS + 1;
	return ms < 60000 ? (int)ms : 60000;
}

static void tell(const struct service *s, int signal)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->list[i].recorder)
			kill(s->list[i].recorder, signal);
}

/* Has all recorders end, and waits for them. */
static void end(struct service *s)
{
	tell(s, SIGTERM);
	for (unsigned i = 0; i < s->n; i++)
		while (s->list[i].recorder && waitpid(s->list[i].recorder, NULL, 0) < 0 &&
		       errno == EINTR)
			;
	explicit_bzero(&s->secret, sizeof s->secret);
}

/* ---- the service ------------------------------------------------------------------------- */

/* Starts the command of --attach. -1, or the exit status. */
static int run_command(struct service *s)
{
	const struct child_command command = { .argv = s->options->command };
	bool exec_failed;

	if (child_start(&s->child, &command, &exec_failed) == 0)
		return -1;
	say("cannot run '%s': %s", command.argv[0], strerror(errno));
	if (!exec_failed)
		return EXIT_RECORD;
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

static void loop(struct service *s)
{
	for (;;) {
		uint64_t now = clock_ns(CLOCK_MONOTONIC);
		int ms = look(s, now);
		step(s, now);
		record_keep_step(&s->keep, now);
		struct pollfd fd = { .fd = s->child.signal_fd, .events = POLLIN };
		poll(&fd, 1, ms);
		child_step(&s->child);
		if (child_take_hangup(&s->child))
			tell(s, SIGHUP);
		if (s->options->attach ? s->child.exited : s->child.last_signal != 0)
			return;
	}
}

static int serve(struct service *s)
{
	const struct record_options *o = s->options;
	int status = o->attach ? run_command(s) : -1;

	if (status >= 0)
		return status;
	if (!o->attach && !o->quiet)
		say("waits for JVMs that match '%s', until SIGTERM or Ctrl-C", o->pids);
	s->begun_ns = clock_ns(CLOCK_MONOTONIC);
	loop(s);
	end(s);
	record_keep_now(&s->keep, 0);
	if (o->attach && !s->any && !o->quiet)
		say("no JVM was attached to: the command started none, or none that ran long "
		    "enough");
	return o->attach ? -1 : 0;
}

/* Returns -1 to go on, or the exit status. */
static int prepare(struct service *s)
{
	int status = record_get_secret(&s->secret, s->options->secret_file);

	if (status >= 0)
		return status;
	s->newcomers = newcomers_new();
	if (!s->newcomers) {
		say("out of memory");
		return EXIT_RECORD;
	}
	if (child_prepare(&s->child) < 0) {
		say("cannot handle signals: %s", strerror(errno));
		return EXIT_RECORD;
	}
	s->child.keeps_hangup = true;
	void *shared = mmap(NULL, sizeof *s->unwritten_ns, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	s->unwritten_ns = shared == MAP_FAILED ? NULL : shared; /* then each says it */
	record_keep_init(&s->keep, s->options);
	return -1;
}

int record_service(const struct record_options *options)
{
	struct service s = { .options = options, .child = { .signal_fd = -1 } };
	FILE *log = options->log_file ? fopen(options->log_file, "we") : NULL;

	if (options->log_file && !log) {
		say("cannot open '%s': %s", options->log_file, strerror(errno));
		return EXIT_RECORD;
	}
	say_to(log);
	int status = prepare(&s);
	if (status < 0)
		status = serve(&s);
	newcomers_free(s.newcomers);
	struct child child = s.child;
	child_release(&s.child);
	return status < 0 ? child_exit_status(&child) : status;
}

int cmd_record(int argc, char **argv)
{
	struct record_options options = RECORD_OPTIONS_INIT;

	out_of_memory_status(EXIT_RECORD);
	int status = record_options_parse(&options, NULL, argc, argv);

	if (status >= 0)
		return status;
	return options.wait || options.attach ? record_service(&options) : record_run(&options);
}
