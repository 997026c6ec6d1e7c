/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_data.c - writes small recordings for test/t_report.sh, without any JVM.
 *
 *	make-data KIND FILE
 *
 * full	    two JVMs. Of the first: 2000 com.acme.Point, all equal, made in ArrayList.grow for two
 *methods of com.acme.Shop; 300 com.acme.Order, all different; 3 byte[]. Of the second: 100 Points.
 * no-jvm   the command started none
 * no-object  a JVM, but no object of it; the JVM has something to say
 * hostile  names and arguments that would steer a terminal
 * findings what `full` has, and of both JVMs wasted accesses of all kinds, and accesses to objects
 *by time and by page faults
 * lives    what `full` has, and lives of objects
 * values   what `full` has, recorded with --values: the text "secret"
 * markup   what `full` has, and names, arguments and notes that would become part of a page
 * signs    what `full` has, and names, files and arguments with the signs of XML, Markdown and URIs
 * moved    what `full` has, five lines further down
 * many	    100 000 contexts, on stacks of 30 frames that share the outer ones, of 20 objects each
 * pairs    the same contexts, as a program would fill them: some of them make most of 5 million
 *objects, each seen by the scan and by a watch, in an hour. 10 million records, of which the file
 *has what `ojx record` keeps
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "record/recorder.h"

enum { GROW = 1, LOAD, STORE, MAIN };

#define LIFE_UNIT 100000000ull /* ns */

static const char escape[] = "\x1b[2J\x1b]0;title\x07";

static const char script[] = "</script><script>hacked=1</script><!--";
static const char signs[] = "\"'%25]]>|<b>&amp;`*_$x$ :,#\t\n::error::hacked";
static int shift; /* of line numbers */
static const char image[] = "<img src=x onerror=hacked=1>";

enum {
	PAIRS_OBJECTS = 5000000,
	PAIRS_EPOCH = 500000, /* objects between two collections */
	PAIRS_PLACES = 3,
	PAIRS_NS = 720000, /* from one object to the next */
	PAIRS_BYTES = 64 << 20,
};
enum { MANY = 100000, MANY_METHODS = 4000, MANY_DEPTH = 30, MANY_USED = 20, MANY_CHUNK = 1000 };

static void add_method(struct builder *b, uint64_t id, const char *class_name, const char *name,
		       const char *file)
{
	struct wire_line line = { .bci = 0, .line = (uint16_t)(10 * id + (unsigned)shift) };

	build_method(b, id, class_name, name, file, &line, 1);
}

static void add_definitions(struct builder *b, const char *order)
{
	const struct build_field fields[] = { { "x", NULL, 'I', 12 }, { "y", NULL, 'I', 16 } };
	const struct wire_frame load[] = { { .method = GROW }, { .method = LOAD } };
	const struct wire_frame store[] = { { .method = GROW }, { .method = STORE } };
	const struct wire_frame use[] = { { .method = MAIN } };

	add_method(b, GROW, "Ljava/util/ArrayList;", "grow", "ArrayList.java");
	add_method(b, LOAD, "Lcom/acme/Shop;", "load", "Shop.java");
	add_method(b, STORE, "Lcom/acme/Shop;", "store", "Shop.java");
	add_method(b, MAIN, "Lcom/acme/Shop;", "main", "Shop.java");
	build_stack(b, 1, 0, load, 2);
	build_stack(b, 2, 0, store, 2);
	build_stack(b, 3, 0, use, 1);
	build_class(b, 1, "Lcom/acme/Point;", fields, 2);
	build_class(b, 2, order, fields, 2);
	build_class(b, 3, "[B", NULL, 0);
}

/* `n` objects of a context, each seen by the scan and by a watch; contents all equal or not. */
static void add_objects(struct builder *b, uint32_t context, uint32_t n, bool equal)
{
	build_count(b, context, 0, 24, n, 100.0 * n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t content = equal ? 7 : build_random(i);
		uint32_t slots[2] = { (uint32_t)content, 5 };
		struct wire_snapshot snapshot = { .context = context,
						  .content = content,
						  .weight = 100 };
		struct wire_use use = { .context = context,
					.flags = i % 2 ? WIRE_PARTNER : 0,
					.size = 4,
					.access = 3,
					.value = content,
					.content = content,
					.weight = 100 };
		snapshot.ticket = (uint32_t)build_random(2 * i);
		use.ticket = (uint32_t)build_random(2 * i + 1);
		build_snapshot(b, &snapshot, slots, 2);
		build_use(b, &use);
	}
}

