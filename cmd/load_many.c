/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_many.c - see load.h: reads several recordings, which are pooled (lib/merge/).
 *
 * A file that was named must be readable. One that was found in a directory or by a pattern is left
 * out if it is not, after a message: one of a thousand machines may have been switched off.
 *
 * A thread reads the next file while this one is merged. Without a thread, that is done later.
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
	const struct input_file *file;
	struct merge_input *in;
	struct progress *progress;
	uint64_t bad; /* records that make no sense, which an agent alone wrote */
	struct file_header header;
	uint64_t end_ns;
	enum datafile_result result;
	int error; /* of `result` */
	bool threaded;
	pthread_t thread;
};

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct reading *r = arg;

	(void)time_ns;
	progress_add(r->progress, len);
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
		say("'%s' is among the others already: it counts once", path);
		return 0;
	case MERGE_OVERLAPS:
		return say_error("'%s' has some of the recordings that are named before it: name "
				 "it before these, which then count once; if both are merged, "
				 "merge again from what they were made of",
				 path);
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

static void *read_file(void *arg)
{
	struct reading *r = arg;

	errno = 0;
	r->result = datafile_read(r->file->path, &r->header, &r->end_ns, feed_record, r);
	r->error = errno;
	return NULL;
}

static void start(struct reading *r, struct merge *m, const struct input_file *file)
{
	*r = (struct reading){ .file = file,
			       .in = merge_begin(m),
			       .progress = show_progress_now() };
	r->threaded = pthread_create(&r->thread, NULL, read_file, r) == 0;
}

static void finish(struct reading *r)
{
	if (r->threaded)
		pthread_join(r->thread, NULL);
	else
		read_file(r);
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

static int add_all(struct merge *m, const struct inputs *in, const struct filter *filter)
{
	struct reading reading[2];
	int result = 0;

	start(&reading[0], m, &in->file[0]);
	for (size_t i = 0; i < in->n; i++) {
		struct reading *now = &reading[i % 2];
		bool more = i + 1 < in->n;
		finish(now);
		if (more)
			start(&reading[(i + 1) % 2], m, &in->file[i + 1]);
		result = add(now, filter);
		if (result == 0)
			continue;
		if (more) {
			finish(&reading[(i + 1) % 2]);
			merge_abandon(reading[(i + 1) % 2].in);
		}
		break;
	}
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
