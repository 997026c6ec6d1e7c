/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_work.c - see rows_work.h. A row is made of its contexts alone, so that it does not matter which thread
 * makes it. Rows whose evidence is not at hand are put into batches; where it has to be read again, a thread that takes one reads
 * the whole file for it, so that batches are large then.
 */
#include "report/rows_work.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/processors.h"

enum {
	SLICE = 64, /* rows that a thread takes at once */
	MOST_THREADS = 8,
	EVIDENCE_BYTES = 48 << 20, /* at hand in all threads together */
};

struct pool {
	const struct rows_work *work;
	size_t threads;
	size_t *slice; /* where the slices begin, and, behind the last one, end */
	size_t slices;
	atomic_size_t next;
	atomic_int error; /* errno */
};

/* Where evidence is. */
enum source {
	AT_HAND,
	PACKED,
	IN_FILE,
};

static enum source source_of(const struct rows_work *w)
{
	if (model_recalls(w->model))
		return PACKED;
	return w->options->again ? IN_FILE : AT_HAND;
}

/* ---- slices and batches ------------------------------------------------------------------ */

static size_t row_bytes(const struct rows_work *w, size_t i)
{
	size_t bytes = 0;

	for (size_t k = w->begin[i]; k < w->begin[i + 1]; k++)
		bytes += model_evidence_bytes(w->contexts[k]);
	return bytes;
}

/* Marks the row's contexts as those of a batch. */
static void mark(const struct rows_work *w, size_t i, size_t batch)
{
	for (size_t k = w->begin[i]; k < w->begin[i + 1]; k++)
		w->contexts[k]->batch = (uint32_t)batch;
}

/* What is kept is one batch; else each thread can have one of its share of the memory. */
static int cut(struct pool *p)
{
	const struct rows_work *w = p->work;
	bool in_file = source_of(w) == IN_FILE;
	size_t most = EVIDENCE_BYTES / p->threads, bytes = 0, rows = 0;

	p->slice = calloc(w->n + 1, sizeof *p->slice);
	if (!p->slice)
		return -1;
	for (size_t i = 0; i < w->n; i++, rows++) {
		size_t more = in_file ? row_bytes(w, i) : 0;
		bool full = in_file ? bytes + more > most : rows == SLICE;
		if (i > 0 && full && !w->keep) {
			p->slice[++p->slices] = i;
			bytes = rows = 0;
		}
		bytes += more;
		if (in_file)
			mark(w, i, p->slices + 1);
	}
	if (w->n)
		p->slice[++p->slices] = w->n;
	return 0;
}

static int take(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg)
{
	return model_batch_take(arg, jvm, recs, n);
}

/* The evidence of the rows of slice k, in a batch that is made or used again. -1 with errno. */
static int fetch(const struct pool *p, size_t k, struct model_batch **b)
{
	const struct rows_work *w = p->work;
	size_t first = w->begin[p->slice[k]], n = w->begin[p->slice[k + 1]] - first;
	uint32_t number = (uint32_t)k + 1;

	if (*b && model_batch_reuse(*b, number, w->contexts + first, n) < 0)
		return -1;
	if (!*b)
		*b = model_batch_new(w->model, number, w->contexts + first, n);
	if (!*b)
		return -1;
	return source_of(w) == PACKED ? model_batch_recall(*b)
				      : datafile_read_again(w->options->again, take, *b);
}

/* ---- threads ----------------------------------------------------------------------------- */

static int make_slice(const struct pool *p, size_t k, struct model_batch **b)
{
	const struct rows_work *w = p->work;

	if (source_of(w) != AT_HAND && fetch(p, k, b) < 0)
		return -1;
	for (size_t i = p->slice[k]; i < p->slice[k + 1]; i++) {
		if (w->make(w->arg, i) < 0) {
			errno = ENOMEM;
			return -1;
		}
		progress_add(w->options->progress, 1);
	}
	return 0;
}

static void *work(void *arg)
{
	struct pool *p = arg;
	struct model_batch *b = NULL;
	size_t k;

	while (!p->error && (k = atomic_fetch_add(&p->next, 1)) < p->slices)
		if (make_slice(p, k, &b) < 0)
			p->error = errno ? errno : EIO;
	if (b && p->work->keep)
		*p->work->keep = b;
	else
		model_batch_free(b);
	return NULL;
}

/* Where a thread can not be had, the others do its work. */
static void run(struct pool *p)
{
	pthread_t thread[MOST_THREADS];
	size_t n = 0;

	while (n + 1 < p->threads && n + 1 < p->slices &&
	       pthread_create(&thread[n], NULL, work, p) == 0)
		n++;
	work(p);
	while (n > 0)
		pthread_join(thread[--n], NULL);
}

int rows_work_do(const struct rows_work *w)
{
	struct pool p = { .work = w, .threads = processors_allowed() };

	if (p.threads > MOST_THREADS)
		p.threads = MOST_THREADS;
	if (cut(&p) < 0)
		return -1;
	progress_begin(w->options->progress, "analysing", w->n);
	run(&p);
	free(p.slice);
	errno = p.error;
	return p.error ? -1 : 0;
}