/* `n` pairs of accesses at two stacks; `insn` is the second's, a store or a load of four bytes. */
static void add_waste(struct builder *b, uint8_t kind, uint32_t n, uint32_t watched,
		      uint32_t trapped, bool wasted)
{
	static const uint8_t store[] = { 0x89, 0x48, 0x08 }, load[] = { 0x8b, 0x48, 0x08 };

	for (uint32_t i = 0; i < n; i++) {
		struct wire_waste *w = build_record(b, WIRE_WASTE, sizeof *w);
		w->kind = kind;
		w->watched = watched;
		w->trapped = trapped;
		w->bytes = 4;
		w->wasted = wasted;
		w->insn_len[1] = sizeof store;
		memcpy(w->insn[1], kind == WIRE_SILENT_LOAD ? load : store, sizeof store);
	}
}

static void add_accesses(struct builder *b, uint32_t n, uint32_t context, uint32_t stack,
			 double weight, uint16_t flags)
{
	for (uint32_t i = 0; i < n; i++) {
		struct wire_access *a = build_record(b, WIRE_ACCESS, sizeof *a);
		a->context = context;
		a->class_id = context ? 0 : 3;
		a->stack = stack;
		a->weight = weight;
		a->hit = context ? i + 1 : 0;
		a->flags = flags;
		a->cpu_node = a->page_node = WIRE_NO_NODE;
	}
}

static void add_jvm(struct builder *b, int32_t pid, uint64_t sampled, const char *note)
{
	struct file_status status = { .sampled = sampled,
				      .scanned = sampled,
				      .cpu_ns = 1000000000,
				      .callback_ns = 5000000,
				      .wall_ns = 2000000000,
				      .nnotes = note ? 1 : 0 };

	if (note)
		strcpy(status.note[0], note);
	build_jvm(b, pid, WIRE_ENGINE_WATCH | WIRE_ENGINE_SCAN, "OpenJDK 64-Bit Server VM",
		  "17.0.15+6", "G1");
	build_status(b, &status);
}

static int write_all(struct datafile_writer *w, uint32_t jvm, struct builder *b)
{
	int result = 0;

	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r))
		if (datafile_write(w, jvm, r, r->len) < 0)
			result = -1;
	builder_release(b);
	return result;
}

static int write_first(struct datafile_writer *w, const char *order)
{
	struct builder b = BUILDER_INIT;

	add_jvm(&b, 4711, 2303, NULL);
	add_definitions(&b, order);
	build_context(&b, 1, 1, 1);
	build_context(&b, 2, 2, 1);
	build_context(&b, 3, 3, 2);
	build_context(&b, 4, 1, 2);
	add_objects(&b, 1, 1000, true);
	add_objects(&b, 2, 300, false);
	add_objects(&b, 3, 3, true);
	add_objects(&b, 4, 1000, true);
	return write_all(w, 1, &b);
}

static int write_second(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;

	add_jvm(&b, 4712, 100, "all is well");
	add_definitions(&b, "Lcom/acme/Order;");
	build_context(&b, 1, 1, 1);
	add_objects(&b, 1, 100, true);
	return write_all(w, 2, &b);
}

/* The program's texts. */
static int write_values(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;

	build_value(&b, 1, 7, "secret");
	return write_all(w, 1, &b);
}

/* Contexts of an object whose class, method and file are markup. */
static int write_markup(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	char class_name[128];

	add_jvm(&b, 4713, 50, script);
	add_definitions(&b, "Lcom/acme/Order;");
	snprintf(class_name, sizeof class_name, "Lcom/acme/%s;", image);
	const struct wire_frame evil[] = { { .method = MAIN + 1 }, { .method = MAIN } };
	add_method(&b, MAIN + 1, "Lcom/acme/Shop;", script, "Shop.java");
	build_stack(&b, 4, 0, evil, 2);
	build_class(&b, 4, class_name, NULL, 0);
	build_context(&b, 1, 4, 4);
	add_objects(&b, 1, 50, true);
	return write_all(w, 3, &b);
}

