/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_data.c - writes recordings for tests, without any JVM.
 *
 *	make-data KIND FILE
 *	make-data text FILE <TEXT
 *
 * text       the recording whose records `ojx dump` prints like this
 * full       two JVMs. Of the first: 2000 com.acme.Point, all equal, made in ArrayList.grow for
 *            two methods of com.acme.Shop; 300 com.acme.Order, all different; 3 byte[]. Of the
 *            second: 100 Points.
 * no-jvm     the command started none
 * no-object  a JVM, but no object of it; the JVM has something to say
 * hostile    names and arguments that would steer a terminal
 * findings   what `full` has, and of both JVMs wasted accesses of all kinds, and accesses to
 *            objects by time and by page faults
 * lives      what `full` has, and lives of objects
 * values     what `full` has, recorded with --values: the text "secret"
 * markup     what `full` has, and names, arguments and notes that would become part of a page
 * signs      what `full` has, and names, files and arguments with the signs of XML, Markdown and
 *            URIs
 * secrets    what `full` has, and "hunter" in all parts of the command line and "4711081512" in
 *            names of threads, where programs have passwords and numbers of customers
 * moved      what `full` has, five lines further down
 * unkeyed    a text and a number whose hashes have no key, so that they can be guessed
 * many       100 000 contexts, on stacks of 30 frames that share the outer ones, of 20 objects each
 * pairs      the same contexts, as a program would fill them: some of them make most of 5 million
 *            objects, each seen by the scan and by a watch, in an hour. 10 million records, of
 *            which the file has what `ojx record` keeps
 * day        the same of 10 000 contexts and 100 000 objects in ten minutes, some 5 MB: one of many
 *            recordings of a service
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "file/datafile.h"
#include "make_data.h"

enum { GROW = 1, LOAD, STORE, MAIN };

#define LIFE_UNIT 100000000ull /* ns */

static const char escape[] = "\x1b[2J\x1b]0;title\x07";

static const char script[] = "</script><script>hacked=1</script><!--";
static const char signs[] = "\"'%25]]>|<b>&amp;`*_$x$ :,#\t\n::error::hacked";
static int shift; /* of line numbers */
static const char image[] = "<img src=x onerror=hacked=1>";

void data_method(struct builder *b, uint64_t id, const char *class_name, const char *name,
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

	data_method(b, GROW, "Ljava/util/ArrayList;", "grow", "ArrayList.java");
	data_method(b, LOAD, "Lcom/acme/Shop;", "load", "Shop.java");
	data_method(b, STORE, "Lcom/acme/Shop;", "store", "Shop.java");
	data_method(b, MAIN, "Lcom/acme/Shop;", "main", "Shop.java");
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
		w->drawn = 1;
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

void data_jvm(struct builder *b, int32_t pid, uint64_t sampled, const char *note)
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

int data_write(struct datafile_writer *w, uint32_t jvm, struct builder *b)
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

	data_jvm(&b, 4711, 2303, NULL);
	add_definitions(&b, order);
	build_context(&b, 1, 1, 1);
	build_context(&b, 2, 2, 1);
	build_context(&b, 3, 3, 2);
	build_context(&b, 4, 1, 2);
	add_objects(&b, 1, 1000, true);
	add_objects(&b, 2, 300, false);
	add_objects(&b, 3, 3, true);
	add_objects(&b, 4, 1000, true);
	return data_write(w, 1, &b);
}

static int write_second(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;

	data_jvm(&b, 4712, 100, "all is well");
	add_definitions(&b, "Lcom/acme/Order;");
	build_context(&b, 1, 1, 1);
	add_objects(&b, 1, 100, true);
	return data_write(w, 2, &b);
}

/* The program's texts. */
static int write_values(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;

	build_value(&b, 1, 7, "secret");
	return data_write(w, 1, &b);
}

/* Contexts of an object whose class, method and file are markup. */
static int write_markup(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	char class_name[128];

	data_jvm(&b, 4713, 50, script);
	add_definitions(&b, "Lcom/acme/Order;");
	snprintf(class_name, sizeof class_name, "Lcom/acme/%s;", image);
	const struct wire_frame evil[] = { { .method = MAIN + 1 }, { .method = MAIN } };
	data_method(&b, MAIN + 1, "Lcom/acme/Shop;", script, "Shop.java");
	build_stack(&b, 4, 0, evil, 2);
	build_class(&b, 4, class_name, NULL, 0);
	build_context(&b, 1, 4, 4);
	add_objects(&b, 1, 50, true);
	return data_write(w, 3, &b);
}

/* A context whose class, method and file have all signs that some format takes for its own. */
static int write_signs(struct datafile_writer *w)
{
	const struct wire_frame frames[] = { { .method = MAIN + 1 }, { .method = MAIN } };
	const struct build_field field = { signs, NULL, 'I', 12 };
	struct builder b = BUILDER_INIT;
	char class_name[128], file[128];

	data_jvm(&b, 4713, 1000, signs);
	add_definitions(&b, "Lcom/acme/Order;");
	snprintf(class_name, sizeof class_name, "Lcom/acme/%s;", signs);
	snprintf(file, sizeof file, "%s.java", signs);
	data_method(&b, MAIN + 1, "Lcom/acme/Shop;", signs, file);
	build_stack(&b, 4, 0, frames, 2);
	build_class(&b, 4, class_name, &field, 1);
	build_context(&b, 1, 4, 4);
	add_objects(&b, 1, 1000, true);
	return data_write(w, 3, &b);
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
	return data_write(w, jvm, &b);
}

