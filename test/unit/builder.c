/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.c - see builder.h. It lays out bytes as docs/wire.md describes, independently of the code
 * that reads them.
 */
#include "builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"

void builder_release(struct builder *b)
{
	free(b->data);
	*b = (struct builder)BUILDER_INIT;
}

const struct wire_rec *builder_next(const struct builder *b, const struct wire_rec *rec)
{
	const unsigned char *p = b->data;

	if (b->len == 0)
		return NULL;
	if (rec)
		p = (const unsigned char *)rec + rec->len;
	return p == b->data + b->len ? NULL : (const struct wire_rec *)p;
}

size_t builder_feed(struct builder *b, struct model *m, uint32_t jvm)
{
	size_t bad = 0;

	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r))
		bad += model_feed(m, jvm, r, r->len) == MODEL_BAD;
	b->len = 0;
	return bad;
}

void *build_record(struct builder *b, uint16_t type, uint32_t len)
{
	if (b->len + len > b->cap) {
		b->cap = 2 * b->cap + len;
		b->data = realloc(b->data, b->cap);
		if (!b->data)
			abort();
	}
	struct wire_rec *rec = (struct wire_rec *)(b->data + b->len);
	memset(rec, 0, len);
	rec->len = len;
	atomic_store_explicit(&rec->type, type, memory_order_relaxed);
	b->len += len;
	return rec;
}

/* Like build_record, but the body comes from a struct that also starts with a header. */
static void *copy_record(struct builder *b, uint16_t type, uint32_t len, const void *from,
			 size_t from_len)
{
	unsigned char *rec = build_record(b, type, len);

	memcpy(rec + sizeof(struct wire_rec), (const char *)from + sizeof(struct wire_rec),
	       from_len - sizeof(struct wire_rec));
	return rec;
}

static char *put(char *to, const char *text)
{
	size_t n = text ? strlen(text) : 0;

	if (n)
		memcpy(to, text, n);
	return to + n;
}

static uint32_t text_len(const char *text)
{
	return text ? (uint32_t)strlen(text) : 0;
}

static uint16_t size_of_type(char type)
{
	switch (type) {
	case 'Z':
	case 'B':
		return 1;
	case 'C':
	case 'S':
		return 2;
	case 'J':
	case 'D':
		return 8;
	default:
		return 4;
	}
}

/* Bytes of a field's texts. */
static uint32_t field_text(const struct build_field *f, const char *class_signature,
			   const char *type)
{
	return text_len(f->name) + text_len(f->declarer ? f->declarer : class_signature) +
	       text_len(type);
}

static void put_field(struct wire_field *to, const struct build_field *f,
		      const char *class_signature, const char *type)
{
	const char *declarer = f->declarer ? f->declarer : class_signature;

	to->offset = f->offset;
	to->size = size_of_type(f->type);
	to->type = (uint8_t)f->type;
	to->flags = WIRE_FIELD_FINAL;
	to->name_len = (uint16_t)text_len(f->name);
	to->declarer_len = (uint16_t)text_len(declarer);
	to->signature_len = (uint16_t)text_len(type);
	put(put(put((char *)(to + 1), f->name), declarer), type);
}

struct wire_class *build_typed_class(struct builder *b, uint32_t id, const char *signature,
				     const struct build_field *fields, uint32_t nfields,
				     const char *const *types)
{
	uint32_t len = sizeof(struct wire_class) + wire_pad(strlen(signature));

	for (uint32_t i = 0; i < nfields; i++)
		len += sizeof(struct wire_field) +
		       wire_pad(field_text(&fields[i], signature, types ? types[i] : NULL));
	struct wire_class *c = build_record(b, WIRE_CLASS, len);
	c->id = id;
	c->nfields = nfields;
	c->signature_len = (uint16_t)strlen(signature);
	c->element_size = signature[0] == '[' ? size_of_type(signature[1]) : 0;
	put((char *)(c + 1), signature);

	char *p = (char *)(c + 1) + wire_pad(strlen(signature));
	for (uint32_t i = 0; i < nfields; i++) {
		const char *type = types ? types[i] : NULL;
		put_field((struct wire_field *)p, &fields[i], signature, type);
		p += sizeof(struct wire_field) + wire_pad(field_text(&fields[i], signature, type));
	}
	return c;
}

