/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where recordings go: no recording is ever lost, nobody else can read one, and what is not a file
 * stays unchanged.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "datafile_fixture.h"

/* Records one event of `context`, which identifies the file. */
static void make_recording(const char *path, uint32_t context)
{
	struct builder b = BUILDER_INIT;
	struct datafile_writer *w = datafile_create(path);

	assert_non_null(w);
	build_unused(&b, context, 0);
	write_all(w, &b, 1);
	assert_int_equal(datafile_close(w), 0);
	builder_release(&b);
}

static void assert_recording(struct fixture *f, const char *path, uint32_t context)
{
	read_path(f, path);
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->nrecords, 1);
	assert_int_equal(((const struct wire_unused *)f->got.data)->context, context);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode;
}

static void assert_cannot_create(const char *path, int errnum)
{
	errno = 0;
	assert_null(datafile_create(path));
	assert_int_equal(errno, errnum);
}

static void test_private(void **state)
{
	struct fixture *f = *state;
	mode_t mask = umask(0);

	make_recording(f->path, 1);
	assert_int_equal(mode_of(f->path), S_IFREG | 0600);
	spit(f->path, "", 0); /* like mktemp, but with a more open mode */
	assert_int_equal(chmod(f->path, 0666), 0);
	make_recording(f->path, 2);
	assert_int_equal(mode_of(f->path), S_IFREG | 0600);
	umask(mask);
}

static void test_rotation(void **state)
{
	struct fixture *f = *state;

	make_recording(f->path, 1);
	assert_int_equal(access(f->old, F_OK), -1);
	make_recording(f->path, 2);
	assert_recording(f, f->path, 2);
	assert_recording(f, f->old, 1);
	make_recording(f->path, 3);
	assert_recording(f, f->path, 3);
	assert_recording(f, f->old, 2);
}

/* What a mistyped command leaves: no JVM, and an end unless `ojx` was killed. */
static void make_nothing(const char *path, bool end)
{
	struct file_end record = { .rec = { .len = sizeof record, .type = FILE_END } };
	struct datafile_writer *w = datafile_create(path);

	assert_non_null(w);
	if (end)
		assert_int_equal(datafile_write(w, 0, &record.rec, sizeof record), 0);
	assert_int_equal(datafile_close(w), 0);
}

/* A recording without a JVM does not displace one with a JVM. */
static void test_nothing(void **state)
{
	struct fixture *f = *state;

	make_recording(f->path, 1);
	make_nothing(f->path, true);
	assert_recording(f, f->old, 1);
	make_nothing(f->path, true);
	assert_recording(f, f->old, 1);
	make_recording(f->path, 2);
	assert_recording(f, f->path, 2);
	assert_recording(f, f->old, 1);
	make_nothing(f->path, false); /* it may still be recording */
	assert_recording(f, f->old, 2);
	make_recording(f->path, 3);
	read_path(f, f->old);
	assert_int_equal(f->nrecords, 0);
}

/* An empty file is not a recording: the one before it stays. */
static void test_empty_file(void **state)
{
	struct fixture *f = *state;

	make_recording(f->path, 1);
	make_recording(f->path, 2);
	spit(f->path, "", 0);
	make_recording(f->path, 3);
	assert_recording(f, f->path, 3);
	assert_recording(f, f->old, 1);
}

/* It is neither renamed nor replaced. */
static void test_while_recording(void **state)
{
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct datafile_writer *w = datafile_create(f->path);

	assert_non_null(w);
	assert_cannot_create(f->path, EBUSY);
	build_unused(&b, 1, 0);
	write_all(w, &b, 1);
	assert_cannot_create(f->path, EBUSY);
	assert_int_equal(rename(f->path, f->old), 0);
	make_recording(f->path, 2);
	assert_cannot_create(f->path, EBUSY);
	assert_recording(f, f->path, 2);
	assert_int_equal(datafile_close(w), 0);
	assert_recording(f, f->old, 1);
	make_recording(f->path, 3); /* nobody records any more */
	assert_recording(f, f->path, 3);
	assert_recording(f, f->old, 2);
	builder_release(&b);
}