/* A context whose class, method and file have all signs that some format takes for its own. */
static int write_signs(struct datafile_writer *w)
{
	const struct wire_frame frames[] = { { .method = MAIN + 1 }, { .method = MAIN } };
	const struct build_field field = { signs, NULL, 'I', 12 };
	struct builder b = BUILDER_INIT;
	char class_name[128], file[128];

	add_jvm(&b, 4713, 1000, signs);
	add_definitions(&b, "Lcom/acme/Order;");
	snprintf(class_name, sizeof class_name, "Lcom/acme/%s;", signs);
	snprintf(file, sizeof file, "%s.java", signs);
	add_method(&b, MAIN + 1, "Lcom/acme/Shop;", signs, file);
	build_stack(&b, 4, 0, frames, 2);
	build_class(&b, 4, class_name, &field, 1);
	build_context(&b, 1, 4, 4);
	add_objects(&b, 1, 1000, true);
	return write_all(w, 3, &b);
}

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
		add_method(b, i, class_name, method, file);
	}
	for (uint32_t i = 1; i <= 500; i++) {
		snprintf(class_name, sizeof class_name, "Lcom/acme/data/Value%u;", i);
		build_class(b, i, class_name, fields, 2);
	}
}

static int write_many(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	int result;

	add_jvm(&b, 4711, MANY * MANY_USED, NULL);
	add_many_definitions(&b);
	result = write_all(w, 1, &b);
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
			result = write_all(w, 1, &b);
	}
	return result;
}

/* The state of write_pairs. */
struct pairs_state {
	struct recorder recorder;
	struct builder b;
	unsigned char *seen; /* contexts that are defined, by id */
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
	uint32_t i = (uint32_t)fmin(MANY, pow(MANY, uniform)), used = n % PAIRS_PLACES;
	uint32_t x = (uint32_t)(build_random(5 * (uint64_t)n + 1) % (1 + i % 9)), y = i % 7;
	uint64_t content = build_random((uint64_t)x << 32 | y);

