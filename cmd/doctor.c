/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor.c - `ojx doctor`: whether ojx can record here, and what to do if something is missing.
 *
 * The checks of the machine are the table in lib/host/checks.c. Finally each JDK that is found is
 * recorded: only this shows whether the agent loads, and which of its engines run.
 */
#define _GNU_SOURCE 1 /* asprintf, pipe2 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "attach/obstacles.h"
#include "base/json_text.h"
#include "base/tempdir.h"
#include "cmd.h"
#include "common_options.h"
#include "file/datafile.h"
#include "host/checks.h"
#include "host/jdks.h"
#include "jvms.h"
#include "model/model.h"
#include "out_of_memory.h"
#include "record.h"
#include "say.h"
#include "wire/wire.h"

/*
 * ---- makes a minimal recording, to see whether the agent loads into a JVM, and which engines
 * run there.
 */

enum { SMOKE_TEST_TEXT = 256 };

struct smoke_test {
	int recorded;		   /* a JVM sent data */
	uint64_t bad;		   /* records that make no sense; they are left out */
	unsigned engines;	   /* wire_engine bits that ran in it */
	char why[SMOKE_TEST_TEXT]; /* first message of ojx or the agent; may be empty */
};

enum {
	MOST_MS = 30000, /* a JVM that has not printed its version by then hangs */
	STEP_MS = 10,
};

/* The files of a smoke test, in a directory of its own. */
struct files {
	char dir[PATH_MAX]; /* empty: there is none */
	int lock;
	char *data, *log;
};

static void remove_files(struct files *f)
{
	int saved = errno;

	if (f->data)
		unlink(f->data);
	if (f->log)
		unlink(f->log);
	if (f->dir[0])
		tempdir_remove(f->dir, f->lock);
	free(f->data);
	free(f->log);
	errno = saved;
}

static int make_files(struct files *f)
{
	const char *parent = getenv("TMPDIR");

	*f = (struct files){ .lock = -1 };
	f->lock = tempdir_make(f->dir, sizeof f->dir, parent && *parent ? parent : "/tmp",
			       "ojx-smoke-test-");
	if (f->lock < 0) {
		f->dir[0] = '\0';
	} else {
		if (asprintf(&f->data, "%s/ojx.data", f->dir) < 0)
			f->data = NULL;
		if (asprintf(&f->log, "%s/log", f->dir) < 0)
			f->log = NULL;
	}
	if (f->data && f->log)
		return 0;
	remove_files(f);
	return -1;
}

static _Noreturn void record(const struct files *f, const char *ojx, const char *java)
{
	const char *argv[] = { "ojx",  "record", "-q", "-o",	   f->data, "--log-file",
			       f->log, "--",	 java, "-version", NULL };
	int null = open("/dev/null", O_RDWR);

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	execv(ojx, (char *const *)argv);
	_exit(127);
}

/* Waits for the process; ends it if it takes too long. Returns the exit status, or -1. */
static int await(pid_t pid)
{
	const struct timespec step = { 0, STEP_MS * 1000000L };
	int status;

	for (int ms = 0;; ms += STEP_MS) {
		pid_t waited = waitpid(pid, &status, WNOHANG);
		if (waited == pid)
			return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		if (waited < 0 && errno != EINTR)
			return -1;
		if (ms == MOST_MS)
			kill(pid, SIGTERM); /* ojx passes it on to the JVM */
		if (ms == 2 * MOST_MS)
			kill(pid, SIGKILL);
		nanosleep(&step, NULL);
	}
}

struct reader {
	struct model *model;
	uint64_t bad; /* records that make no sense */
};

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct reader *r = arg;

	(void)time_ns;
	if (model_feed(r->model, jvm, rec, len) != MODEL_BAD)
		return 0;
	if (!model_can_skip(jvm, rec))
		return -1;
	r->bad++;
	return 0;
}

/* Reads what the recording says about its JVM. */
static void read_recording(struct smoke_test *t, const char *path, struct model *m)
{
	struct file_header header;
	struct reader reader = { .model = m };
	uint64_t end_ns;

	if (datafile_read(path, &header, &end_ns, feed_record, &reader) != DATAFILE_OK ||
	    model_njvms(m) == 0)
		return;
	const struct model_jvm *jvm = model_jvm(m, 1);
	t->recorded = 1;
	t->engines = jvm->info.engines;
	t->bad = reader.bad;
	if (reader.bad)
		snprintf(t->why, sizeof t->why, "%" PRIu64 " of its records make no sense",
			 reader.bad);
	else if (jvm->has_status && jvm->status.nnotes > 0)
		snprintf(t->why, sizeof t->why, "%.*s", (int)sizeof t->why - 1,
			 jvm->status.note[0]);
}

/* Reads the first message of ojx, without "ojx: ". */
static void look_at_log(struct smoke_test *t, const char *path)
{
	FILE *f = fopen(path, "re");

	if (f && fgets(t->why, sizeof t->why, f)) {
		t->why[strcspn(t->why, "\n")] = '\0';
		if (strncmp(t->why, "ojx: ", 5) == 0)
			memmove(t->why, t->why + 5, strlen(t->why + 5) + 1);
	}
	if (f)
		fclose(f);
}

