/* SPDX-License-Identifier: Apache-2.0 */
/* smoke_test.c - a minimal recording of a JVM, for `ojx doctor`. */
#define _GNU_SOURCE 1 /* asprintf */

#include "smoke_test.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "base/tempdir.h"
#include "file/datafile.h"
#include "model/model.h"
#include "wire/wire.h"

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

int smoke_test_run(struct smoke_test *t, const char *ojx, const char *java)
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
