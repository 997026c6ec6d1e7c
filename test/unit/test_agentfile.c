/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_agentfile.c - the copy of the agent: its place, who may have changed it, when it is made
 * again, and when it is removed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/agentfile.h"

static const char content[] = "some code", other[] = "some more code";
static char folder[64];

static const char *in_folder(const char *name)
{
	static char path[4][PATH_MAX];
	static int n;
	char *to = path[n++ % 4];

	snprintf(to, PATH_MAX, "%s/%s", folder, name);
	return to;
}

static int setup(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/ojx-agentfile.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command);
}

static char *get(const char *text)
{
	return agentcopy_get(folder, text, strlen(text));
}

static void assert_content(const char *path, const char *want)
{
	char got[64] = "";
	FILE *in = fopen(path, "r");

	assert_non_null(in);
	got[fread(got, 1, sizeof got - 1, in)] = '\0';
	fclose(in);
	assert_string_equal(got, want);
}

static void put_file(const char *path, const char *text, mode_t mode)
{
	unlink(path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static unsigned mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

static ino_t inode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_ino;
}

/* ---- one copy ---------------------------------------------------------------------------- */

static void test_copy(void **state)
{
	mode_t old = umask(077);
	char *path = get(content);

	(void)state;
	umask(old);
	assert_non_null(path);
	assert_memory_equal(path, folder, strlen(folder));
	assert_content(path, content);
	assert_int_equal(mode_of(path), 0555);
	assert_int_equal(mode_of(in_folder("ojx")), 0755);
	ino_t inode = inode_of(path);
	char *again = get(content), *another = get(other);
	assert_string_equal(again, path);
	assert_int_equal(inode_of(again), inode);
	assert_string_not_equal(another, path);
	assert_content(another, other);
	assert_content(path, content);
	free(path);
	free(again);
	free(another);
}

/* Whatever is in its place, a valid copy replaces it, and nothing is written into the old one. */
static void test_repair(void **state)
{
	char *path = get(content);
	const char *victim = in_folder("victim");

	(void)state;
	assert_non_null(path);
	put_file(path, "some cope", 0555); /* of the same size */
	free(get(content));
	assert_content(path, content);
	put_file(path, "", 0555);
	free(get(content));
	assert_content(path, content);
	put_file(path, content, 0777);
	free(get(content));
	assert_int_equal(mode_of(path), 0555);
	put_file(victim, content, 0555);
	unlink(path);
	assert_int_equal(symlink(victim, path), 0);
	ino_t inode = inode_of(victim);
	free(get(content));
	assert_int_equal(mode_of(path), 0555);
	assert_true(inode_of(path) != inode);
	if (geteuid() == 0) { /* belongs to another user */
		assert_int_equal(chown(path, 65534, 65534), 0);
		inode = inode_of(path);
		free(get(content));
		assert_true(inode_of(path) != inode);
	}
	free(path);
}

static void assert_refused(int error)
{
	errno = 0;
	assert_null(get(content));
	assert_int_equal(errno, error);
}

static void test_strangers(void **state)
{
	(void)state;
	assert_int_equal(chmod(folder, 0777), 0);
	assert_refused(EPERM);
	assert_int_equal(chmod(folder, 01777), 0);
	char *path = get(content);
	assert_non_null(path);
	free(path);
	assert_int_equal(chmod(in_folder("ojx"), 0777), 0);
	assert_refused(EPERM);
	assert_int_equal(rename(in_folder("ojx"), in_folder("real")), 0);
	assert_int_equal(chmod(in_folder("real"), 0755), 0);
	assert_int_equal(symlink("real", in_folder("ojx")), 0);
	assert_refused(ENOTDIR); /* for a link, with O_PATH */
	if (geteuid() != 0)
		return;
	unlink(in_folder("ojx"));
	assert_int_equal(mkdir(in_folder("ojx"), 0755), 0);
	assert_int_equal(chown(in_folder("ojx"), 65534, 65534), 0);
	assert_refused(EPERM);
}

static void make_old(const char *path)
{
	const struct timespec times[2] = { { .tv_sec = time(NULL) - 1000000 },
					   { .tv_sec = time(NULL) - 1000000 } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Starts a process that could start a JVM with the agent. */
static pid_t start_user(const char *path)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0) {
		char option[PATH_MAX + 64];
		snprintf(option, sizeof option, "JAVA_TOOL_OPTIONS=-agentpath:%s=/x", path);
		char *const argv[] = { "sleep", "60", NULL }, *const envp[] = { option, NULL };
		execve("/bin/sleep", argv, envp);
		_exit(127);
	}
	close(ready[1]);
	/* exec closes its end */
	assert_int_equal(read(ready[0], &byte, 1), 0);
	close(ready[0]);
	return pid;
}

static void test_clean(void **state)
{
	char *path = get(content), *old = get(other), *named = get("a third"), *young = get("new");
	char stray[PATH_MAX];

	(void)state;
	make_old(path);
	make_old(old);
	make_old(named);
	snprintf(stray, sizeof stray, "%s/ojx/something", folder);
	put_file(stray, "", 0644);
	make_old(stray);
	pid_t pid = start_user(named);
	agentcopy_clean(path, 1000);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(access(young, F_OK), 0);
	assert_int_equal(access(named, F_OK), 0);
	assert_int_equal(access(stray, F_OK), 0);
	assert_int_equal(access(old, F_OK), -1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	agentcopy_clean(path, 1000);
	assert_int_equal(access(named, F_OK), -1);
	/* using it makes it young again */
	free(get(content));
	agentcopy_clean(young, 1000);
	assert_int_equal(access(path, F_OK), 0);
	free(path);
	free(old);
	free(named);
	free(young);
}

/* ---- paths ------------------------------------------------------------------------------- */

static void test_plain(void **state)
{
	static const char *const bad[] = { "/a=b",  "/a b", "/a,b", "/a'b",  "/a\"b",
					   "/a\tb", "/a;b", "/$a",  "/a\\b", "/a*" };

	(void)state;
	assert_true(agentfile_plain("/usr/lib/ojx-1.0_~rc/x86%64/a@b+c.so"));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(agentfile_plain(bad[i]));
}

static void test_of_system(void **state)
{
	char *real = realpath("/bin/sh", NULL);

	(void)state;
	assert_true(agentfile_of_system(real));
	free(real);
	put_file(in_folder("a.so"), content, 0755);
	assert_false(agentfile_of_system(in_folder("a.so"))); /* only we can enter the directory */
	assert_false(agentfile_of_system("/nonexistent"));
	assert_false(agentfile_of_system("/"));
}

/* Settles with these two variables; returns the path or the error. */
static const char *settle(const char *agent, const char *cache, const char *home)
{
	static char path[PATH_MAX + 16];
	struct agentfile f;

	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	if (cache)
		setenv("XDG_CACHE_HOME", cache, 1);
	if (home)
		setenv("HOME", home, 1);
	if (agentfile_settle(&f, agent) < 0)
		return strerror(errno);
	snprintf(path, sizeof path, "%s%s", f.in_place ? "in place: " : "", f.path);
	agentfile_release(&f);
	return path;
}

/* For a process of its own, where cmocka does not work. */
static void expect(const char *got, const char *before, const char *begin)
{
	size_t len = strlen(before);

	if (strncmp(got, before, len) == 0 && strncmp(got + len, begin, strlen(begin)) == 0)
		return;
	fprintf(stderr, "got '%s', want '%s%s...'\n", got, before, begin);
	_exit(1);
}

/* The results for a user other than root. */
static void settle_all(void)
{
	const char *agent = in_folder("a.so"), *odd = in_folder("a=b.so");
	char cache[PATH_MAX], *system_file = realpath("/bin/sh", NULL);

	put_file(agent, content, 0644);
	put_file(odd, content, 0644);
	snprintf(cache, sizeof cache, "%s/cache", folder);
	expect(settle(agent, cache, NULL), cache, "/ojx/");
	expect(settle(odd, NULL, folder), folder, "/.cache/ojx/");
	expect(settle(odd, cache, folder), cache, "/ojx/");
	/* no file that a JVM could load */
	expect(settle(agent, NULL, NULL), "in place: ", agent);
	expect(settle(odd, NULL, NULL), "", strerror(EINVAL));
	expect(settle(agent, "cache", ""), "in place: ", agent);
	expect(settle(agent, in_folder("a=c"), NULL), "in place: ", agent);
	expect(settle(agent, "/nonexistent/cache", "/nonexistent"), "in place: ", agent);
	/* a file of the system */
	expect(settle(system_file, cache, NULL), "in place: ", system_file);
	free(system_file);
}

static void test_settle(void **state)
{
	int status;

	(void)state;
	assert_int_equal(chmod(folder, 0755), 0);
	if (geteuid() == 0)
		assert_int_equal(chown(folder, 65534, 65534), 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
			_exit(2);
		settle_all();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int unit_agentfile(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_copy, setup, teardown),
		cmocka_unit_test_setup_teardown(test_repair, setup, teardown),
		cmocka_unit_test_setup_teardown(test_strangers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_clean, setup, teardown),
		cmocka_unit_test(test_plain),
		cmocka_unit_test_setup_teardown(test_of_system, setup, teardown),
		cmocka_unit_test_setup_teardown(test_settle, setup, teardown),
	};

	return cmocka_run_group_tests_name("agentfile", tests, NULL, NULL);
}