/*
 * Runs `JAVA -version` under `ojx record`, with a temporary output file; `ojx` is the path of the
 * tool. Takes as long as a JVM needs to start; one that hangs is killed. 0, or -1 with errno if it
 * could not be tried.
 */
static int smoke_test_run(struct smoke_test *t, const char *ojx, const char *java)
{
	struct model *m = model_new(analyses);
	struct files files;
	pid_t pid = -1;

	*t = (struct smoke_test){ 0 };
	if (m && make_files(&files) == 0) {
		pid = fork();
		if (pid == 0)
			record(&files, ojx, java);
		int status = pid < 0 ? -1 : await(pid);
		if (status == 0)
			read_recording(t, files.data, m);
		if (pid > 0 && !t->recorded)
			look_at_log(t, files.log);
		remove_files(&files);
	}
	model_free(m);
	return pid < 0 ? -1 : 0;
}

enum { OLDEST_JDK = 11 };

struct doctor {
	struct simple_output out;
	struct json_text json;
	char ojx[PATH_MAX]; /* this program */
	bool failed;	    /* something that recording cannot do without is missing */
};

/* ---- saying ------------------------------------------------------------------------------ */

static void put_text(const struct doctor *d, const char *name, const struct check_result *r)
{
	static const enum ink inks[] = { INK_GREEN, INK_YELLOW, INK_RED };
	const struct style *s = &d->out.style;

	printf("%s%-7s%s  %-16s  ", style_on(s, inks[r->state]), check_state_name(r->state),
	       style_off(s, inks[r->state]), name);
	style_put(stdout, s, r->found);
	putchar('\n');
	if (r->advice[0]) {
		printf("%27s", "");
		style_put(stdout, s, r->advice);
		putchar('\n');
	}
	fflush(stdout); /* the next check may take a while */
}

static void put_json(struct json_text *j, const char *name, const struct check_result *r)
{
	json_text_break(j);
	json_text_open(j, NULL, '{');
	json_text_string(j, "check", name);
	json_text_string(j, "state", check_state_name(r->state));
	json_text_string(j, "found", r->found);
	json_text_string(j, "advice", r->advice[0] ? r->advice : NULL);
	json_text_close(j, '}');
	json_text_flush(j);
}

static void put(struct doctor *d, const char *name, const struct check_result *r)
{
	if (d->out.json)
		put_json(&d->json, name, r);
	else
		put_text(d, name, r);
}

/* ---- JDKs -------------------------------------------------------------------------------- */

static void judge_smoke_test(struct check_result *r, const struct jdk *jdk,
			     const struct smoke_test *t)
{
	bool watch = t->engines & WIRE_ENGINE_WATCH, scan = t->engines & WIRE_ENGINE_SCAN;

	if (!t->recorded) {
		r->state = CHECK_LACKING;
		snprintf(r->found, sizeof r->found, "%s: nothing was recorded", jdk->home);
		snprintf(r->advice, sizeof r->advice, "%s",
			 t->why[0] ? t->why : "the JVM did not load the agent, or did not start");
		return;
	}
	snprintf(r->found, sizeof r->found, "%s: recorded, %s%s%s", jdk->home, watch ? "watch" : "",
		 watch && scan ? " and " : "",
		 scan	 ? "scan"
		 : watch ? ""
			 : "allocations only");
	if (watch && scan && !t->bad)
		return;
	r->state = CHECK_LACKING;
	snprintf(r->advice, sizeof r->advice, "%s", t->why[0] ? t->why : "see above");
}

/* Records a JVM of the JDK; returns whether that worked. */
static bool check_jdk(struct doctor *d, const struct jdk *jdk)
{
	struct check_result r = { .state = CHECK_OK };
	char name[16 + JDK_VERSION], java[PATH_MAX];
	int feature = jdk_feature(jdk->version);
	struct smoke_test t = { 0 };

	snprintf(name, sizeof name, "JDK %s", jdk->version[0] ? jdk->version : "?");
	snprintf(java, sizeof java, "%s/bin/java", jdk->home);
	if (feature && feature < OLDEST_JDK) {
		r.state = CHECK_LACKING;
		snprintf(r.found, sizeof r.found, "%s: too old", jdk->home);
		snprintf(r.advice, sizeof r.advice, "ojx records JDK %d and later", OLDEST_JDK);
	} else if (smoke_test_run(&t, d->ojx, java) < 0) {
		r.state = CHECK_LACKING;
		snprintf(r.found, sizeof r.found, "%s: cannot be tried: %s", jdk->home,
			 strerror(errno));
	} else {
		judge_smoke_test(&r, jdk, &t);
	}
	put(d, name, &r);
	return t.recorded;
}

