/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_work.c - see rows_work.h. A row is made of its contexts alone, so that it does not matter which thread
 * makes it. Rows whose evidence has to be read again are put into batches; a thread that takes one reads the whole
 * file for it, which costs less than what it saves: pages of memory that are touched once.
 */
#include "rows_work.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

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

/* ---- slices and batches ------------------------------------------------------------------ */

static size_t row_bytes(const struct row *row)
{
	size_t bytes = 0;

	for (size_t i = 0; i < row->ncontexts; i++)
		bytes += model_evidence_bytes(row->contexts[i]);
	return bytes;
}

static bool is_deferred(const struct rows_work *w)
{
	return w->options->again != NULL;
}

/* Marks the row's contexts as those of a batch. */
static void mark(const struct row *row, size_t batch)
{
	for (size_t i = 0; i < row->ncontexts; i++)
		row->contexts[i]->batch = (uint32_t)batch;
}

/* What is completed is one batch; else each thread can have one of its share of the memory. */
static int cut(struct pool *p)
{
	const struct rows_work *w = p->work;
	size_t most = EVIDENCE_BYTES / p->threads, bytes = 0, rows = 0;

	p->slice = calloc(w->n + 1, sizeof *p->slice);
	if (!p->slice)
		return -1;
	for (size_t i = 0; i < w->n; i++, rows++) {
		size_t more = is_deferred(w) ? row_bytes(&w->rows->row[i]) : 0;
		bool full = is_deferred(w) ? !w->complete && bytes + more > most : rows == SLICE;
		if (i > 0 && full) {
			p->slice[++p->slices] = i;
			bytes = rows = 0;
		}
		bytes += more;
		if (is_deferred(w))
			mark(&w->rows->row[i], p->slices + 1);
	}
	if (w->n)
		p->slice[++p->slices] = w->n;
	return 0;
}

static int take(uint32_t jvm, const struct wire_rec *const *recs, size_t n, void *arg)
{
	return model_batch_take(arg, jvm, recs, n);
}

/* The evidence of the rows of a slice. NULL with errno. */
static struct model_batch *fetch(const struct rows_work *w, size_t first, size_t end, size_t number)
{
	struct model_context *const *from = w->rows->row[first].contexts;
	size_t n = 0;

	for (size_t i = first; i < end; i++)
		n += w->rows->row[i].ncontexts;
	struct model_batch *b = model_batch_new(w->model, (uint32_t)number, from, n);
	if (b && datafile_read_again(w->options->again, take, b) == 0)
		return b;
	int saved = errno;
	model_batch_free(b);
	errno = saved;
	return NULL;
}

/* ---- threads ----------------------------------------------------------------------------- */

static int make_rows(const struct rows_work *w, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		if (w->make(w, &w->rows->row[i]) < 0) {
			errno = ENOMEM;
			return -1;
		}
		progress_add(w->options->progress, 1);
	}
	return 0;
}

static int make_slice(struct pool *p, size_t k)
{
	const struct rows_work *w = p->work;
	size_t first = p->slice[k], end = p->slice[k + 1];

	if (!is_deferred(w))
		return make_rows(w, first, end);
	struct model_batch *b = fetch(w, first, end, k + 1);
	if (!b)
		return -1;
	int result = make_rows(w, first, end);
	if (w->complete)
		w->rows->evidence = b;
	else
		model_batch_free(b);
	return result;
}

static void *work(void *arg)
{
	struct pool *p = arg;
	size_t k;

	while (!p->error && (k = atomic_fetch_add(&p->next, 1)) < p->slices)
		if (make_slice(p, k) < 0)
			p->error = errno ? errno : EIO;
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
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct pool p = { .work = w, .threads = processors > 1 ? (size_t)processors : 1 };

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