/* Of the first JVM: a tenth of a second after the other, objects that live ever longer. */
static int write_lives(struct datafile_writer *w, uint32_t context)
{
	struct builder b = BUILDER_INIT;
	const struct wire_heap_time end = { .ns = 100 * LIFE_UNIT };

	for (uint64_t i = 1; i <= 99; i++) {
		bool dead = 11 * i < 100;
		struct wire_life *l = build_record(&b, dead ? WIRE_LIFE : WIRE_LIVING, sizeof *l);
		l->context = context;
		l->size = 24;
		l->weight = 10;
		l->birth.ns = i * LIFE_UNIT;
		l->before.ns = l->alive.ns = dead ? (11 * i - 1) * LIFE_UNIT : end.ns;
		l->dead.ns = dead ? 11 * i * LIFE_UNIT : 0;
	}
	struct wire_census *census = build_record(&b, WIRE_CENSUS, sizeof *census);
	census->objects = 90;
	census->now = census->collected = census->marked = end;
	return data_write(w, 1, &b);
}

/* Of the first JVM. */
static int write_threads(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;

	build_thread(&b, 1, "http-nio-8080-exec-1");
	build_thread(&b, 2, "session 4711081512");
	build_thread(&b, 3, "session 4711081513");
	return data_write(w, 1, &b);
}

/* Tables were full: much of the first JVM is of no context, with lives. */
static int write_overflow(struct datafile_writer *w)
{
	struct builder b = BUILDER_INIT;
	struct file_status status = { .sampled = 900, .cpu_ns = 1000000000 };

	status.refused[WIRE_LIMIT_CONTEXTS] = 100;
	build_status(&b, &status);
	build_count(&b, 0, 0, 1 << 20, 100, 24.0 * 1024);
	return write_lives(w, 0) < 0 ? -1 : data_write(w, 1, &b);
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
	if (strcmp(kind, "overflow") == 0)
		return write_kind(w, "full") < 0 || write_overflow(w) < 0 ? -1 : 0;
	if (strcmp(kind, "lives") == 0)
		return write_kind(w, "full") < 0 || write_lives(w, 1) < 0 ? -1 : 0;
	if (strcmp(kind, "values") == 0)
		return write_kind(w, "full") < 0 || write_values(w) < 0 ? -1 : 0;
	if (strcmp(kind, "secrets") == 0)
		return write_kind(w, "full") < 0 || write_threads(w) < 0 ? -1 : 0;
	if (strcmp(kind, "markup") == 0)
		return write_kind(w, "full") < 0 || write_markup(w) < 0 ? -1 : 0;
	if (strcmp(kind, "signs") == 0)
		return write_kind(w, "full") < 0 || write_signs(w) < 0 ? -1 : 0;
	shift = strcmp(kind, "moved") == 0 ? 5 : 0;
	if (shift)
		return write_kind(w, "full");
	if (strcmp(kind, "many") == 0)
		return data_write_many(w);
	if (strcmp(kind, "unkeyed") == 0)
		return data_write_unkeyed(w);
	if (strcmp(kind, "pairs") == 0)
		return data_write_pairs(w);
	if (strcmp(kind, "day") == 0)
		return data_write_day(w);
	if (strcmp(kind, "hostile") == 0) {
		snprintf(order, sizeof order, "Lcom/acme/%s;", escape);
		return write_first(w, order);
	}
	if (strcmp(kind, "no-object") == 0) {
		data_jvm(&b, 4711, 0, "it began too late");
		return data_write(w, 1, &b);
	}
	errno = EINVAL;
	return strcmp(kind, "no-jvm") == 0 ? 0 : -1;
}

static const char *const secrets[] = {
	"/home/hunter/bin/env",
	"API_KEY=hunter",
	"/home/hunter/jdk/bin/java",
	"-Ddb.password=hunter",
	"-javaagent:/opt/agent.jar=hunter",
	"-agentpath:/opt/libagent.so=hunter",
	"-XX:OnOutOfMemoryError=mail hunter",
	"-XX:HeapDumpPath=/home/hunter",
	"-Xlog:gc:/home/hunter/gc.log",
	"-Xmx512m",
	"-XX:+UseG1GC",
	"-cp",
	"/home/hunter/classes",
	"com.acme.Shop",
	"--token=hunter",
	"hunter",
	"@hunter",
	"-Xmx1hunter",
	NULL,
};

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
	if (strcmp(kind, "text") == 0) {
		if (data_write_text(stdin, argv[2]) == 0)
			return 0;
		perror(argv[2]);
		return 1;
	}
	struct datafile_writer *w = datafile_create(argv[2]);
	if (!w) {
		perror(argv[2]);
		return 1;
	}
	build_command(&b, strcmp(kind, "secrets") == 0 ? secrets : command);
	int result = data_write(w, 0, &b);
	if (result == 0)
		result = write_kind(w, argv[1]);
	build_end(&b, 2000000000, 0);
	if (data_write(w, 0, &b) < 0)
		result = -1;
	if (datafile_close(w) < 0 || result < 0) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
