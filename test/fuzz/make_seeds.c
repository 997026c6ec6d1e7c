/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_seeds.c - inputs for the fuzzers to start from: make_seeds DIR RECORDS makes DIR/model,
 * DIR/datafile, DIR/ring, DIR/heap and DIR/merge.
 *
 * One seed for each type of record and one with all of them, as a ring, a stream of records and a
 * file; and a stream for each file RECORDS/NAME.txt, which has its records as `ojx dump` prints
 * them.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "builder.h"
#include "dump.h"
#include "fuzz_chunks.h"
#include "fuzz_ring.h"
#include "test/make_data.h"

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void write_file(const char *path, const void *bytes, size_t len)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(bytes, 1, len, out) != len || fclose(out) != 0)
		fail(path);
}

/* One record of each type, and several of those that depend on others. */
static void build_all(struct builder *b)
{
	static const struct build_field fields[] = { { "count", NULL, 'I', 12 },
						     { "next", "Lcom/acme/Base;", 'L', 16 } };
	static const struct wire_line lines[] = { { 0, 12 }, { 7, 13 } };
	static const struct wire_frame frames[] = {
		{ .method = 7, .bci = 8 },
		{ .method = 8, .bci = -3 },
		{ .method = 0, .bci = 2 },
	};

	build_jvm(b, 4711, WIRE_ENGINE_SCAN | WIRE_ENGINE_WATCH, "HotSpot", "17.0.15", "G1");
	build_class(b, 1, "Lcom/acme/Foo$$Lambda$14/0x0000000800066840;", fields, 2);
	build_class(b, 2, "[[I", NULL, 0);
	build_method(b, 7, "Lcom/acme/Foo;", "run", "Foo.java", lines, 2);
	struct wire_loads *loads = build_record(b, WIRE_LOADS, sizeof *loads + WIRE_ALIGN);
	loads->method = 7;
	loads->n = 2;
	build_stack(b, 1, WIRE_STACK_CUT, frames, 3);
	build_context(b, 1, 1, 1);
	build_context(b, 2, 2, 1);
	build_thread(b, 1, "pool-1-thread-*");
	build_thread(b, 2, "m\xc3\xa4in\x1b");
	build_alloc(b, 1, 0, 24, 2.5);
	build_alloc(b, 2, 10, 56, 2.5);
	build_snapshot(
		b, &(struct wire_snapshot){ .context = 1, .content = 5, .weight = 1, .ticket = 9 },
		(const uint32_t[]){ 1, 2, 3 }, 3);
	*wire_snapshot_fill(build_snapshot(
		b,
		&(struct wire_snapshot){
			.context = 1, .flags = WIRE_FIXED | WIRE_FILLED, .weight = 1 },
		(const uint32_t[]){ 1, 2, 3 }, 3)) =
		(struct wire_fill){ .size = 3, .capacity = 16 };
	build_use(b,
		  &(struct wire_use){ .context = 2, .array_length = 10, .size = 4, .weight = 1 });
	build_use(b, &(struct wire_use){ .context = 1,
					 .flags = WIRE_REFS | WIRE_DEEP,
					 .size = 8,
					 .weight = 1,
					 .ticket = 9 });
	build_value(b, 1, 5,
		    "gr\xc3\xbc\xc3\x9f"
		    "e\x1b");
	build_unused(b, 2, WIRE_UNUSED_EPOCH);
	struct wire_callers *callers = build_record(b, WIRE_CALLERS, sizeof *callers);
	callers->context = 1;
	callers->bytes = 72;
	struct wire_waste *waste = build_record(b, WIRE_WASTE, sizeof *waste);
	*waste = (struct wire_waste){ .rec = waste->rec,
				      .watched = 1,
				      .trapped = 1,
				      .bytes = 8,
				      .kind = WIRE_SILENT_STORE,
				      .wasted = 1,
				      .insn_len = { 3, 0 } };
	build_count(b, 1, 0, 24, 3, 7.5);
	struct file_tally *tally = build_record(b, FILE_TALLY, sizeof *tally);
	tally->context = 1;
	tally->snapshots = 3;
	struct file_waste *wastes = build_record(b, FILE_WASTE, sizeof *wastes);
	wastes->kind = WIRE_DEAD_STORE;
	wastes->count = wastes->bytes = 2;
	struct wire_access *access = build_record(b, WIRE_ACCESS, sizeof *access);
	access->context = access->stack = access->hit = 1;
	access->weight = 1.5;
	access->data_src = 13ull << 33;
	struct file_access *accesses = build_record(b, FILE_ACCESS, sizeof *accesses);
	accesses->class_id = accesses->stack = 1;
	accesses->sums.count = accesses->sums.local = 2;
	build_status(b, &(struct file_status){ .sampled = 3, .nnotes = 1, .note = { "note" } });
	build_record(b, 99, 16);
}