struct wire_class *build_class(struct builder *b, uint32_t id, const char *signature,
			       const struct build_field *fields, uint32_t nfields)
{
	return build_typed_class(b, id, signature, fields, nfields, NULL);
}

struct wire_method *build_method(struct builder *b, uint64_t method, const char *class_signature,
				 const char *name, const char *file, const struct wire_line *lines,
				 uint32_t nlines)
{
	const char *descriptor = "()V";
	uint32_t text = wire_pad((uint64_t)text_len(class_signature) + text_len(name) +
				 text_len(descriptor) + text_len(file));
	uint32_t line_bytes = nlines * (uint32_t)sizeof *lines;
	struct wire_method *m =
		build_record(b, WIRE_METHOD, wire_pad(sizeof *m + (uint64_t)text + line_bytes));

	m->method = method;
	m->class_len = (uint16_t)text_len(class_signature);
	m->name_len = (uint16_t)text_len(name);
	m->descriptor_len = (uint16_t)text_len(descriptor);
	m->file_len = (uint16_t)text_len(file);
	m->nlines = nlines;
	put(put(put(put((char *)(m + 1), class_signature), name), descriptor), file);
	if (nlines)
		memcpy((char *)(m + 1) + text, lines, line_bytes);
	return m;
}

struct wire_stack *build_stack(struct builder *b, uint32_t id, unsigned flags,
			       const struct wire_frame *frames, uint16_t nframes)
{
	uint32_t bytes = nframes * (uint32_t)sizeof *frames;
	struct wire_stack *s = build_record(b, WIRE_STACK, (uint32_t)sizeof *s + bytes);

	s->id = id;
	s->nframes = nframes;
	s->flags = (uint16_t)flags;
	if (nframes)
		memcpy(s + 1, frames, bytes);
	return s;
}

struct wire_context *build_context(struct builder *b, uint32_t id, uint32_t class_id,
				   uint32_t stack_id)
{
	struct wire_context *c = build_record(b, WIRE_CONTEXT, sizeof *c);

	c->id = id;
	c->class_id = class_id;
	c->stack_id = stack_id;
	return c;
}

struct wire_context *build_site(struct builder *b, uint32_t id, const char *class_signature,
				const char *method_class_signature, const char *method, int line)
{
	struct wire_line table = { .bci = 0, .line = (uint16_t)line };
	struct wire_frame frame = { .method = id, .bci = 0 };
	const struct build_field field = { "x", NULL, 'I', 12 };

	/* without a field it would equal only itself and never be merged */
	build_class(b, id, class_signature, &field, class_signature[0] == 'L');
	build_method(b, id, method_class_signature, method, "Test.java", &table, 1);
	build_stack(b, id, 0, &frame, 1);
	return build_context(b, id, id, id);
}

struct wire_thread *build_thread(struct builder *b, uint32_t number, const char *name)
{
	uint32_t len = (uint32_t)strlen(name);
	struct wire_thread *t = build_record(b, WIRE_THREAD, wire_pad((uint32_t)sizeof *t + len));

	t->number = number;
	t->name_len = len;
	memcpy(t + 1, name, len);
	return t;
}

struct wire_alloc *build_alloc(struct builder *b, uint32_t context, uint32_t array_length,
			       uint64_t size, double weight)
{
	struct wire_alloc *a = build_record(b, WIRE_ALLOC, sizeof *a);

	a->context = context;
	a->array_length = array_length;
	a->size = size;
	a->weight = weight;
	return a;
}

