/* SPDX-License-Identifier: Apache-2.0 */
/* make_data_large.c - the kinds `many`, `pairs` and `day` of make_data.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "builder.h"
#include "make_data.h"
#include "record/recorder.h"

enum {
	PAIRS_OBJECTS = 5000000,
	PAIRS_EPOCH = 500000, /* objects between two collections */
	PAIRS_PLACES = 3,
	PAIRS_NS = 720000, /* from one object to the next */
	PAIRS_BYTES = 64 << 20,
};
enum { DAY_OBJECTS = 100000, DAY_CONTEXTS = 10000, DAY_EPOCH = 10000, DAY_NS = 6000000 };
enum { MANY = 100000, MANY_METHODS = 4000, MANY_DEPTH = 30, MANY_USED = 20, MANY_CHUNK = 1000 };

/* The n-th stack: at each level one of a few callees, fewer on the outside. */
static void add_many_stack(struct builder *b, uint32_t n)
{
	struct wire_frame frames[MANY_DEPTH];
	uint64_t path = 0;

	for (uint32_t level = 0; level < MANY_DEPTH; level++) {
		uint32_t choices = level < MANY_DEPTH / 2 ? 1 + level % 2 : 3;
		path = path * 31 + build_random(n * 64ull + level) % choices + 1;
		frames[MANY_DEPTH - 1 - level] = (struct wire_frame){
			.method = 1 + build_random(path) % MANY_METHODS,
		};
	}
	build_stack(b, n, 0, frames, MANY_DEPTH);
}

static void add_many_definitions(struct builder *b)
{
	char class_name[64], method[32], file[32];
	const struct build_field fields[] = { { "x", NULL, 'I', 12 }, { "y", NULL, 'I', 16 } };

	for (uint32_t i = 1; i <= MANY_METHODS; i++) {
		snprintf(class_name, sizeof class_name, "Lcom/acme/module%u/Class%u;", i % 40,
			 i / 8);
		snprintf(method, sizeof method, "method%u", i % 8);
		snprintf(file, sizeof file, "Class%u.java", i / 8);
		data_method(b, i, class_name, method, file);
	}
	for (uint32_t i = 1; i <= 500; i++) {
		snprintf(class_name, sizeof class_name, "Lcom/acme/data/Value%u;", i);
		build_class(b, i, class_name, fields, 2);
	}
}

int data_write_many(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	int result;

	data_jvm(&b, 4711, MANY * MANY_USED, NULL);
	add_many_definitions(&b);
	result = data_write(w, 1, &b);
	for (uint32_t i = 1; i <= MANY && result == 0; i++) {
		add_many_stack(&b, i);
		build_context(&b, i, 1 + i % 500, i);
		build_count(&b, i, 0, 24, MANY_USED, 1000.0 + (double)(build_random(i) % 100000));
		for (uint32_t k = 0; k < MANY_USED; k++) {
			uint32_t value = (uint32_t)(build_random(i * 64ull + k) % (1 + i % 9));
			struct wire_snapshot snapshot = { .context = i,
							  .content = value,
							  .weight = 50,
							  .ticket = (uint32_t)build_random(
								  i * 64ull + k) };
			build_snapshot(&b, &snapshot, (uint32_t[]){ value, 5 }, 2);
		}
		struct wire_use use = { .context = i,
					.size = 4,
					.access = i,
					.content = build_random(i * 64ull) % (1 + i % 9),
					.weight = 50,
					.ticket = (uint32_t)build_random(i * 64ull) };
		build_use(&b, &use);
		if (i % MANY_CHUNK == 0)
			result = data_write(w, 1, &b);
	}
	return result;
}

/* The state of data_write_pairs. */
struct pairs_state {
	struct recorder recorder;
	struct builder b;
	uint32_t contexts, objects, epoch; /* objects of a collection */
	uint64_t ns;			   /* from one object to the next */
	unsigned char *seen;		   /* contexts that are defined, by id */
};

/* Does with the records in the builder what `ojx record` does. */
static int record(struct pairs_state *p)
{
	int result = 0;

	for (const struct wire_rec *rec = builder_next(&p->b, NULL); rec && result == 0;
	     rec = builder_next(&p->b, rec))
		if (recorder_take(&p->recorder, 1, rec, rec->len) == MODEL_BAD)
			result = -1;
	p->b.len = 0;
	return p->recorder.failed ? -1 : result;
}

/* The n-th object: the k-th most frequent context has 1/k of the most frequent one's. */
static int record_object(struct pairs_state *p, uint32_t n)
{
	double uniform = (double)(build_random(5 * (uint64_t)n) >> 11) * 0x1p-53;
	uint32_t i = (uint32_t)fmin(p->contexts, pow(p->contexts, uniform)),
		 used = n % PAIRS_PLACES;
	uint32_t x = (uint32_t)(build_random(5 * (uint64_t)n + 1) % (1 + i % 9)), y = i % 7;
	uint64_t content = build_random((uint64_t)x << 32 | y);

	if (!p->seen[i]) {
		add_many_stack(&p->b, i);
		build_context(&p->b, i, 1 + i % 500, i);
		p->seen[i] = 1;
	}
	build_alloc(&p->b, i, 0, 24, 50);
	struct wire_snapshot snapshot = { .context = i,
					  .epoch = n / p->epoch,
					  .content = content,
					  .weight = 50,
					  .ticket = (uint32_t)build_random(5 * (uint64_t)n + 2) };
	build_snapshot(&p->b, &snapshot, (uint32_t[]){ x, y }, 2);
	struct wire_use use = { .context = i,
				.epoch = snapshot.epoch,
				.size = 4,
				.access = 1 + (i + used) % 100, /* stacks that are there early */
				.position = n & 1,
				.value = n & 1 ? y : x,
				.content = content,
				.weight = 50,
				.ticket = snapshot.ticket };
	build_use(&p->b, &use);
	return record(p);
}

static int write_objects(struct datafile_writer *w, struct pairs_state p)
{
	static const struct analysis *const none[] = { NULL }; /* objects alone */

	p.recorder =
		(struct recorder){ .model = model_new(none), .writer = w, .max_size = PAIRS_BYTES };
	p.seen = calloc(MANY + 1, 1);
	int result = p.recorder.model && p.seen ? 0 : -1;
	if (result == 0) {
		data_jvm(&p.b, 4711, p.objects, NULL);
		add_many_definitions(&p.b);
		result = record(&p);
	}
	for (uint32_t n = 0; n < p.objects && result == 0; n++) {
		p.recorder.now_ns += p.ns;
		result = record_object(&p, n);
		if (recorder_flush_due(&p.recorder, false))
			recorder_flush(&p.recorder);
	}
	recorder_flush(&p.recorder);
	if (p.recorder.failed)
		result = -1;
	builder_release(&p.b);
	free(p.seen);
	recorder_release(&p.recorder);
	model_free(p.recorder.model);
	return result;
}

int data_write_pairs(struct datafile_writer *w)
{
	return write_objects(w, (struct pairs_state){ .contexts = MANY,
						      .objects = PAIRS_OBJECTS,
						      .epoch = PAIRS_EPOCH,
						      .ns = PAIRS_NS });
}

int data_write_day(struct datafile_writer *w)
{
	return write_objects(w, (struct pairs_state){ .contexts = DAY_CONTEXTS,
						      .objects = DAY_OBJECTS,
						      .epoch = DAY_EPOCH,
						      .ns = DAY_NS });
}