static void build_recording(struct builder *b)
{
	build_command(b, (const char *const[]){ "java", "-jar", "app.jar", NULL });
	build_label(b, FILE_LABEL_GIVEN, "version", "1.2");
	build_end(b, 12345, 0);
}

/* Records as fuzz_model wants them: the JVM is in the header. */
static void seed_model(const char *dir, const struct builder *all, const struct builder *recording)
{
	char path[4096];
	struct builder b = BUILDER_INIT;
	int n = 0;

	for (const struct wire_rec *r = builder_next(all, NULL); r; r = builder_next(all, r)) {
		struct wire_rec *copy = build_record(&b, 1, r->len);
		memcpy(copy, r, r->len);
		copy->thread = 0x8011; /* JVM 1, its thread 1, and looks and uses many times */
		snprintf(path, sizeof path, "%s/record-%d", dir, n++);
		write_file(path, copy, copy->len);
	}
	memcpy(build_record(&b, 1, (uint32_t)recording->len), recording->data, recording->len);
	snprintf(path, sizeof path, "%s/all", dir);
	write_file(path, b.data, b.len);
	builder_release(&b);
}

static int add_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		      void *arg)
{
	struct wire_rec *copy = build_record(arg, 1, len);

	(void)time_ns;
	memcpy(copy, rec, len);
	copy->thread = (uint16_t)(rec->thread << 4 | jvm);
	return 0;
}

static void seed_text(const char *dir, const char *from, const char *name)
{
	struct builder b = BUILDER_INIT;
	struct file_header header;
	char path[4096];
	uint64_t end;

	snprintf(path, sizeof path, "%s/%s", from, name);
	FILE *in = fopen(path, "r");
	snprintf(path, sizeof path, "%s/%.*s", dir, (int)strcspn(name, "."), name);
	if (!in || data_write_text(in, path) < 0 ||
	    datafile_read(path, &header, &end, add_record, &b) != DATAFILE_OK)
		fail(name);
	fclose(in);
	write_file(path, b.data, b.len);
	builder_release(&b);
}

static void seed_texts(const char *dir, const char *from)
{
	DIR *texts = opendir(from);

	if (!texts)
		fail(from);
	for (const struct dirent *e; (e = readdir(texts));)
		if (strlen(e->d_name) > 4 && strcmp(e->d_name + strlen(e->d_name) - 4, ".txt") == 0)
			seed_text(dir, from, e->d_name);
	closedir(texts);
}

/* Writes one chunk, whose checksum the fuzzer puts right unless it is NO_CHECKSUM. */
static void write_chunk(FILE *out, uint32_t unpacked, uint64_t checksum, const struct builder *b)
{
	struct file_chunk c = {
		.magic = DATAFILE_CHUNK_MAGIC,
		.jvm = 1,
		.time_ns = 5,
		.len = (uint32_t)b->len,
		.unpacked = unpacked,
		.checksum = checksum,
	};

	fwrite(&c, sizeof c, 1, out);
	fwrite(b->data, 1, b->len, out);
}

