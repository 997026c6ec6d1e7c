/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datafile_ahead.c - see datafile_ahead.h. Chunks are in a ring. The reader fills those that follow
 * `taken`; chunk `taken` itself is in use by the taker.
 */
#include "file/datafile_ahead.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/processors.h"

enum { CHUNKS = 4 };
#define WORTH_BYTES (128 << 10) /* of a file, from which on a thread pays */

struct ahead {
	struct ahead_chunk ring[CHUNKS];
	int fd;
	uint64_t offset; /* of the next chunk to be read */
	bool in_use;	 /* the taker has a chunk */
	bool threaded;
	pthread_t thread;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	size_t filled, taken; /* chunks so far */
	bool stop;
};

/* Reads a chunk. Whether there may be another. */
static bool fill(struct ahead *a, struct ahead_chunk *c)
{
	c->chunks.fd = a->fd;
	c->chunks.offset = a->offset;
	c->records = NULL;
	errno = 0;
	c->found = chunks_read(&c->chunks, &c->head, &c->got);
	if (c->found == CHUNKS_WHOLE) {
		c->records = chunks_unpack(&c->chunks, &c->head);
		a->offset += sizeof c->head + c->head.len;
	}
	c->error = c->records ? 0 : errno;
	return c->records != NULL;
}

static void *read_ahead(void *arg)
{
	struct ahead *a = arg;
	bool more = true;

	pthread_mutex_lock(&a->lock);
	while (more && !a->stop) {
		if (a->filled - a->taken == CHUNKS) {
			pthread_cond_wait(&a->changed, &a->lock);
			continue;
		}
		struct ahead_chunk *next = &a->ring[a->filled % CHUNKS];
		pthread_mutex_unlock(&a->lock);
		more = fill(a, next);
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->changed);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct ahead *ahead_new(int fd, uint64_t offset)
{
	struct ahead *a = calloc(1, sizeof *a);
	struct stat st;

	if (!a)
		return NULL;
	a->fd = fd;
	a->offset = offset;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	a->threaded = processors_allowed() > 1 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		      st.st_size >= WORTH_BYTES &&
		      pthread_create(&a->thread, NULL, read_ahead, a) == 0;
	return a;
}

const struct ahead_chunk *ahead_next(struct ahead *a)
{
	if (!a->threaded) {
		fill(a, &a->ring[0]);
		return &a->ring[0];
	}
	pthread_mutex_lock(&a->lock);
	if (a->in_use) {
		a->taken++;
		pthread_cond_signal(&a->changed);
	}
	a->in_use = true;
	while (a->filled == a->taken)
		pthread_cond_wait(&a->changed, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return &a->ring[a->taken % CHUNKS];
}

void ahead_free(struct ahead *a)
{
	if (a->threaded) {
		pthread_mutex_lock(&a->lock);
		a->stop = true;
		pthread_cond_signal(&a->changed);
		pthread_mutex_unlock(&a->lock);
		pthread_join(a->thread, NULL);
	}
	for (size_t i = 0; i < CHUNKS; i++)
		chunks_release(&a->ring[i].chunks);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->changed);
	free(a);
}
