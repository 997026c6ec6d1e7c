/* SPDX-License-Identifier: Apache-2.0 */
/* tls.c - see tls.h. */
#define _GNU_SOURCE
#include "core/tls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static __thread char variable; /* only its address matters */

/* How far the variable is from what the C library keeps of the calling thread. */
static void *distance(void *unused)
{
	(void)unused;
	return (void *)((uintptr_t)&variable - (uintptr_t)pthread_self());
}

bool tls_is_there(void)
{
	pthread_t other;
	void *there = NULL;

	if (!dlsym(RTLD_DEFAULT, "gnu_get_libc_version"))
		return true;
	if (pthread_create(&other, NULL, distance, NULL) != 0 || pthread_join(other, &there) != 0)
		return false;
	/* what malloc gives lies elsewhere for each thread */
	return there == distance(NULL);
}
