/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oldlibc.c - lets the agent load where the C library is older than the one it was built with.
 *
 * The linker binds a function to its newest version, and old libraries lack that. The functions
 * here have the names of the C library's, and are only seen in the agent. Those that old libraries
 * lack make the system call. The others call the oldest version, which the processor has. The
 * newest version that remains is GLIBC_2.17 (test/t_static.sh checks it).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"

/* ---- system calls ------------------------------------------------------------------------ */

pid_t gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

int memfd_create(const char *name, unsigned flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

ssize_t getrandom(void *buffer, size_t len, unsigned flags)
{
	return syscall(SYS_getrandom, buffer, len, flags);
}

/* The kernel's struct stat is the C library's. */
int fstat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}

int lstat(const char *path, struct stat *st)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

/* ---- functions that have an older version ------------------------------------------------ */

#define OLDEST(result, name, parameters, arguments)                       \
	result oldest_##name parameters;                                  \
	__asm__(".symver oldest_" #name "," #name "@" ARCH_OLDEST_GLIBC); \
	result name parameters                                            \
	{                                                                 \
		return oldest_##name arguments;                           \
	}

OLDEST(void *, dlopen, (const char *path, int flags), (path, flags))
OLDEST(void *, dlsym, (void *library, const char *name), (library, name))
OLDEST(int, dlclose, (void *library), (library))
OLDEST(int, dladdr, (const void *address, Dl_info *info), (address, info))
OLDEST(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t *attr), (thread, attr))
OLDEST(int, pthread_attr_getstack, (const pthread_attr_t *attr, void **low, size_t *size),
       (attr, low, size))
OLDEST(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old))
OLDEST(double, exp, (double x), (x))