/*
 * The same records in chunks that are not packed, that the fuzzer packs, and with a checksum that
 * it leaves wrong. A mutation of these is one of the records.
 */
static void seed_chunks(const char *dir, const char *name, const struct builder *all,
			uint32_t unpacked, uint64_t checksum)
{
	struct file_header h = {
		.magic = DATAFILE_MAGIC,
		.version = DATAFILE_VERSION,
		.wire_version = WIRE_RECORDS_VERSION,
	};
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	FILE *out = fopen(path, "wb");
	if (!out)
		fail(path);
	fwrite(&h, sizeof h, 1, out);
	write_chunk(out, unpacked, 1, all);
	write_chunk(out, unpacked, checksum, all);
	if (fclose(out) != 0)
		fail(path);
}

/* What the writer makes of them: a packed chunk for each JVM. */
static void seed_written(const char *dir, const struct builder *all,
			 const struct builder *recording)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/all", dir);
	unlink(path);
	struct datafile_writer *w = datafile_create(path);
	if (!w)
		fail(path);
	const struct wire_rec *r = builder_next(recording, NULL);
	datafile_write(w, 0, r, r->len);
	for (uint32_t jvm = 1; jvm <= 2; jvm++)
		for (r = builder_next(all, NULL); r; r = builder_next(all, r))
			datafile_write(w, jvm, r, r->len);
	if (datafile_close(w) < 0)
		fail(path);
}

static void seed_datafile(const char *dir, const struct builder *all,
			  const struct builder *recording)
{
	seed_written(dir, all, recording);
	seed_chunks(dir, "plain", all, 0, 1);
	seed_chunks(dir, "to-pack", all, TO_PACK, 1);
	seed_chunks(dir, "damaged", all, TO_PACK, NO_CHECKSUM);
}

/* The records that a block has room for, in the first of two slots. */
static void seed_ring(const char *dir, const struct builder *all)
{
	char path[4096];
	unsigned char bytes[sizeof(struct fuzz_ring) + WIRE_BLOCK] = { 0 };
	struct fuzz_ring in = { .slots = 1, .blocks = 1, .map = { 0, 1 } };

	for (const struct wire_rec *r = builder_next(all, NULL);
	     r && in.head + r->len <= WIRE_BLOCK; r = builder_next(all, r)) {
		memcpy(bytes + sizeof in + in.head, r, r->len);
		in.head += r->len;
	}
	memcpy(bytes, &in, sizeof in);
	snprintf(path, sizeof path, "%s/all", dir);
	write_file(path, bytes, sizeof bytes);
}

static void seed_heap(const char *dir)
{
	char path[4096];

	for (unsigned id = 4; id <= 8; id += 4) {
		struct dump d = { .len = 0 };
		dump_sample(&d, id, 1);
		snprintf(path, sizeof path, "%s/sample-%u", dir, id);
		write_file(path, d.data, d.len);
		dump_release(&d);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "model", "datafile", "ring", "heap", "merge" };
	enum { DIRS = sizeof names / sizeof names[0] };
	char dirs[DIRS][2048];
	struct builder all = BUILDER_INIT;
	struct builder recording = BUILDER_INIT;

	if (argc != 3) {
		fprintf(stderr, "usage: make_seeds DIR RECORDS\n");
		return 2;
	}
	mkdir(argv[1], 0777);
	for (int i = 0; i < DIRS; i++) {
		snprintf(dirs[i], sizeof dirs[i], "%s/%s", argv[1], names[i]);
		mkdir(dirs[i], 0777); /* if it cannot be made, writing into it tells */
	}
	build_all(&all);
	build_recording(&recording);
	seed_model(dirs[0], &all, &recording);
	seed_texts(dirs[0], argv[2]);
	seed_datafile(dirs[1], &all, &recording);
	seed_ring(dirs[2], &all);
	seed_heap(dirs[3]);
	seed_model(dirs[4], &all, &recording);
	seed_texts(dirs[4], argv[2]);
	builder_release(&all);
	builder_release(&recording);
	return 0;
}
