/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_by_batches.c - which values of a label the recordings have, for `ojx report --by LABEL`.
 *
 * Here only those records are looked at that tell what the JVMs are. The recordings of each value
 * are then read as one (report_by.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/analyses.h"
#include "base/grow.h"
#include "base/idmap.h"
#include "base/xmalloc.h"
#include "load.h"
#include "model/labels.h"
#include "report_by.h"
#include "say.h"

/* What a recording says of its JVMs. */
struct head {
	struct model *model;
	struct file_header header;
};

static bool tells_of_jvms(uint16_t type)
{
	return type == FILE_JVM || type == FILE_LABEL || type == FILE_PART || type == FILE_SECRET;
}

static int take(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct head *h = arg;

	(void)time_ns;
	if (!tells_of_jvms(atomic_load_explicit(&rec->type, memory_order_relaxed)))
		return 0;
	return model_feed(h->model, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

/* 0; -1 after a message; 1: it is left out, after a message. */
static int read_head(struct head *h, const struct input_file *file)
{
	uint64_t end_ns;

	*h = (struct head){ .model = xgiven(model_new(analyses)) };
	if (strcmp(file->path, "-") == 0)
		return say_error("--by reads recordings twice: standard input cannot be one");
	enum datafile_result result = datafile_read(file->path, &h->header, &end_ns, take, h);
	if (result == DATAFILE_OK || result == DATAFILE_TRUNCATED)
		return 0;
	load_say_unreadable(file->path, result, errno);
	if (file->named)
		return -1;
	say("'%s' is left out", file->path);
	return 1;
}

static struct by_batch *batch_of(struct by *b, size_t value, const struct file_header *header)
{
	char machine[FILE_MACHINE];

	wire_file_machine(header, machine);
	for (size_t i = 0; i < b->nbatches; i++)
		if (b->batch[i].value == value && strcmp(b->batch[i].machine, machine) == 0)
			return &b->batch[i];
	XGROW(b->batch, b->nbatches, b->batches_room, 4);
	struct by_batch *batch = &b->batch[b->nbatches++];
	*batch = (struct by_batch){ .value = value, .in.name = b->options->inputs.name };
	memcpy(batch->machine, machine, sizeof machine);
	return batch;
}

/* The number of a value; -1 after a message if there are too many. */
static int value_of(struct by *b, const char *text)
{
	for (size_t i = 0; i < b->n; i++)
		if (strcmp(b->value[i].text, text) == 0)
			return (int)i;
	if (b->n == BY_VALUES)
		return say_error("--by: '%s' has more than %d values: choose some of them by "
				 "--label",
				 b->options->by, BY_VALUES);
	b->value[b->n] = (struct by_value){ .text = xstrdup(text) };
	return (int)b->n++;
}

/* Adds a recording to those of each value that its JVMs have. 0, or -1 after a message. */
static int add_recording(struct by *b, const struct head *h, const struct input_file *file)
{
	bool done[BY_VALUES] = { false };

	for (uint32_t jvm = 1; jvm <= model_njvms(h->model); jvm++) {
		if (!filter_takes_jvm(&b->options->common.filter, h->model, jvm))
			continue;
		int i = value_of(b, label_value(h->model, jvm, b->options->by));
		if (i < 0)
			return -1;
		if (done[i])
			continue;
		struct inputs *in = &batch_of(b, (size_t)i, &h->header)->in;
		XGROW(in->file, in->n, in->room, 16);
		in->file[in->n++] = *file; /* its path is that of the options */
		b->value[i].recordings++;
		done[i] = true;
	}
	return 0;
}

/* Looks a JVM up that is in a recording, and remembers it. */
static void look_up(struct idmap *seen, uint64_t part, size_t *again, size_t *all)
{
	++*all;
	if (idmap_get(seen, part))
		++*again;
	else
		xidmap_put(seen, part, seen);
}

/*
 * Whether what is taken of a recording was there before, by itself or in a merged one. -1 after a
 * message: a part of it.
 */
static int is_again(struct idmap *seen, const struct by *b, const struct head *h, const char *path)
{
	const struct model *m = h->model;
	size_t again = 0, all = 0;

	for (uint32_t jvm = 1; jvm <= model_njvms(m); jvm++) {
		if (!filter_takes_jvm(&b->options->common.filter, m, jvm))
			continue;
		for (size_t i = 0; i < model_nparts(m); i++)
			look_up(seen, model_part(m, i)->record.id, &again, &all);
		if (!model_nparts(m))
			look_up(seen, merge_part_id(m, h->header.start_unix_ns, jvm), &again, &all);
	}
	return again == 0 || again == all ? again > 0 : load_say_overlaps(path);
}

/* 0, or -1 after a message. */
static int add_once(struct by *b, struct idmap *seen, const struct input_file *file)
{
	struct head h;
	int result = read_head(&h, file);

	if (result == 0) {
		int again = is_again(seen, b, &h, file->path);
		if (again > 0)
			load_say_again(file->path);
		result = again == 0 ? add_recording(b, &h, file) : again;
	}
	model_free(h.model);
	return result < 0 ? -1 : 0;
}

int by_find_batches(struct by *b)
{
	const struct inputs *in = &b->options->inputs;
	struct idmap seen = { 0 };
	int result = 0;

	for (size_t i = 0; i < in->n && result == 0; i++)
		result = add_once(b, &seen, &in->file[i]);
	idmap_release(&seen);
	if (result < 0)
		return -1;
	return b->n > 0 ? 0 : say_error("no JVM of '%s' has such labels", in->name);
}

void by_release_batches(struct by *b)
{
	for (size_t i = 0; i < b->nbatches; i++)
		free(b->batch[i].in.file);
	free(b->batch);
}
