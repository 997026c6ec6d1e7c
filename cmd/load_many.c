/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_many.c - see load.h: reads several recordings, which are pooled (lib/merge/).
 *
 * A file that was named must be readable. One that was found in a directory or by a pattern is left
 * out if it is not, after a message: one of a thousand machines may have been switched off.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "analyse/analyses.h"
#include "load.h"
#include "out_of_memory.h"
#include "report/filter.h"
#include "say.h"

struct reading {
	struct merge_input *in;
	uint64_t bad; /* records that make no sense, which an agent alone wrote */
};

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	struct reading *r = arg;

	(void)time_ns;
	progress_add(show_progress_now(), len);
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

/* Adds one. 0, or -1 after a message. */
static int add(struct merge *m, const struct input_file *file, const struct filter *filter)
{
	struct reading r = { .in = merge_begin(m) };
	struct file_header header = { .start_unix_ns = 0 };
	uint64_t end_ns = 0;
	const char *name = strcmp(file->path, "-") == 0 ? "standard input" : file->path;

	errno = 0;
	enum datafile_result result = datafile_read(file->path, &header, &end_ns, feed_record, &r);
	int error = errno;
	if (result == DATAFILE_ERRNO && error == ENOMEM)
		out_of_memory();
	if (result != DATAFILE_OK && result != DATAFILE_TRUNCATED) {
		merge_abandon(r.in);
		load_say_unreadable(name, result, error);
		if (!file->named)
			say("'%s' is left out", name);
		return file->named ? -1 : 0;
	}
	if (result == DATAFILE_TRUNCATED)
		say("'%s' is still being written or cut short: taking what is there", name);
	if (r.bad)
		say("'%s' has %" PRIu64 " records that make no sense: they are left out", name,
		    r.bad);
	return say_added(name, merge_end(r.in, &header, end_ns, wants, filter), filter);
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
	for (size_t i = 0; i < in->n; i++)
		if (add(m, &in->file[i], filter) < 0)
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
