/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.c - see parallel.h. */
#include "heapdump/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/progress.h"

enum { CHUNK = 1 << 12, THREADS_MAX = 16 };

struct job {
	parallel_fn *work;
	void *arg;
	uint32_t n;
	_Atomic uint32_t next; /* part */
};

static void *take_parts(void *arg)
{
	struct job *j = arg;

	for (;;) {
		uint64_t from =
			(uint64_t)atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed) *
			CHUNK;
		if (from >= j->n)
			return NULL;
		uint64_t to = j->n - from < CHUNK ? j->n : from + CHUNK;
		j->work(j->arg, (uint32_t)from, (uint32_t)to);
	}
}

void parallel(uint32_t n, parallel_fn *work, void *arg)
{
	struct job j = { .work = work, .arg = arg, .n = n };
	pthread_t thread[THREADS_MAX];
	size_t wanted = n > CHUNK ? processors_allowed() : 1, started = 0;

	while (started + 1 < wanted && started < THREADS_MAX &&
	       pthread_create(&thread[started], NULL, take_parts, &j) == 0)
		started++;
	take_parts(&j);
	while (started > 0)
		pthread_join(thread[--started], NULL);
}
