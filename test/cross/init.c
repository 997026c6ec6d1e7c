/* SPDX-License-Identifier: Apache-2.0 */
/*
 * init.c - the first process of an emulated machine: loads the modules of its initramfs, makes the
 * first disk the root, mounts the second one, runs /disk/run, and turns the machine off.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what)
{
	printf("init: %s: %s\n", what, strerror(errno));
}

static void load_module(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) != 0)
		say(path);
	if (fd >= 0)
		close(fd);
}

/* In the order of the file's lines: what a module needs comes before it. */
static void load_modules(const char *list)
{
	FILE *f = fopen(list, "r");
	char name[200];

	while (f && fscanf(f, "%199s", name) == 1)
		load_module(name);
	if (f)
		fclose(f);
}

static int mount_at(const char *what, const char *at, const char *type)
{
	mkdir(at, 0755);
	if (mount(what, at, type, 0, NULL) == 0)
		return 0;
	return -1;
}

/* A disk appears some moments after its driver. */
static int mount_disk(const char *device, const char *at)
{
	for (int i = 0; i < 100; i++) {
		if (mount_at(device, at, "ext4") == 0)
			return 0;
		usleep(50000);
	}
	say(device);
	return -1;
}

static int enter(const char *root)
{
	return chdir(root) == 0 && mount(root, "/", NULL, MS_MOVE, NULL) == 0 && chroot(".") == 0 &&
			       chdir("/") == 0
		       ? 0
		       : -1;
}

static int run(const char *path)
{
	pid_t child = fork(), ended;
	int status = -1;

	if (child == 0) {
		execl("/bin/bash", "bash", path, (char *)NULL);
		say(path);
		_exit(127);
	}
	while ((ended = wait(&status)) != child && (ended >= 0 || errno == EINTR))
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void)
{
	int status = 127;

	setvbuf(stdout, NULL, _IOLBF, 0);
	mount_at("dev", "/dev", "devtmpfs");
	load_modules("/modules/list");
	if (mount_disk("/dev/vda", "/root") == 0 && enter("/root") == 0) {
		mount_at("proc", "/proc", "proc");
		mount_at("sysfs", "/sys", "sysfs");
		mount_at("dev", "/dev", "devtmpfs");
		mount_at("shm", "/dev/shm", "tmpfs");
		mount_at("tmpfs", "/tmp", "tmpfs");
		mount_at("tmpfs", "/run", "tmpfs");
		mount_at("pts", "/dev/pts", "devpts");
		if (symlink("/proc/self/fd", "/dev/fd") != 0)
			say("/dev/fd");
		setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
		setenv("HOME", "/root", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		if (mount_disk("/dev/vdb", "/disk") == 0)
			status = run("/disk/run");
	} else
		say("the root");
	printf("init: status %d\n", status);
	fflush(stdout);
	sync();
	umount("/disk");
	reboot(RB_POWER_OFF);
	return 0;
}
