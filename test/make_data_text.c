/* SPDX-License-Identifier: Apache-2.0 */
/*
 * make_data_text.c - a recording out of the text that `ojx dump` prints (lib/file/record_text.h).
 *
 * Fields come in any order; those that are missing are 0. Parts come in the order of
 * lib/file/record_table.c. A line `chunk` begins a chunk of its JVM and its time; without one, a
 * chunk begins where the JVM changes. Chunks are not packed. Empty lines and those that begin with
 * '#' are skipped.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/record_table.h"
#include "make_data.h"
#include "wire/wire_file.h"

#define MAX_NAME   64
#define MAX_RECORD (1u << 20)

struct writer {
	FILE *out;
	unsigned line;
	const char *at; /* in the line */
	bool has_header;
	struct file_chunk chunk;
	unsigned char record[MAX_RECORD];
	size_t len; /* of the record */
	unsigned char payload[sizeof(struct file_chunk) + DATAFILE_MAX_CHUNK];
};

static void fail(const struct writer *w, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "make-data: line %u: ", w->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* ---- the file ---------------------------------------------------------------------------- */

static void write_bytes(struct writer *w, const void *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, w->out) != len)
		fail(w, "cannot write");
}

static void write_header(struct writer *w, uint64_t start_unix_ns, const char *machine)
{
	struct file_header h = { .magic = DATAFILE_MAGIC,
				 .version = DATAFILE_VERSION,
				 .wire_version = WIRE_RECORDS_VERSION,
				 .start_unix_ns = start_unix_ns };

	memcpy(h.machine, machine, strnlen(machine, FILE_MACHINE));
	if (!w->has_header)
		write_bytes(w, &h, sizeof h);
	w->has_header = true;
}

static void end_chunk(struct writer *w)
{
	struct file_chunk *c = &w->chunk;

	if (c->len == 0)
		return;
	write_header(w, 0, "");
	c->magic = DATAFILE_CHUNK_MAGIC;
	memcpy(w->payload, c, sizeof *c);
	c->checksum = wire_checksum(w->payload);
	memcpy(w->payload, c, sizeof *c);
	write_bytes(w, w->payload, sizeof *c + c->len);
	c->checksum = c->len = 0;
}

