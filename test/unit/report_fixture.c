/* SPDX-License-Identifier: Apache-2.0 */
/* report_fixture.c - see report_fixture.h. */
#include "report_fixture.h"
#include "analyse/analyses.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "builder.h"

enum { JVM = 1, USES = 6, ELEMENTS = 8 };

/* Ids of methods. Each has one line: ten times its id. */
enum { GROW = 1, LOAD, STEP, MAIN, NATIVE, USE_FIRST /* the first of USES */ };

static void *need(void *p)
{
	if (!p)
		abort();
	return p;
}

/* ---- model ------------------------------------------------------------------------------- */

static void add_method(struct builder *b, uint64_t id, const char *class_name, const char *name,
		       const char *file)
{
	struct wire_line line = { .bci = 0, .line = (uint16_t)(10 * id) };

	build_method(b, id, class_name, name, file, &line, 1);
}

static void add_stacks(struct builder *b)
{
	const struct wire_frame shop[] = {
		{ .method = GROW },	   { .method = LOAD }, { .method = STEP },
		{ .method = 0, .bci = 2 }, { .method = MAIN },
	};
	const struct wire_frame native[] = { { .method = NATIVE, .bci = -3 }, { .method = GROW } };
	char name[] = "use0";

	add_method(b, GROW, "Ljava/util/ArrayList;", "grow", "ArrayList.java");
	add_method(b, LOAD, "Lcom/acme/Shop;", "load", "Shop.java");
	add_method(b, STEP, "Lcom/acme/Shop;", "step", "Shop.java");
	add_method(b, MAIN, "Lcom/acme/Shop;", "main", "Shop.java");
	build_method(b, NATIVE, "Ljava/lang/Object;", "clone", NULL, NULL, 0);
	build_stack(b, 1, 0, shop, 5);
	build_stack(b, 2, WIRE_STACK_CUT, native, 2);
	build_stack(b, 3, 0, shop + 1, 1);
	for (unsigned i = 0; i < USES; i++) {
		struct wire_frame use[] = { { .method = USE_FIRST + i }, { .method = MAIN } };
		name[3] = (char)('0' + i);
		add_method(b, USE_FIRST + i, "Lcom/acme/Shop;", name, "Shop.java");
		build_stack(b, 10 + i, 0, use, 2);
	}
}

static void add_classes(struct builder *b)
{
	const struct build_field fields[] = {
		{ "id", "Lcom/acme/Base;", 'J', 16 },
		{ "x", NULL, 'I', 12 },
		{ "name", NULL, 'L', 24 },
	};
	static const char *const types[] = { NULL, NULL, "Ljava/lang/String;" };

	build_typed_class(b, 1, "Lcom/acme/Point;", fields, 3, types);
	build_class(b, 2, "[B", NULL, 0);
	build_class(b, 3, "Lcom/acme/Se\xc3\xb1or;", NULL, 0);
}

static void add_events(struct builder *b)
{
	for (uint32_t i = 1; i <= FIXTURE_ROWS; i++)
		build_context(b, i, i, i);
	build_count(b, 1, 0, 32, 400, 1e6);
	build_count(b, 2, 8, 24, 100, 2e5);
	build_count(b, 2, 64, 80, 100, 1e5);
	build_count(b, 3, 0, 16, 1, 4000);
	build_snapshot(b, &(struct wire_snapshot){ .context = 1, .flags = WIRE_REFS, .weight = 1 },
		       NULL, 0);
}

static void add_recording(struct builder *b)
{
	const char *const argv[] = { "java", "-cp", "it's here", "com.acme.Shop", NULL };

	build_command(b, argv);
	build_end(b, 12345000000, 3 << 8);
}

static void add_jvm(struct builder *b)
{
	struct file_status status = { .sampled = 601,
				      .scanned = 510,
				      .skipped = 7,
				      .lost = 2,
				      .callback_ns = 10000000,
				      .cpu_ns = 1000000000,
				      .wall_ns = 10000000000,
				      .epochs = 4,
				      .paused_ns = 310000000,
				      .max_pause_ns = 310000,
				      .max_pause_work_ns = 300000,
				      .nnotes = 1 };

	strcpy(status.note[0], "watches began late");
	build_jvm(b, 4711, WIRE_ENGINE_WATCH | WIRE_ENGINE_SCAN, "OpenJDK 64-Bit Server VM",
		  "17.0.15+6", "G1");
	build_status(b, &status);
}

static void make_model(struct report_fixture *f)
{
	struct builder b = BUILDER_INIT;
	size_t bad = 0;

	f->model = need(model_new(analyses));
	add_recording(&b);
	bad += builder_feed(&b, f->model, 0);
	add_jvm(&b);
	add_stacks(&b);
	add_classes(&b);
	add_events(&b);
	bad += builder_feed(&b, f->model, JVM);
	builder_release(&b);
	if (bad || model_ncontexts(f->model) != FIXTURE_ROWS)
		abort();
}

/* ---- rows -------------------------------------------------------------------------------- */

static struct replica not_measured(const struct row *row)
{
	const struct replica_interval none = { NAN, NAN };