struct wire_snapshot *build_snapshot(struct builder *b, const struct wire_snapshot *snapshot,
				     const uint32_t *slots, uint16_t nslots)
{
	uint32_t bytes = nslots * (uint32_t)sizeof *slots;
	struct wire_snapshot *l =
		copy_record(b, WIRE_SNAPSHOT, wire_snapshot_len(nslots, snapshot->flags), snapshot,
			    sizeof *snapshot);

	l->nslots = (uint8_t)nslots;
	if (nslots)
		memcpy(l + 1, slots, bytes);
	return l;
}

struct wire_use *build_use(struct builder *b, const struct wire_use *use)
{
	return copy_record(b, WIRE_USE, wire_use_len(use->flags), use, sizeof *use);
}

struct wire_unused *build_unused(struct builder *b, uint32_t context, uint32_t reason)
{
	struct wire_unused *u = build_record(b, WIRE_UNUSED, sizeof *u);

	u->context = context;
	u->reason = reason;
	return u;
}

struct wire_value *build_value(struct builder *b, uint32_t context, uint64_t deep, const char *text)
{
	uint32_t len = text_len(text);
	struct wire_value *v = build_record(b, WIRE_VALUE, (uint32_t)sizeof *v + wire_pad(len));

	v->context = context;
	v->len = len;
	v->deep = deep;
	v->chars = len;
	put((char *)(v + 1), text);
	return v;
}

struct file_command *build_command(struct builder *b, const char *const *argv)
{
	uint32_t argc = 0;
	uint32_t len = 0;

	for (; argv[argc]; argc++)
		len += text_len(argv[argc]) + 1;
	struct file_command *c = build_record(b, FILE_COMMAND, (uint32_t)sizeof *c + wire_pad(len));
	c->argc = argc;
	c->len = len;
	char *p = (char *)(c + 1);
	for (uint32_t i = 0; i < argc; i++)
		p = put(p, argv[i]) + 1;
	return c;
}

struct file_label *build_label(struct builder *b, uint32_t flags, const char *name,
			       const char *value)
{
	uint32_t name_len = text_len(name), value_len = text_len(value);
	struct file_label *l =
		build_record(b, FILE_LABEL, (uint32_t)sizeof *l + wire_pad(name_len + value_len));

	l->flags = flags;
	l->name_len = (uint16_t)name_len;
	l->value_len = (uint16_t)value_len;
	put(put((char *)(l + 1), name), value);
	return l;
}

static void put_text(char to[WIRE_TEXT], const char *text)
{
	strncpy(to, text, WIRE_TEXT - 1);
}

struct file_jvm *build_jvm(struct builder *b, int32_t pid, uint32_t engines, const char *vm_name,
			   const char *vm_version, const char *gc)
{
	struct file_jvm *j = build_record(b, FILE_JVM, sizeof *j);

	j->pid = pid;
	j->engines = engines;
	put_text(j->vm_name, vm_name);
	put_text(j->vm_version, vm_version);
	put_text(j->gc, gc);
	return j;
}

struct file_status *build_status(struct builder *b, const struct file_status *status)
{
	return copy_record(b, FILE_STATUS, sizeof *status, status, sizeof *status);
}

struct file_count *build_count(struct builder *b, uint32_t context, uint32_t array_length,
			       uint64_t size, uint64_t count, double weight)
{
	struct file_count *c = build_record(b, FILE_COUNT, sizeof *c);

	c->context = context;
	c->array_length = array_length;
	c->size = size;
	c->count = count;
	c->weight = weight;
	return c;
}

struct file_end *build_end(struct builder *b, uint64_t duration_ns, int32_t wait_status)
{
	struct file_end *e = build_record(b, FILE_END, sizeof *e);

	e->duration_ns = duration_ns;
	e->wait_status = wait_status;
	return e;
}

uint64_t build_random(uint64_t n)
{
	return rng_mix((n + 1) * 0x9e3779b97f4a7c15u);
}
