/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_many.c - see load.h: reads several recordings, which are pooled (lib/merge/).
 *
 * A file that was named must be readable. One that was found in a directory or by a pattern is left
 * out if it is not, after a message: one of a thousand machines may have been switched off.
 *
 * Threads read files, as many at once as there are processors, each into a model of its own. What
 * they have read is merged here, in the order of the files: so messages and the result are those
 * of one thread. Without threads, a file is read when its turn comes.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "analyse/analyses.h"
#include "load.h"
#include "out_of_memory.h"
#include "report/filter.h"
#include "say.h"

/* A file, as it is read. */
struct reading {
	const struct input_file *file; /* NULL: none */
	struct merge_input *in;
	struct progress *progress;
	uint64_t unshown; /* bytes that were read, and are not in `progress` yet */
	uint64_t bad;	  /* records that make no sense, which an agent alone wrote */
	struct file_header header;
	uint64_t end_ns;
	enum datafile_result result;
	int error; /* of `result` */
};

/* Few readers are as fast as the one that merges what they read. */
enum { READERS = 8, SHOWN_BYTES = 1 << 16 };

/* The files that are read at the same time. */
struct readers {
	struct merge *merge;
	const struct inputs *in;
	struct reading ring[READERS + 1]; /* file i is at i % room */
	size_t room;
	pthread_t thread[READERS];
	size_t nthreads;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t changed;
	bool done[READERS + 1]; /* what is in the ring was read */
	size_t next;		/* the file that is read next */
	size_t added;		/* files that were read and merged */
	bool stop;
};

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct reading *r = arg;

	(void)time_ns;
	r->unshown += len;
	if (r->unshown >= SHOWN_BYTES) {
		progress_add(r->progress, r->unshown);
		r->unshown = 0;
	}
	if (merge_feed(r->in, jvm, rec, len) != MODEL_BAD)
		return 0;
	if (!model_can_skip(jvm, rec))
		return -1;
	r->bad++;
	return 0;
}

static bool wants(const struct model *m, uint32_t jvm, const void *arg)
{
	return filter_takes_jvm(arg, m, jvm);
}

/* Says what became of the recording. 0, or -1 where that is an error. */
static int say_added(const char *path, enum merge_added added, const struct filter *filter)
{
	switch (added) {
	case MERGE_NOTHING:
		say("'%s' has no JVM%s: it is left out", path,
		    filter->nlabels ? " with such labels" : "");
		return 0;
	case MERGE_THERE:
		load_say_again(path);
		return 0;
	case MERGE_OVERLAPS:
		return load_say_overlaps(path);
	case MERGE_MACHINE:
		return say_error("'%s' was recorded on another kind of processor than those "
				 "before it: these cannot be merged",
				 path);
	case MERGE_MANY:
		return say_error("with '%s' there are more than %u allocation contexts: merge "
				 "recordings of one program",
				 path, 1u << 20);
	default:
		return 0;
	}
}

/* `take_part`: other threads read, too. */
static void read_file(struct reading *r, struct merge *m, const struct input_file *file,
		      bool take_part)
{
	typeof(datafile_read) *read = take_part ? datafile_read_alone : datafile_read;

	*r = (struct reading){ .file = file,
			       .in = merge_begin(m),
			       .progress = show_progress_now() };
	errno = 0;
	r->result = read(file->path, &r->header, &r->end_ns, feed_record, r);
	r->error = errno;
}

/* Adds one that was read. 0, or -1 after a message. */
static int add(struct reading *r, const struct filter *filter)
{
	const char *path = r->file->path;
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;

	if (r->result == DATAFILE_ERRNO && r->error == ENOMEM)
		out_of_memory();
	if (r->result != DATAFILE_OK && r->result != DATAFILE_TRUNCATED) {
		merge_abandon(r->in);
		load_say_unreadable(name, r->result, r->error);
		if (!r->file->named)
			say("'%s' is left out", name);
		return r->file->named ? -1 : 0;
	}
	if (r->result == DATAFILE_TRUNCATED && merge_is_of_many(r->in)) {
		merge_abandon(r->in);
		say("'%s' is a merged recording that is cut short: merge again%s", name,
		    r->file->named ? "" : "; it is left out");
		return r->file->named ? -1 : 0;
	}
	if (r->result == DATAFILE_TRUNCATED)
		say("'%s' is still being written or cut short: taking what is there", name);
	if (r->bad)
		say("'%s' has %" PRIu64 " records that make no sense: they are left out", name,
		    r->bad);
	return say_added(name, merge_end(r->in, &r->header, r->end_ns, wants, filter), filter);
}