	return (struct replica){
		.sampled = row->contexts[0]->sampled,
		.objects = row->contexts[0]->objects,
		.bytes = row->contexts[0]->bytes,
		.unused = NAN,
		.theta = NAN,
		.alpha = NAN,
		.omega = NAN,
		.gamma = NAN,
		.identical = NAN,
		.theta_ci = none,
		.identical_ci = none,
		.own.largest = NAN,
		.own.largest_ci = none,
		.own.distinct = NAN,
		.own.saved_objects = NAN,
		.own.saved_bytes = NAN,
		.own.likely_bytes = NAN,
		.deep.likely_bytes = NAN,
		.own.saved_objects_ci = none,
		.own.saved_bytes_ci = none,
		.identity = NAN,
		.identity_ci = none,
		.immutable = NAN,
		.immutable_ci = none,
		.lasting = NAN,
		.constant = NAN,
		.constant_ci = none,
		.deep_cut = NAN,
		.deep.largest = NAN,
		.deep.largest_ci = none,
		.deep.distinct = NAN,
		.deep.saved_objects = NAN,
		.deep.saved_bytes = NAN,
		.deep.saved_objects_ci = none,
		.deep.saved_bytes_ci = none,
		.dedup_ci = none,
		.constant_class = true,
		.live_sampled = NAN,
		.live_objects = NAN,
		.live_bytes = NAN,
		.live_objects_ci = none,
		.live_bytes_ci = none,
		.own.saved_live_ci = none,
		.deep.saved_live_ci = none,
		.dedup_live_ci = none,
	};
}

static void add_row(struct report_fixture *f)
{
	struct row *row = rows_at(&f->rows, f->rows.table.n);

	row->contexts = need(calloc(1, sizeof(struct model_context *)));
	row->contexts[0] = model_context(f->model, f->rows.table.n++);
	f->rows.table.all = f->rows.table.n;
	row->ncontexts = 1;
	row->model = f->model;
	row->row.jvm = JVM;
	row->row.pid = 4711;
	row->class = row->contexts[0]->class;
	row->row.class_name = row->class ? row->class->name : NULL;
	row->stack_share = 1;
	row->stack_id = row->contexts[0]->stack_id;
	if (callstack_resolve(&row->row.stack[0], f->model, JVM, row->stack_id) < 0)
		abort();
	row->line = callstack_line(&row->row.stack[0]);
	row->common = row->row.stack[0].n;
	row->replica = not_measured(row);
	row->avoidable = NAN;
}

static void fill_point(struct row *row)
{
	static struct replica_details details;
	static struct replica_field fields[] = { { 0, 312, 300, 300.0 / 312 },
						 { 1, 312, 312, 1 },
						 { 2, 312, 312, 1 } };
	static struct replica_access accesses[USES];
	struct replica *x = &row->replica;

	for (unsigned i = 0; i < USES; i++)
		accesses[i] = (struct replica_access){ JVM, 10 + i, 100 >> i, 48 >> i, 40 >> i };
	row->avoidable = 15 << 20;
	x->source = REPLICA_WATCH;
	x->pairs = 312;
	x->a = 306;
	x->b = 1;
	x->c = 5;
	x->unused = 0.25;
	x->theta = 307.0 / 312;
	x->theta_ci = (struct replica_interval){ 0.963, 0.9931 };
	x->alpha = 1.0 / 6;
	x->omega = x->theta - x->alpha;
	x->gamma = 0.9904;
	x->identical = 306.0 / 312;
	x->identical_ci = (struct replica_interval){ 0.9587, 0.9912 };
	x->own.scanned = 400;
	x->own.largest = 0.979;
	x->own.largest_ci = (struct replica_interval){ 0.9604, 0.9899 };
	x->own.distinct = 9.4;
	x->own.saved_objects = 9.5e5;
	x->own.saved_bytes = 3.04e7;
	x->own.likely_bytes = 3.04e7;
	x->own.saved_objects_ci = (struct replica_interval){ 9.5e5, 9.91e5 };
	x->own.saved_bytes_ci = (struct replica_interval){ 3.04e7, 3.171e7 };
	x->identity = 0.12;
	x->identity_ci = (struct replica_interval){ 0.0921, 0.1556 };
	x->immutable = 1;
	x->twice = x->unchanged = 120;
	x->lasting_uses = 40;
	x->lasted = 20;
	x->immutable_ci = (struct replica_interval){ 0.97, 1 };
	x->lasting = 0.5;
	x->constant = 0.5;
	x->constant_ci = (struct replica_interval){ 0.44, 0.56 };
	x->deep.scanned = 398;
	x->deep_cut = 0.031;
	x->deep.largest = 0.99;
	x->deep.largest_ci = (struct replica_interval){ 0.9312, 0.9961 };
	x->deep.distinct = 3;
	x->deep.saved_objects = 9.0e5;
	x->deep.saved_bytes = 2.88e7;
	x->deep.saved_objects_ci = (struct replica_interval){ 9.0e5, 9.95e5 };
	x->deep.saved_bytes_ci = (struct replica_interval){ 2.88e7, 3.184e7 };
	x->deep.verdict = VERDICT_REPLICA;
	x->own.verdict = VERDICT_REPLICA;
	details = (struct replica_details){ .fields_source = REPLICA_WATCH };
	x->details = &details;
	x->details->nfields = 3;
	x->details->fields = fields;
	x->details->naccesses = USES;
	x->details->accesses = accesses;
	row->watches = 800;
	row->unused = 200;
	row->uses = 600;
	row->references = true;
}

