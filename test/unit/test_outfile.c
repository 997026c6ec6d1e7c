/* SPDX-License-Identifier: Apache-2.0 */
/* test_outfile.c - output files: who can read them, and what happens to existing ones. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/outfile.h"

static char folder[64], path[96], link_path[96];

static int setup(void **state)
{
	(void)state;
	umask(022);
	strcpy(folder, "/tmp/ojx-outfile.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/file", folder);
	snprintf(link_path, sizeof link_path, "%s/link", folder);
	return 0;
}

/* Nothing else may be left in the directory. */
static int teardown(void **state)
{
	(void)state;
	unlink(path);
	unlink(link_path);
	return rmdir(folder);
}

static void put(const char *name, const char *text, bool secret, bool whole)
{
	struct outfile f;

	assert_int_equal(outfile_open(&f, name, secret), 0);
	fputs(text, f.out);
	assert_int_equal(outfile_close(&f, whole), 0);
}

static void assert_file(const char *want, mode_t mode)
{
	char got[64];
	struct stat st;
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	assert_int_equal(fstat(fileno(in), &st), 0);
	got[fread(got, 1, sizeof got - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(got, want);
	assert_int_equal(st.st_mode & 07777, mode);
}

static void test_usual(void **state)
{
	(void)state;
	put(path, "one", false, true);
	assert_file("one", 0644);
	assert_int_equal(chmod(path, 0640), 0);
	put(path, "two", false, true);
	assert_file("two", 0640);
	/* what is not whole leaves nothing, and takes nothing */
	put(path, "half", false, false);
	assert_file("two", 0640);
	unlink(path);
	put(path, "half", false, false);
	assert_int_equal(access(path, F_OK), -1);
}

static unsigned count_files(void)
{
	unsigned n = 0;
	DIR *list = opendir(folder);

	assert_non_null(list);
	for (struct dirent *e; (e = readdir(list));)
		n += e->d_name[0] != '.';
	closedir(list);
	return n;
}

static bool has_unnamed_files(void)
{
	int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* A process that is killed while it writes leaves nothing, and an existing file as it was. */
static void test_killed(void **state)
{
	(void)state;
	if (!has_unnamed_files())
		skip();
	for (unsigned existing = 0; existing < 2; existing++) {
		for (unsigned secret = 0; secret < 2; secret++) {
			pid_t child = fork();
			if (child == 0) {
				struct outfile f;
				if (outfile_open(&f, path, secret) < 0 ||
				    fputs("half", f.out) < 0 || fflush(f.out) < 0)
					_exit(1);
				raise(SIGKILL);
			}
			int status;
			assert_int_equal(waitpid(child, &status, 0), child);
			assert_true(WIFSIGNALED(status));
			assert_int_equal(count_files(), existing);
		}
		if (existing)
			assert_file("old", 0644);
		put(path, "old", false, true);
	}
}

/* Lets open() fail where it asks for a file without a name, as in some file systems. */
static bool deny_unnamed_files(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = sizeof filter / sizeof filter[0], .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

/* A process that has no unnamed files writes to `path`; 0 if it could. */
static int put_named(const char *text, bool secret, bool whole)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		struct outfile f;
		_exit(!deny_unnamed_files() || has_unnamed_files() ||
		      outfile_open(&f, path, secret) < 0 || fputs(text, f.out) < 0 ||
		      count_files() < 1 || outfile_close(&f, whole) < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void test_without_unnamed_files(void **state)
{
	(void)state;
	assert_int_equal(put_named("half", false, false), 0);
	assert_int_equal(count_files(), 0);
	assert_int_equal(put_named("one", false, true), 0);
	assert_file("one", 0644);
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(put_named("two", false, true), 0);
	assert_file("two", 0640);
	assert_int_equal(put_named("three", true, true), 0);
	assert_file("three", 0600);
	assert_int_equal(put_named("half", true, false), 0);
	assert_file("three", 0600);
	assert_int_equal(count_files(), 1);
}

/* Files that have the names which a new one may get for a moment stay. */
static void test_taken_names(void **state)
{
	char taken[128];
	struct stat st;
	unsigned number = (unsigned)getpid();

	(void)state;
	put(path, "old", false, true);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(taken, sizeof taken, "%s.%06u", path, (number + i) % 1000000);
		put(taken, "", false, true);
	}
	put(path, "new", false, true);
	assert_file("new", 0644);
	assert_int_equal(count_files(), 4);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(taken, sizeof taken, "%s.%06u", path, (number + i) % 1000000);
		assert_int_equal(stat(taken, &st), 0);
		assert_int_equal(st.st_size, 0);
		unlink(taken);
	}
}

/* A file with two names stays one file. */
static void test_two_names(void **state)
{
	(void)state;
	put(path, "old", false, true);
	assert_int_equal(link(path, link_path), 0);
	put(link_path, "new", false, true);
	assert_file("new", 0644);
}

static void test_secret(void **state)
{
	struct outfile f;
	struct stat st;

	(void)state;
	put(path, "one", true, true);
	assert_file("one", 0600);
	unlink(path);
	put(path, "old", false, true);
	/* somebody has the old file open and must not see the new content */
	int reader = open(path, O_RDONLY);
	char got[8] = "";
	assert_int_equal(outfile_open(&f, path, true), 0);
	fputs("two", f.out);
	assert_int_equal(fstat(fileno(f.out), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_file("old", 0644);
	assert_int_equal(outfile_close(&f, true), 0);
	assert_file("two", 0600);
	assert_int_equal(read(reader, got, sizeof got - 1), 3);
	assert_string_equal(got, "old");
	close(reader);
	put(path, "half", true, false);
	assert_file("two", 0600);
}

static void test_links(void **state)
{
	struct stat st;

	(void)state;
	put(path, "old", false, true);
	assert_int_equal(symlink("file", link_path), 0);
	put(link_path, "new", true, true);
	assert_file("new", 0600);
	assert_int_equal(lstat(link_path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(path);
	put(link_path, "first", true, true);
	assert_file("first", 0600);
}

static void test_others(void **state)
{
	struct outfile f;

	(void)state;
	put("/dev/null", "x", true, true);
	assert_int_equal(outfile_open(&f, "/nonexistent/file", true), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(outfile_open(&f, folder, true), -1);
	assert_int_equal(errno, EISDIR);
	/* the file that a shell redirected to is written to, not replaced */
	int fd = open(path, O_RDWR | O_CREAT, 0644);
	char name[32];
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	put(name, "text", true, true);
	char got[8] = "";
	assert_int_equal(pread(fd, got, sizeof got - 1, 0), 4);
	assert_string_equal(got, "text");
	close(fd);
}

static void test_full(void **state)
{
	struct outfile f;

	(void)state;
	assert_int_equal(outfile_open(&f, "/dev/full", true), 0);
	fputs("x", f.out);
	assert_int_equal(outfile_close(&f, true), -1);
	assert_int_equal(errno, ENOSPC);
}

int unit_outfile(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_usual, setup, teardown),
		cmocka_unit_test_setup_teardown(test_killed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_without_unnamed_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_taken_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_two_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_secret, setup, teardown),
		cmocka_unit_test_setup_teardown(test_links, setup, teardown),
		cmocka_unit_test_setup_teardown(test_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full, setup, teardown),
	};

	return cmocka_run_group_tests_name("outfile", tests, NULL, NULL);
}