/* ---- threads ------------------------------------------------------------------------------- */

static void *read_files(void *arg)
{
	struct readers *all = arg;

	pthread_mutex_lock(&all->lock);
	while (!all->stop && all->next < all->in->n) {
		if (all->next == all->added + all->room) {
			pthread_cond_wait(&all->changed, &all->lock);
			continue;
		}
		size_t i = all->next++;
		struct reading *r = &all->ring[i % all->room];
		pthread_mutex_unlock(&all->lock);
		read_file(r, all->merge, &all->in->file[i], true);
		pthread_mutex_lock(&all->lock);
		all->done[i % all->room] = true;
		pthread_cond_broadcast(&all->changed);
	}
	pthread_mutex_unlock(&all->lock);
	return NULL;
}

static void start(struct readers *all, struct merge *m, const struct inputs *in)
{
	size_t n = processors_allowed();

	*all = (struct readers){ .merge = m, .in = in };
	n = n < READERS ? n : READERS;
	n = n < in->n ? n : in->n;
	all->room = n + 1;
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->changed, NULL);
	for (size_t i = 0; n > 1 && i < n; i++)
		if (pthread_create(&all->thread[all->nthreads], NULL, read_files, all) == 0)
			all->nthreads++;
}

/* The next file, as soon as it was read. */
static struct reading *wait_for(struct readers *all)
{
	size_t i = all->added;
	struct reading *r = &all->ring[i % all->room];

	if (all->nthreads == 0) {
		read_file(r, all->merge, &all->in->file[i], false);
		return r;
	}
	pthread_mutex_lock(&all->lock);
	while (!all->done[i % all->room])
		pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
	return r;
}

/* It was merged: its place is free. */
static void pass(struct readers *all, struct reading *r)
{
	pthread_mutex_lock(&all->lock);
	r->file = NULL;
	all->done[all->added++ % all->room] = false;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

static void stop(struct readers *all)
{
	pthread_mutex_lock(&all->lock);
	all->stop = true;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
	for (size_t i = 0; i < all->nthreads; i++)
		pthread_join(all->thread[i], NULL);
	for (size_t i = 0; i < all->room; i++)
		if (all->ring[i].file)
			merge_abandon(all->ring[i].in);
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->changed);
}

static int add_all(struct merge *m, const struct inputs *in, const struct filter *filter)
{
	struct readers all;
	int result = 0;

	start(&all, m, in);
	while (result == 0 && all.added < in->n) {
		struct reading *r = wait_for(&all);
		result = add(r, filter);
		pass(&all, r);
	}
	stop(&all);
	return result;
}

int load_merge(struct merge *m, const struct inputs *in, const struct filter *filter)
{
	uint64_t total = 0;

	for (size_t i = 0; i < in->n; i++) {
		struct stat st;
		if (stat(in->file[i].path, &st) == 0 && S_ISREG(st.st_mode))
			total += (uint64_t)st.st_size;
	}
	progress_begin(show_progress_now(), "reading", total);
	if (add_all(m, in, filter) < 0)
		return -1;
	if (merge_size(m).parts == 0)
		return say_error("'%s': no JVM was recorded in any of %zu files", in->name, in->n);
	return 0;
}

static int feed_merged(uint32_t jvm, const struct wire_rec *rec, uint32_t len, void *arg)
{
	if (model_feed(arg, jvm, rec, len) == MODEL_BAD && errno == ENOMEM)
		out_of_memory();
	return 0;
}

int load_pooled(struct loaded *l, const struct inputs *in, const struct filter *filter,
		struct file_header *header)
{
	struct merge *m = merge_new(analyses);
	int result = load_merge(m, in, filter);

	*l = (struct loaded){ .model = xgiven(model_new(analyses)) };
	if (result == 0) {
		*header = merge_header(m);
		merge_emit(m, feed_merged, l->model);
		model_set_machine(l->model, header);
	}
	merge_free(m);
	return result;
}