static void fill_bytes(struct row *row)
{
	static struct replica_details details;
	static struct replica_field fields[ELEMENTS];
	struct replica *x = &row->replica;

	for (unsigned i = 0; i < ELEMENTS; i++)
		fields[i] = (struct replica_field){ i, 50,
						    i < 3    ? 50
						    : i == 3 ? 20
							     : 0,
						    i == 3 ? 0.4 : i < 3 };
	row->avoidable = 0;
	x->source = REPLICA_SCAN;
	x->pairs = 50;
	x->b = 20;
	x->c = 30;
	x->theta = 0.4;
	x->theta_ci = (struct replica_interval){ 0.2761, 0.5382 };
	x->alpha = 0.4;
	x->omega = 0;
	x->gamma = 0.0002;
	x->identical = 0;
	x->identical_ci = (struct replica_interval){ 0, 0.0714 };
	x->own.scanned = 100;
	x->own.largest = 0.01;
	x->own.largest_ci = (struct replica_interval){ 0, 0.05 };
	x->own.saved_objects = 0;
	x->own.saved_bytes = 0;
	x->own.likely_bytes = 0;
	x->own.verdict = VERDICT_DISTINCT;
	details = (struct replica_details){ .fields_source = REPLICA_SCAN };
	x->details = &details;
	x->details->nfields = ELEMENTS;
	x->details->differing = (struct replica_differing){ .pairs = 50,
							    .unequal = 40,
							    .positions = ELEMENTS,
							    .compared = ELEMENTS,
							    .slots = 0x7 << 5 | 1 << 3,
							    .equal = 0.2,
							    .without = 0.97,
							    .differing = 0.25 };
	x->details->fields = fields;
	row->watches = 12;
	row->unused = 12;
	row->partial = true;
}

static void fill_senor(struct row *row)
{
	struct replica *x = &row->replica;

	x->source = REPLICA_WATCH;
	x->pairs = 3;
	x->a = 3;
	x->unused = 0;
	x->theta = 1;
	x->theta_ci = (struct replica_interval){ 0.4385, 1 };
	x->omega = 1;
	x->gamma = 1;
	x->identical = 1;
	x->identical_ci = (struct replica_interval){ 0.4385, 1 };
	row->watches = 6;
	row->uses = 6;
	row->uses_remote = 3;
}

void report_fixture_init(struct report_fixture *f)
{
	const struct file_header header = { .start_unix_ns = 1700000000000000000 };

	setenv("TZ", "UTC", 1);
	tzset();
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		abort();
	memset(f, 0, sizeof *f);
	make_model(f);
	finding_table_init(&f->rows.table, &row_table_kind,
			   need(calloc(FIXTURE_ROWS, sizeof(struct row))), 0, sizeof(struct row));
	while (f->rows.table.n < FIXTURE_ROWS)
		add_row(f);
	fill_point(rows_at(&f->rows, 0));
	fill_bytes(rows_at(&f->rows, 1));
	fill_senor(rows_at(&f->rows, 2));
	f->rows.seen = true;
	for (size_t i = 0; i < f->rows.table.n; i++)
		f->rows.pairs += rows_at(&f->rows, i)->replica.pairs;
	recording_collect(&f->recording, f->model, &header, 99);
	recording_show_all(&f->recording);
	f->recording.pairs = f->rows.pairs;
	metrics_list(&f->metrics, analyses);
	f->report = (struct report){
		.version = "1.2.3",
		.recording = &f->recording,
		.rows = &f->rows,
		.metrics = &f->metrics,
		.shown = FIXTURE_ROWS,
		.key = column_find("saved"),
		.min_pairs = 30,
		.confidence = 0.95,
		.stack_frames = 16,
		.details = true,
		.access_frames = 4,
	};
}

void report_fixture_release(struct report_fixture *f)
{
	for (size_t i = 0; i < f->rows.table.n; i++) {
		callstack_release(&rows_at(&f->rows, i)->row.stack[0]);
		row_forget_advice(rows_at(&f->rows, i));
		free(rows_at(&f->rows, i)->contexts);
	}
	free(f->rows.table.rows);
	model_free(f->model);
}

static char *finish(FILE *out, char *const *text, int result)
{
	if (fclose(out) != 0 || result < 0)
		abort();
	return *text;
}

char *report_fixture_text(const struct report_fixture *f, const struct style *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = need(open_memstream(&text, &len));

	return finish(out, &text, render_text(out, &f->report, s));
}

char *report_fixture_json(const struct report_fixture *f)
{
	char *text = NULL;
	size_t len;
	FILE *out = need(open_memstream(&text, &len));

	return finish(out, &text, render_json(out, &f->report));
}
