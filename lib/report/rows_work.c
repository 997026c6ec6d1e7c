/* SPDX-License-Identifier: Apache-2.0 */
/* rows_work.c - see rows_work.h. A row depends only on its contexts, so any thread may make it. */
#include "report/rows_work.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/processors.h"

enum {
	SLICE = 64, /* rows that a thread takes at once */
	MOST_THREADS = 8,
};

struct pool {
	const struct rows_work *work;
	atomic_size_t next; /* index of the next row */
	atomic_int error;   /* errno */
};

static void *work(void *arg)
{
	struct pool *p = arg;
	const struct rows_work *w = p->work;
	size_t first;

	while (!p->error && (first = atomic_fetch_add(&p->next, SLICE)) < w->n) {
		for (size_t i = first; i < first + SLICE && i < w->n; i++) {
			if (w->make(w->arg, i) < 0)
				p->error = ENOMEM;
			progress_add(w->progress, 1);
		}
	}
	return NULL;
}

/* If a thread cannot be started, the others do its work. */
static void run(struct pool *p)
{
	pthread_t thread[MOST_THREADS];
	size_t n = 0, threads = processors_allowed();

	if (threads > MOST_THREADS)
		threads = MOST_THREADS;
	while (n + 1 < threads && (n + 1) * SLICE < p->work->n &&
	       pthread_create(&thread[n], NULL, work, p) == 0)
		n++;
	work(p);
	while (n > 0)
		pthread_join(thread[--n], NULL);
}

int rows_work_do(const struct rows_work *w)
{
	struct pool p = { .work = w };

	progress_begin(w->progress, "analysing", w->n);
	run(&p);
	errno = p.error;
	return p.error ? -1 : 0;
}