static void test_rotation_impossible(void **state)
{
	struct fixture *f = *state;

	make_recording(f->path, 1);
	assert_int_equal(mkdir(f->old, 0700), 0);
	assert_cannot_create(f->path, EISDIR);
	assert_recording(f, f->path, 1);
	assert_int_equal(rmdir(f->old), 0);
}

static void test_bad_paths(void **state)
{
	struct fixture *f = *state;

	assert_cannot_create(f->dir, EISDIR);
	assert_cannot_create("/nonexistent/ojx.data", ENOENT);
	assert_cannot_create("/dev/null/ojx.data", ENOTDIR);
	assert_cannot_create("", ENOENT);
}

static void test_device(void **state)
{
	struct fixture *f = *state;

	make_recording("/dev/null", 1);
	assert_true(S_ISCHR(mode_of("/dev/null")));
	assert_int_equal(symlink("/dev/null", f->path), 0);
	make_recording(f->path, 1);
	assert_true(S_ISLNK(mode_of(f->path)));
	assert_int_equal(access(f->old, F_OK), -1);
}

static void test_pipe(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(mkfifo(f->path, 0600), 0);
	int in = open(f->path, O_RDONLY | O_NONBLOCK);
	assert_true(in >= 0);
	make_recording(f->path, 1);
	assert_true(S_ISFIFO(mode_of(f->path)));
	char bytes[256];
	assert_int_equal(read(in, bytes, sizeof bytes), sizeof(struct file_header) +
								sizeof(struct file_chunk) +
								sizeof(struct wire_unused));
	close(in);
}

/* As with perf, the link itself is renamed, so .old leads to the old recording. */
static void test_link_to_recording(void **state)
{
	struct fixture *f = *state;
	char target[128];

	snprintf(target, sizeof target, "%s/target", f->dir);
	make_recording(target, 1);
	assert_int_equal(symlink("target", f->path), 0);
	make_recording(f->path, 2);
	assert_int_equal(mode_of(f->path), S_IFREG | 0600);
	assert_recording(f, f->path, 2);
	assert_recording(f, f->old, 1);
	assert_recording(f, target, 1);
	assert_int_equal(unlink(target), 0);
}

static void test_link_to_nothing(void **state)
{
	struct fixture *f = *state;
	char target[128];

	snprintf(target, sizeof target, "%s/target", f->dir);
	assert_int_equal(symlink("target", f->path), 0);
	make_recording(f->path, 1);
	assert_true(S_ISLNK(mode_of(f->path)));
	assert_recording(f, target, 1);
	assert_int_equal(unlink(target), 0);
}

/*
 * Renaming /dev/stdout, as root, would damage the system; writing into an existing file would
 * destroy it.
 */
static void test_names_of_descriptors(void **state)
{
	struct fixture *f = *state;
	char name[64];

	make_recording(f->path, 1);
	int fd = open(f->path, O_RDWR);
	assert_true(fd >= 0);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	assert_cannot_create(name, EEXIST);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	assert_cannot_create(name, EEXIST);
	close(fd);
	assert_recording(f, f->path, 1);
}