static int check_jdks(struct doctor *d)
{
	struct jdks jdks;
	bool any = false;

	if (jdks_find(&jdks) < 0)
		out_of_memory();
	for (size_t i = 0; i < jdks.n; i++)
		any |= check_jdk(d, &jdks.jdk[i]);
	if (jdks.n == 0) {
		struct check_result r = { .state = CHECK_FAILED };
		strcpy(r.found, "none in $JAVA_HOME, on $PATH or in /usr/lib/jvm");
		strcpy(r.advice, "install one (such as default-jre-headless), or set JAVA_HOME");
		put(d, "JDK", &r);
	}
	d->failed |= !any;
	jdks_release(&jdks);
	return 0;
}

/* ---- a JVM that runs ------------------------------------------------------------------------ */

/*
 * The agent does without calls that a filter may kill for, so a filter is no obstacle, but a loss.
 */
static void check_filter(const struct target *t, struct check_result *r)
{
	snprintf(r->found, sizeof r->found, "none");
	if (t->seccomp_mode <= 0)
		return;
	r->state = CHECK_LACKING;
	strcpy(r->found, "a filter of system calls, which may kill for what the agent needs");
	strcpy(r->advice,
	       "the agent does without: no watches, no samples of accesses; contents are read through /proc/self/mem");
}

/* Whether it has the sampler cannot be seen before the agent is there. */
static void check_sampler(const struct target *t, struct check_result *r)
{
	char *other = other_agents_find(t);

	snprintf(r->found, sizeof r->found, "no other agent");
	if (t->hidden)
		snprintf(r->found, sizeof r->found, "unknown whether there is another agent");
	if (other) {
		r->state = CHECK_LACKING;
		snprintf(r->found, sizeof r->found, "another agent: %.400s", other);
		strcpy(r->advice, "if it samples allocations, as profilers do, ojx cannot: only "
				  "one agent can; " RECORD_WITHOUT_SAMPLER);
	}
	free(other);
}

/* Goes through the table until something is in the way. */
static void check_target(struct doctor *d, const struct target *t)
{
	struct check_result r;

	for (const struct obstacle *o = obstacles; o->name && !d->failed; o++) {
		r = (struct check_result){ .state = CHECK_OK };
		o->check(t, &r);
		put(d, o->name, &r);
		d->failed = r.state == CHECK_FAILED;
	}
	if (d->failed)
		return;
	r = (struct check_result){ .state = CHECK_OK };
	check_filter(t, &r);
	put(d, "seccomp", &r);
	r = (struct check_result){ .state = CHECK_OK };
	check_sampler(t, &r);
	put(d, "sampler", &r);
}

/* Ends the output. 0, or -1 after a message. */
static int say_can_record(struct doctor *d, const char *text)
{
	if (!d->out.json) {
		printf("\n%s\n", text);
		return 0;
	}
	simple_end_array(&d->json);
	json_text_break(&d->json);
	json_text_bool(&d->json, "can_record", !d->failed);
	return simple_end_json(&d->json);
}

/* Returns the exit status. */
static int run_target(struct doctor *d, const char *list)
{
	struct target t;
	char text[64];
	pid_t pid;
	size_t n = 1;

	if (select_jvms(list, &pid, &n) >= 0)
		return EXIT_ERROR;
	target_read(&t, pid);
	if (d->out.json)
		simple_begin_json(&d->json, "checks");
	check_target(d, &t);
	snprintf(text, sizeof text, "ojx %s attach to pid %d.", d->failed ? "cannot" : "can",
		 (int)pid);
	int said = say_can_record(d, text);
	target_release(&t);
	return d->failed || said < 0 ? EXIT_ERROR : 0;
}

/* ---- the command ------------------------------------------------------------------------- */

static int run(struct doctor *d)
{
	ssize_t n = readlink("/proc/self/exe", d->ojx, sizeof d->ojx - 1);

	if (n < 0)
		return say_error("cannot read '/proc/self/exe': %s", strerror(errno));
	d->ojx[n] = '\0';
	if (d->out.json)
		simple_begin_json(&d->json, "checks");
	for (const struct check *c = checks; c->name; c++) {
		struct check_result r = { .state = CHECK_OK };
		c->run(&r);
		put(d, c->name, &r);
		d->failed |= r.state == CHECK_FAILED;
	}
	if (check_jdks(d) < 0)
		return -1;
	int said =
		say_can_record(d, d->failed ? "ojx cannot record here." : "ojx can record here.");
	return d->failed ? -1 : said;
}

int cmd_doctor(int argc, char **argv)
{
	struct doctor d = { .failed = false };
	const char *pid = NULL;
	const struct simple_command as = {
		.name = "doctor",
		.synopsis = "[OPTION]...",
		.about = "Tries everything that ojx needs of this machine, including a short "
			 "recording of each JDK, and says what to do if something is missing. With "
			 "-p: whether ojx can attach to a JVM that runs, which is not touched.",
		.notes = "Exit status: 0 if ojx can record here, or that JVM; 1 if not.\n",
		.own = OPT_STRING('p', "pid", "PID", &pid,
				  "look at the JVM with this process id, or whose main class or "
				  "jar matches this pattern, in place of the machine"),
	};
	int status = simple_parse(&as, argc, argv, &d.out);

	if (status < 0 && pid)
		status = run_target(&d, pid);
	if (status >= 0)
		return status;
	return run(&d) < 0 ? EXIT_ERROR : 0;
}
