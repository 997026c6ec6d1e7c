/* SPDX-License-Identifier: Apache-2.0 */
/* test_record_table.c - each type of record has a row, and its fields are the whole struct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "builder.h"
#include "file/record_table.h"
#include "file/record_text.h"

/* A new type in either enum does not compile until it is here; others lie between. */
static bool is_type(unsigned type)
{
	switch ((enum wire_type)type) {
	case WIRE_PAD: /* in rings only */
		return false;
	case WIRE_CLASS:
	case WIRE_METHOD:
	case WIRE_LOADS:
	case WIRE_STACK:
	case WIRE_CONTEXT:
	case WIRE_THREAD:
	case WIRE_ALLOC:
	case WIRE_SNAPSHOT:
	case WIRE_USE:
	case WIRE_UNUSED:
	case WIRE_VALUE:
	case WIRE_WASTE:
	case WIRE_ACCESS:
	case WIRE_ALLOC_COUNTED:
	case WIRE_CALLERS:
		return true;
	}
	switch ((enum file_type)type) {
	case FILE_COMMAND:
	case FILE_JVM:
	case FILE_STATUS:
	case FILE_COUNT:
	case FILE_END:
	case FILE_TALLY:
	case FILE_WASTE:
	case FILE_ACCESS:
	case FILE_THIN:
	case FILE_OWN:
	case FILE_LABEL:
	case FILE_PART:
	case FILE_SUM:
	case FILE_POOLED:
	case FILE_SEEN:
	case FILE_SECRET:
	case FILE_SIFTED:
		return true;
	}
	/* 44 to 46 are not used again */
	return type > WIRE_ACCESS && type < WIRE_LAST_EVENT && (type < 44 || type > 46);
}

static void every_type_has_a_row(void **state)
{
	(void)state;
	size_t n = 0;
	for (unsigned type = 0; type < 256; type++) {
		const struct record_type *row = record_find_type((uint16_t)type);
		if (!row != !is_type(type))
			fail_msg("type %u: %s", type, row ? row->name : "no row");
		if (!row)
			continue;
		n++;
		assert_ptr_equal(record_find_name(row->name, strlen(row->name)), row);
	}
	assert_int_equal(n, record_ntypes);
}

/* Each byte of the struct behind `from` is in one field. */
static void check_layout(const char *name, const struct record_layout *l, size_t from)
{
	unsigned char *in = calloc(1, l->size);

	assert_non_null(in);
	for (const struct record_field *f = l->fields; f->name; f++)
		for (unsigned i = 0; i < f->width * f->n; i++)
			in[f->offset + i]++;
	for (size_t i = 0; i < l->size; i++)
		if (in[i] != (i >= from))
			fail_msg("%s: byte %zu is in %d fields", name, i, in[i]);
	free(in);
	for (const struct record_part *p = l->parts; p && p->name; p++)
		if (p->of)
			check_layout(p->name, p->of, 0);
}

static void fields_are_all_bytes(void **state)
{
	(void)state;
	for (size_t i = 0; i < record_ntypes; i++)
		check_layout(record_types[i].name, &record_types[i].layout,
			     sizeof(struct wire_rec));
}

/* Each count of a struct is that of a part, so that nothing is left out that does not follow. */
static void counts_have_parts(void **state)
{
	(void)state;
	for (size_t i = 0; i < record_ntypes; i++) {
		const struct record_layout *l = &record_types[i].layout;
		for (const struct record_field *f = l->fields; f->name; f++) {
			const struct record_part *p = l->parts;
			while (p && p->name && (p->flag || p->count.offset != f->offset))
				p++;
			assert_int_equal(f->kind == RECORD_COUNT, p && p->name);
		}
	}
}

static char *text_of(const struct wire_rec *rec, uint32_t len, bool utf8)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	assert_non_null(out);
	record_put(out, 3, rec, len, utf8);
	fclose(out);
	return text;
}

static void check_text(const struct wire_rec *rec, uint32_t len, bool utf8, const char *want)
{
	char *text = text_of(rec, len, utf8);

	assert_string_equal(text, want);
	free(text);
}

static void lines(void **state)
{
	(void)state;
	struct builder b = BUILDER_INIT;
	struct wire_rec *rec = &build_thread(&b, 2, "m\xc3\xa4in\x1b[\"\\\xff\xe2\x80\xae")->rec;
	check_text(
		rec, rec->len, true,
		"thread jvm=3 number=2 name=\"m\xc3\xa4in\\x1b[\\\"\\\\\\xff\\xe2\\x80\\xae\"\n");
	check_text(
		rec, rec->len, false,
		"thread jvm=3 number=2 name=\"m\\xc3\\xa4in\\x1b[\\\"\\\\\\xff\\xe2\\x80\\xae\"\n");
	builder_release(&b);
	rec = &build_alloc(&b, 7, 0, UINT64_MAX, 0.1)->rec;
	rec->thread = 5;
	check_text(rec, rec->len, true,
		   "alloc jvm=3 thread=5 context=7 array_length=0 size=18446744073709551615 "
		   "weight=0.1\n");
	builder_release(&b);
	rec = build_record(&b, 99, 16);
	check_text(rec, rec->len, true,
		   "raw jvm=3 type=99 bytes=\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"\n");
	builder_release(&b);
}

/* A count beyond the record, however large, makes it a raw one. */
static void lengths_are_checked(void **state)
{
	(void)state;
	struct builder b = BUILDER_INIT;
	const struct wire_frame frames[2] = { { .method = 7 } };
	struct wire_stack *s = build_stack(&b, 1, 0, frames, 2);
	for (unsigned n = 0; n <= UINT16_MAX; n++) {
		s->nframes = (uint16_t)n;
		assert_int_equal(record_fits(&s->rec, s->rec.len) != NULL, n == 2);
	}
	assert_null(record_fits(&s->rec, sizeof s->rec));
	builder_release(&b);
	struct wire_class *c = build_class(&b, 1, "[I", NULL, 0);
	c->nfields = UINT32_MAX;
	assert_null(record_fits(&c->rec, c->rec.len));
	char *text = text_of(&c->rec, c->rec.len, true);
	assert_memory_equal(text, "raw jvm=3 type=16 ", 18);
	free(text);
	builder_release(&b);
}

int unit_record_table(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_has_a_row), cmocka_unit_test(fields_are_all_bytes),
		cmocka_unit_test(counts_have_parts),	cmocka_unit_test(lines),
		cmocka_unit_test(lengths_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