static void add_record(struct writer *w, uint32_t jvm)
{
	struct file_chunk *c = &w->chunk;

	if (jvm != c->jvm || w->len > DATAFILE_MAX_CHUNK - c->len)
		end_chunk(w);
	c->jvm = jvm;
	memcpy(w->payload + sizeof *c + c->len, w->record, w->len);
	c->len += (uint32_t)w->len;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Reads `name=` or the name that begins a line; false where the line or the struct ends. */
static bool read_name(struct writer *w, char name[MAX_NAME], char end)
{
	w->at += strspn(w->at, " ");
	size_t n = strcspn(w->at, " =\n}");
	if (n == 0)
		return false;
	if (n >= MAX_NAME)
		fail(w, "a name is too long");
	memcpy(name, w->at, n);
	name[n] = '\0';
	w->at += n;
	if (end && *w->at++ != end)
		fail(w, "'%s' has no value", name);
	return true;
}

/* Reads a text in quotes to `to`, which has `room` bytes. Returns its length. */
static size_t read_text(struct writer *w, unsigned char *to, size_t room)
{
	size_t n = 0;
	unsigned byte;

	if (*w->at++ != '"')
		fail(w, "a text has no quotes");
	for (; *w->at != '"'; n++) {
		if (*w->at == '\0' || *w->at == '\n')
			fail(w, "a text does not end");
		if (n == room)
			fail(w, "a text is too long");
		if (w->at[0] == '\\' && w->at[1] == 'x') {
			if (sscanf(w->at + 2, "%2x", &byte) != 1)
				fail(w, "\\x without two digits");
			to[n] = (unsigned char)byte;
			w->at += 4;
			continue;
		}
		w->at += *w->at == '\\';
		to[n] = (unsigned char)*w->at++;
	}
	w->at++;
	return n;
}

static uint64_t read_number(struct writer *w, enum record_kind kind)
{
	char *end;
	uint64_t value = 0;

	if (kind == RECORD_REAL) {
		double real = strtod(w->at, &end);
		memcpy(&value, &real, sizeof value);
	} else {
		value = kind == RECORD_INT ? (uint64_t)strtoll(w->at, &end, 10)
					   : strtoull(w->at, &end, 10);
	}
	if (end == w->at)
		fail(w, "a value is no number");
	w->at = end;
	return value;
}

static bool has_more(struct writer *w)
{
	return *w->at == ',' && w->at++;
}

static void read_field(struct writer *w, const struct record_field *f, unsigned char *base)
{
	unsigned i = 0;

	do {
		unsigned char *at = base + f->offset + i * f->width;
		if (i++ == f->n)
			fail(w, "'%s' has too many values", f->name);
		if (f->kind == RECORD_TEXT) {
			read_text(w, at, f->width);
			continue;
		}
		uint64_t value = read_number(w, f->kind);
		memcpy(at, &value, f->width);
	} while (has_more(w));
}

/* ---- records ----------------------------------------------------------------------------- */

/* Makes room at the end of the record, which is zero. */
static unsigned char *grow(struct writer *w, size_t bytes)
{
	if (bytes > sizeof w->record - w->len)
		fail(w, "a record is too long");
	memset(w->record + w->len, 0, bytes);
	w->len += bytes;
	return w->record + w->len - bytes;
}

static void read_layout(struct writer *w, const struct record_layout *l, size_t base, char end);

/* Reads one element, the text or all numbers of a part, and counts them. */
static void read_part(struct writer *w, const struct record_part *p, size_t base)
{
	unsigned char *counter = w->record + base + p->count.offset;
	uint64_t count = record_uint(counter, p->count.width);

	if (p->of) {
		if (*w->at++ != '{')
			fail(w, "'%s' has no brace", p->name);
		read_layout(w, p->of, w->len, '}');
		count++;
	} else if (p->width) {
		do {
			uint64_t value = read_number(w, RECORD_UINT);
			memcpy(grow(w, p->width), &value, p->width);
			count++;
		} while (has_more(w));
	} else {
		size_t n = read_text(w, w->record + w->len, sizeof w->record - w->len);
		w->len += n;
		count += n;
	}
	if (p->flag) /* the flag itself is among the fields */
		return;
	memcpy(counter, &count, p->count.width);
	if (record_uint(counter, p->count.width) != count)
		fail(w, "'%s' has too many", p->name);
}

static void pad_part(struct writer *w, const struct record_part *p)
{
	if (p->pad)
		grow(w, wire_pad(w->len) - w->len);
}

static const struct record_field *find_field(const struct record_layout *l, const char *name)
{
	for (const struct record_field *f = l->fields; f->name; f++)
		if (f->kind != RECORD_COUNT && f->kind != RECORD_PAD && strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

/* Reads a struct whose first byte is `base`; behind its parts stands `end`. */
static void read_layout(struct writer *w, const struct record_layout *l, size_t base, char end)
{
	const struct record_part *part = l->parts;
	char name[MAX_NAME];

	grow(w, base + l->size - w->len);
	while (read_name(w, name, '=')) {
		const struct record_field *f = find_field(l, name);
		if (f) {
			read_field(w, f, w->record + base);
			continue;
		}
		while (part && part->name && strcmp(part->name, name) != 0)
			pad_part(w, part++);
		if (!part || !part->name)
			fail(w, "'%s' is no field, or not in order", name);
		read_part(w, part, base);
	}
	for (; part && part->name; part++)
		pad_part(w, part);
	if (*w->at++ != end)
		fail(w, "the line goes on where it should end");
}

static void read_record(struct writer *w, const char *name, uint32_t jvm, uint16_t thread)
{
	const struct record_type *type = record_find_name(name, strlen(name));
	struct wire_rec rec = { .thread = thread };

	w->len = 0;
	if (type) {
		read_layout(w, &type->layout, 0, '\n');
		rec.type = type->type;
	} else {
		uint16_t raw_type;
		const struct record_field field = { "type", RECORD_UINT, 0, sizeof raw_type, 1 };
		char key[MAX_NAME];
		if (strcmp(name, "raw") != 0)
			fail(w, "'%s' is no type of record", name);
		if (!read_name(w, key, '=') || strcmp(key, "type") != 0)
			fail(w, "no type");
		read_field(w, &field, (unsigned char *)&raw_type);
		rec.type = raw_type;
		grow(w, sizeof rec);
		if (!read_name(w, key, '=') || strcmp(key, "bytes") != 0)
			fail(w, "no bytes");
		w->len += read_text(w, w->record + w->len, sizeof w->record - w->len);
	}
	rec.len = (uint32_t)w->len;
	memcpy(w->record, &rec, sizeof rec);
	if (type && !record_fits((const struct wire_rec *)w->record, rec.len))
		fail(w, "flags and parts of '%s' do not fit", name);
	add_record(w, jvm);
}

/* ---- lines ------------------------------------------------------------------------------- */

/* The value of `name=` if it stands here; 0, and the line unread, if it does not. */
static uint64_t read_optional(struct writer *w, const char *name)
{
	size_t n = strlen(name);

	w->at += strspn(w->at, " ");
	if (strncmp(w->at, name, n) != 0 || w->at[n] != '=')
		return 0;
	w->at += n + 1;
	return read_number(w, RECORD_UINT);
}

static void read_line(struct writer *w)
{
	char name[MAX_NAME];

	if (*w->at == '#' || !read_name(w, name, '\0'))
		return;
	if (strcmp(name, "header") == 0) {
		read_optional(w, "version");
		read_optional(w, "wire_version");
		uint64_t start = read_optional(w, "start_unix_ns");
		char machine[FILE_MACHINE + 1] = "";
		sscanf(w->at, " machine=%8s", machine);
		write_header(w, start, machine);
		return;
	}
	uint32_t jvm = (uint32_t)read_optional(w, "jvm");
	if (strcmp(name, "chunk") == 0) {
		end_chunk(w);
		w->chunk.jvm = jvm;
		w->chunk.time_ns = read_optional(w, "time_ns");
		return;
	}
	read_record(w, name, jvm, (uint16_t)read_optional(w, "thread"));
}

int data_write_text(FILE *in, const char *path)
{
	struct writer *w = calloc(1, sizeof *w);
	char *line = NULL;
	size_t room = 0;

	if (!w || !(w->out = fopen(path, "wb")))
		return -1;
	while (getline(&line, &room, in) > 0) {
		w->line++;
		w->at = line;
		read_line(w);
	}
	end_chunk(w);
	write_header(w, 0, "");
	int result = fclose(w->out) == 0 && !ferror(in) ? 0 : -1;
	free(line);
	free(w);
	return result;
}