static void test_standard_output(void **state)
{
	struct fixture *f = *state;

	fflush(stdout);
	int saved = dup(STDOUT_FILENO);
	int out = open(f->path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(out >= 0);
	assert_int_equal(dup2(out, STDOUT_FILENO), STDOUT_FILENO);
	close(out);
	make_recording("-", 1);
	bool open_still = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
	dup2(saved, STDOUT_FILENO);
	close(saved);
	assert_true(open_still);
	assert_recording(f, f->path, 1);
}

/* The command must not inherit it. */
static void test_close_on_exec(void **state)
{
	struct fixture *f = *state;
	int before = dup(STDERR_FILENO);

	close(before);
	struct datafile_writer *w = datafile_create(f->path);
	assert_non_null(w);
	assert_int_equal(fcntl(before, F_GETFD), FD_CLOEXEC);
	assert_int_equal(datafile_close(w), 0);
	assert_int_equal(fcntl(before, F_GETFD), -1);
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* A size limit stands for a full disk: half a chunk is removed, and the error persists. */
static void test_disk_full(void **state)
{
	struct fixture *f = *state;
	struct builder b = BUILDER_INIT;
	struct stat st;

	uint64_t *words = build_record(&b, 200, 1000);
	for (size_t i = 1; i < 1000 / sizeof *words; i++)
		words[i] = build_random(i); /* random data cannot be packed */
	struct datafile_writer *w = datafile_create(f->path);
	assert_non_null(w);
	write_all(w, &b, 1);
	assert_int_equal(datafile_flush(w), 0);
	uint64_t size = datafile_size(w);
	limit_file_size(size + 500);
	write_all(w, &b, 1);
	int rc = datafile_flush(w);
	int errnum = errno;
	limit_file_size(RLIM_INFINITY);
	assert_int_equal(rc, -1);
	assert_int_equal(errnum, EFBIG);
	assert_int_equal(datafile_size(w), size);
	assert_int_equal(stat(f->path, &st), 0);
	assert_int_equal(st.st_size, size);
	errno = 0;
	assert_int_equal(datafile_write(w, 1, (const struct wire_rec *)b.data, 1000), -1);
	assert_int_equal(errno, EFBIG);
	errno = 0;
	assert_int_equal(datafile_close(w), -1);
	assert_int_equal(errno, EFBIG);
	read_file(f);
	assert_int_equal(f->result, DATAFILE_OK);
	assert_int_equal(f->nrecords, 1);
	builder_release(&b);
}

static void on_signal(int signo)
{
	(void)signo;
}

/* Signals interrupt writing, and a slow reader makes writes short: everything arrives. */
static void test_short_writes(void **state)
{
	enum { RECORDS = 40, BYTES = 200000 };
	struct fixture *f = *state;
	struct sigaction action = { .sa_handler = on_signal }; /* no SA_RESTART */
	struct builder b = BUILDER_INIT;
	int status;

	assert_int_equal(mkfifo(f->path, 0600), 0);
	assert_int_equal(sigaction(SIGUSR1, &action, NULL), 0);
	for (int i = 0; i < RECORDS; i++)
		memset((char *)build_record(&b, 200, BYTES) + 8, i, BYTES - 8);
	pid_t parent = getpid();
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		read_file(f); /* meanwhile another child sends signals to the parent */
		_exit(f->result == DATAFILE_OK && f->got.len == b.len &&
				      memcmp(f->got.data, b.data, b.len) == 0
			      ? 0
			      : 1);
	}
	pid_t kicker = fork();
	assert_true(kicker >= 0);
	if (kicker == 0)
		for (;;) {
			if (kill(parent, SIGUSR1) < 0)
				_exit(0);
			usleep(200);
		}
	struct datafile_writer *w = NULL;
	while (!w && (w = datafile_create(f->path)) == NULL)
		assert_int_equal(errno, EINTR); /* from open */
	write_all(w, &b, 1);
	assert_int_equal(datafile_close(w), 0);
	while (waitpid(child, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	kill(kicker, SIGKILL);
	while (waitpid(kicker, NULL, 0) < 0)
		assert_int_equal(errno, EINTR);
	assert_int_equal(status, 0);
	builder_release(&b);
}

int unit_datafile_create(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_private),
		TEST(test_rotation),
		TEST(test_nothing),
		TEST(test_empty_file),
		TEST(test_while_recording),
		TEST(test_rotation_impossible),
		TEST(test_bad_paths),
		TEST(test_device),
		TEST(test_pipe),
		TEST(test_link_to_recording),
		TEST(test_link_to_nothing),
		TEST(test_names_of_descriptors),
		TEST(test_standard_output),
		TEST(test_close_on_exec),
		TEST(test_disk_full),
		TEST(test_short_writes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
