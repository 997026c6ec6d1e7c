/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oldlibc.c - what the agent does not take from the C library, since old ones and musl's lack it.
 *
 * The functions here have the names of the C library's, and are only seen in the agent. The agent
 * names no version of the others, nor a library: the dynamic linker finds them in what the program
 * has loaded. glibc's takes the oldest version of each, which is that of its first release for the
 * processor. test/t_libc.sh has the list of what is left.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/maths.h"

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

/* ---- the mathematical library, which need not be loaded ----------------------------------- */

double exp(double x)
{
	return maths_exp(x);
}

double expm1(double x)
{
	return maths_expm1(x);
}

double log1p(double x)
{
	return maths_log1p(x);
}

/* The other one of two, if one is no number. */
double fmax(double x, double y)
{
	return x >= y || isnan(y) ? x : y;
}

double fmin(double x, double y)
{
	return x <= y || isnan(y) ? x : y;
}