	if (!p->seen[i]) {
		add_many_stack(&p->b, i);
		build_context(&p->b, i, 1 + i % 500, i);
		p->seen[i] = 1;
	}
	build_alloc(&p->b, i, 0, 24, 50);
	struct wire_snapshot snapshot = { .context = i,
					  .epoch = n / PAIRS_EPOCH,
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

static int write_pairs(struct datafile_writer *w)
{
	static const struct analysis *const none[] = { NULL }; /* objects alone */
	struct pairs_state p = {
		.recorder = { .model = model_new(none), .writer = w, .max_size = PAIRS_BYTES },
		.seen = calloc(MANY + 1, 1)
	};
	int result = p.recorder.model && p.seen ? 0 : -1;

	if (result == 0) {
		add_jvm(&p.b, 4711, PAIRS_OBJECTS, NULL);
		add_many_definitions(&p.b);
		result = record(&p);
	}
	for (uint32_t n = 0; n < PAIRS_OBJECTS && result == 0; n++) {
		p.recorder.now_ns += PAIRS_NS;
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

/* Of a JVM that has been written. */
static int write_findings(struct datafile_writer *w, uint32_t jvm)
{
	struct builder b = BUILDER_INIT;
	const uint16_t load = WIRE_ACCESS_LOAD | WIRE_ACCESS_TIME;

	add_waste(&b, WIRE_DEAD_STORE, 30 * jvm, 1, 2, true);
	add_waste(&b, WIRE_DEAD_STORE, 10, 2, 2, true);
	add_waste(&b, WIRE_DEAD_STORE, 60, 1, 2, false);
	add_waste(&b, WIRE_SILENT_STORE, 20, 2, 1, true);
	add_waste(&b, WIRE_SILENT_LOAD, 47 * jvm, 3, 3, true);
	add_waste(&b, WIRE_SILENT_LOAD, 3, 3, 1, false);
	add_accesses(&b, 60, 1, 3, 1, load);
	add_accesses(&b, 20, 1, 2, 1.75, load);
	add_accesses(&b, 20, 0, 3, 0, load);
	add_accesses(&b, 15, 1, 1, 1, WIRE_ACCESS_STORE | WIRE_ACCESS_FAULT);
	return write_all(w, jvm, &b);
}

/* Of the first JVM: a tenth of a second after the other, objects that live ever longer. */
static int write_lives(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	const struct wire_moment end = { .ns = 100 * LIFE_UNIT };

	for (uint64_t i = 1; i <= 99; i++) {
		bool dead = 11 * i < 100;
		struct wire_life *l = build_record(&b, dead ? WIRE_LIFE : WIRE_LIVING, sizeof *l);
		l->context = 1;
		l->size = 24;
		l->weight = 10;
		l->birth.ns = i * LIFE_UNIT;
		l->before.ns = l->alive.ns = dead ? (11 * i - 1) * LIFE_UNIT : end.ns;
		l->dead.ns = dead ? 11 * i * LIFE_UNIT : 0;
	}
	struct wire_census *census = build_record(&b, WIRE_CENSUS, sizeof *census);
	census->objects = 90;
	census->now = census->collected = census->marked = end;
	return write_all(w, 1, &b);
}

static int write_kind(struct datafile_writer *w, const char *kind)
{
	struct builder b = BUILDER_INIT;
	char order[64];

	if (strcmp(kind, "full") == 0)
		return write_first(w, "Lcom/acme/Order;") < 0 || write_second(w) < 0 ? -1 : 0;
	if (strcmp(kind, "findings") == 0)
		return write_kind(w, "full") < 0 || write_findings(w, 1) < 0 ||
				       write_findings(w, 2) < 0
			       ? -1
			       : 0;
	if (strcmp(kind, "lives") == 0)
		return write_kind(w, "full") < 0 || write_lives(w) < 0 ? -1 : 0;
	if (strcmp(kind, "values") == 0)
		return write_kind(w, "full") < 0 || write_values(w) < 0 ? -1 : 0;
	if (strcmp(kind, "markup") == 0)
		return write_kind(w, "full") < 0 || write_markup(w) < 0 ? -1 : 0;
	if (strcmp(kind, "signs") == 0)
		return write_kind(w, "full") < 0 || write_signs(w) < 0 ? -1 : 0;
	shift = strcmp(kind, "moved") == 0 ? 5 : 0;
	if (shift)
		return write_kind(w, "full");
	if (strcmp(kind, "many") == 0)
		return write_many(w);
	if (strcmp(kind, "pairs") == 0)
		return write_pairs(w);
	if (strcmp(kind, "hostile") == 0) {
		snprintf(order, sizeof order, "Lcom/acme/%s;", escape);
		return write_first(w, order);
	}
	if (strcmp(kind, "no-object") == 0) {
		add_jvm(&b, 4711, 0, "it began too late");
		return write_all(w, 1, &b);
	}
	errno = EINVAL;
	return strcmp(kind, "no-jvm") == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	const char *command[] = { "java", "Shop",
				  strcmp(kind, "hostile") == 0	? escape
				  : strcmp(kind, "markup") == 0 ? script
				  : strcmp(kind, "signs") == 0	? signs
								: NULL,
				  NULL };
	struct builder b = BUILDER_INIT;

	if (argc != 3) {
		fputs("usage: make-data KIND FILE\n", stderr);
		return 2;
	}
	struct datafile_writer *w = datafile_create(argv[2]);
	if (!w) {
		perror(argv[2]);
		return 1;
	}
	build_command(&b, command);
	int result = write_all(w, 0, &b);
	if (result == 0)
		result = write_kind(w, argv[1]);
	build_end(&b, 2000000000, 0);
	if (write_all(w, 0, &b) < 0)
		result = -1;
	if (datafile_close(w) < 0 || result < 0) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
