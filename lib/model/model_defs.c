/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_defs.c - classes, methods and stacks, and how a stack reads.
 *
 * Definitions lie in one arena of the model and are never released before it. The first definition
 * of an id stands. A class may be named before it is described, and is filled in later.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "model/model_parts.h"
#include "model/platform.h"

/* ---- frames ------------------------------------------------------------------------------- */

/* If two frames have the same hash, the later one is found under the next number. */

#define FRAMES_FIRST 256u

static uint64_t hash_of(const struct wire_frame *frame)
{
	return idmap_hash(frame->method ^ (uint64_t)(uint32_t)frame->bci << 40);
}

int frames_number(struct frames *f, const struct wire_frame *frame, uint32_t *number)
{
	uint64_t key = hash_of(frame);
	uintptr_t found; /* the number plus one */

	for (; (found = (uintptr_t)idmap_get(&f->numbers, key)); key++) {
		const struct wire_frame *known = &f->frame[found - 1];
		*number = (uint32_t)found - 1;
		if (known->method == frame->method && known->bci == frame->bci)
			return 0;
	}
	if (!GROW(f->frame, f->n, f->room, FRAMES_FIRST) ||
	    idmap_put(&f->numbers, key, (void *)(uintptr_t)(f->n + 1)) < 0)
		return -1;
	*number = f->n;
	f->frame[f->n++] = *frame;
	return 0;
}

void frames_release(struct frames *f)
{
	free(f->frame);
	idmap_release(&f->numbers);
	*f = (struct frames){ 0 };
}

/* ---- texts ----------------------------------------------------------------------------- */

static const char *keep_text(struct model *m, const char *text, uint16_t len)
{
	return arena_text(&m->defs, m->scratch, javaname_text(m->scratch, text, len));
}

static const char *keep_class_name(struct model *m, const char *signature, uint16_t len)
{
	return arena_text(&m->defs, m->scratch, javaname_class(m->scratch, signature, len));
}

/* ---- classes --------------------------------------------------------------------------- */

static struct class_entry *find_entry(struct model *m, struct jvm *j, uint32_t id)
{
	struct class_entry *e = idmap_get(&j->classes, id);

	if (e)
		return e;
	e = arena_alloc(&m->defs, sizeof *e);
	if (!e)
		return NULL;
	*e = (struct class_entry){ .pub = { .id = id, .name = m->unknown.name } };
	return idmap_put(&j->classes, id, e) < 0 ? NULL : e;
}

const struct model_class *model_class_of(struct model *m, struct jvm *j, uint32_t id)
{
	if (id == 0)
		return &m->other;
	struct class_entry *e = find_entry(m, j, id);
	return e ? &e->pub : NULL;
}

/* Bytes of a field's three texts. */
static uint64_t field_text(const struct wire_field *f)
{
	return (uint64_t)f->name_len + f->declarer_len + f->signature_len;
}

/* Bytes of the field at `p`, or 0 if it does not fit in `left`. */
static size_t field_bytes(const unsigned char *p, size_t left)
{
	const struct wire_field *f = (const struct wire_field *)p;

	if (left < sizeof *f || f->type == '\0' || !strchr("ZBCSIJFDL[", f->type))
		return 0;
	size_t n = sizeof *f + wire_pad(field_text(f));
	return n <= left ? n : 0;
}

/* Whether the class's fields fill the `left` bytes at `p` exactly. */
static bool fields_fit(const struct wire_class *c, const unsigned char *p, size_t left)
{
	for (uint32_t i = 0; i < c->nfields; i++) {
		size_t n = field_bytes(p, left);
		if (n == 0)
			return false;
		p += n;
		left -= n;
	}
	return left == 0;
}

static bool keep_field(struct model *m, struct model_field *to, const struct wire_field *f)
{
	const char *name = (const char *)(f + 1), *declarer = name + f->name_len;

	*to = (struct model_field){
		.name = keep_text(m, name, f->name_len),
		.declarer = keep_class_name(m, declarer, f->declarer_len),
		.type = (char)f->type,
		.is_final = f->flags & WIRE_FIELD_FINAL,
		.offset = f->offset,
		.size = f->size,
	};
	if (f->signature_len)
		to->class_name = keep_class_name(m, declarer + f->declarer_len, f->signature_len);
	return to->name && to->declarer && (to->class_name || !f->signature_len);
}

static struct model_field *keep_fields(struct model *m, const struct wire_class *c,
				       const unsigned char *p)
{
	struct model_field *fields = arena_alloc(&m->defs, c->nfields * sizeof *fields);

	for (uint32_t i = 0; fields && i < c->nfields; i++) {
		const struct wire_field *f = (const struct wire_field *)p;
		if (!keep_field(m, &fields[i], f))
			return NULL;
		p += sizeof *f + wire_pad(field_text(f));
	}
	return fields;
}

enum model_fed model_take_class(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_class *c = (const struct wire_class *)rec;
	const char *signature = (const char *)(c + 1);
	size_t left = rec->len - sizeof *c;
	size_t text = wire_pad(c->signature_len);

	if (c->id == 0 || text > left ||
	    !fields_fit(c, (const unsigned char *)signature + text, left - text))
		return model_bad();
	struct class_entry *e = find_entry(m, j, c->id);
	if (!e)
		return MODEL_BAD;
	if (e->defined)
		return MODEL_DROPPED;

	const char *name = keep_class_name(m, signature, c->signature_len);
	struct model_field *fields =
		name ? keep_fields(m, c, (const unsigned char *)signature + text) : NULL;
	if (!fields)
		return MODEL_BAD;
	e->pub = (struct model_class){
		.id = c->id,
		.name = name,
		.is_array = c->signature_len > 0 && signature[0] == '[',
		.element_size = c->element_size,
		.nfields = c->nfields,
		.fields = fields,
	};
	e->defined = true;
	return MODEL_KEEP;
}

/* ---- methods --------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
	const struct wire_line *x = a;
	const struct wire_line *y = b;

	return ORDER(x->bci, y->bci) ?: ORDER(x->line, y->line);
}

static struct wire_line *keep_lines(struct model *m, const unsigned char *from, uint32_t n)
{
	struct wire_line *lines = arena_alloc(&m->defs, n * sizeof *lines);
	bool sorted = true;

	if (!lines || n == 0)
		return lines;
	memcpy(lines, from, n * sizeof *lines);
	for (uint32_t i = 1; i < n; i++)
		sorted &= lines[i - 1].bci <= lines[i].bci;
	if (!sorted) /* the format requires them by bci; class files mostly have that order */
		qsort(lines, n, sizeof *lines, compare_lines);
	return lines;
}

static enum model_home home_of(uint32_t flags)
{
	if (!(flags & WIRE_METHOD_LOADER))
		return MODEL_HOME_UNKNOWN;
	return flags & WIRE_METHOD_PLATFORM ? MODEL_HOME_PLATFORM : MODEL_HOME_PROGRAM;
}

static bool matches_any(const char *name, const char *const *globs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fnmatch(globs[i], name, 0) == 0)
			return true;
	return false;
}

enum model_fed model_take_method(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_method *w = (const struct wire_method *)rec;
	const char *text = (const char *)(w + 1);
	uint64_t text_len =
		wire_pad((uint64_t)w->class_len + w->name_len + w->descriptor_len + w->file_len);
	uint64_t line_len = (uint64_t)w->nlines * sizeof(struct wire_line);

	if (w->method == 0 || line_len > rec->len ||
	    rec->len != sizeof *w + text_len + wire_pad(line_len))
		return model_bad();
	if (idmap_get(&j->methods, w->method))
		return MODEL_DROPPED;

	struct method *d = arena_alloc(&m->defs, sizeof *d);
	if (!d)
		return MODEL_BAD;
	const char *name = text + w->class_len;
	const char *file = name + w->name_len + w->descriptor_len;
	*d = (struct method){
		.class_name = keep_class_name(m, text, w->class_len),
		.name = keep_text(m, name, w->name_len),
		.file = w->file_len ? keep_text(m, file, w->file_len) : NULL,
		.home = (uint8_t)home_of(w->flags),
		.nlines = w->nlines,
		.lines = keep_lines(m, (const unsigned char *)text + text_len, w->nlines),
	};
	if (!d->class_name || !d->name || !d->lines || (w->file_len && !d->file) ||
	    idmap_put(&j->methods, w->method, d) < 0)
		return MODEL_BAD;
	d->given = platform_class(d->class_name, home_of(w->flags)) || compiler_made(w);
	d->platform = d->given;
	d->own = !d->given && matches_any(d->class_name, m->own, m->nown);
	return MODEL_KEEP;
}

/* The line of `bci`: that of the last entry at or before it; 0 if there is none. */
static int line_of(const struct method *d, int32_t bci)
{
	uint32_t low = 0;
	uint32_t high = d->nlines;

	if (bci < 0) /* native, or unknown */
		return 0;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (d->lines[middle].bci <= bci)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? d->lines[low - 1].line : 0;
}

enum model_fed model_take_loads(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_loads *w = (const struct wire_loads *)rec;
	uint64_t bytes = w->n * (uint64_t)sizeof(struct wire_load);
	struct method *d = idmap_get(&j->methods, w->method);

	if (bytes > rec->len || rec->len != wire_pad(sizeof *w + bytes))
		return model_bad();
	if (!d || d->loads || d->nlines != w->n)
		return MODEL_DROPPED;
	struct wire_load *loads = arena_alloc(&m->defs, bytes);
	if (!loads)
		return MODEL_BAD;
	d->loads = memcpy(loads, w + 1, bytes);
	return MODEL_KEEP;
}

/* ---- stacks ---------------------------------------------------------------------------- */

static bool stack_ok(const struct wire_frame *frames, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) /* the repeated frames must come before it */
		if (frames[i].method == 0 && (frames[i].bci < 1 || (uint32_t)frames[i].bci > i))
			return false;
	return true;
}

static bool keep_frames(struct model *m, struct jvm *j, struct stack *s,
			const struct wire_frame *frames)
{
	uint32_t before = j->frames.n;

	for (uint32_t i = 0; i < s->nframes; i++)
		if (frames_number(&j->frames, &frames[i], &s->frames[i]) < 0)
			return false;
	return arena_charge(&m->defs, (j->frames.n - before) * FRAMES_COST) == 0;
}

enum model_fed model_take_stack(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_stack *w = (const struct wire_stack *)rec;
	const struct wire_frame *frames = (const struct wire_frame *)(w + 1);

	if (w->id == 0 || rec->len != sizeof *w + w->nframes * sizeof *frames ||
	    !stack_ok(frames, w->nframes))
		return model_bad();
	if (m->frameless)
		return arena_charge(&m->defs, rec->len) < 0 ? MODEL_BAD : MODEL_KEEP;
	if (idmap_get(&j->stacks, w->id))
		return MODEL_DROPPED;

	struct stack *s = arena_alloc(&m->defs, sizeof *s + w->nframes * sizeof s->frames[0]);
	if (!s)
		return MODEL_BAD;
	s->nframes = w->nframes;
	s->flags = w->flags;
	if (!keep_frames(m, j, s, frames) || idmap_put(&j->stacks, w->id, s) < 0)
		return MODEL_BAD;
	return MODEL_KEEP;
}

void model_without_frames(struct model *m)
{
	m->frameless = true;
}

static const struct jvm *find_jvm(const struct model *m, uint32_t jvm)
{
	return jvm >= 1 && jvm <= m->njvms ? m->jvms[jvm - 1] : NULL;
}

static struct model_frame resolve(const struct jvm *j, uint32_t number)
{
	const struct wire_frame *f = &j->frames.frame[number];

	if (f->method == 0)
		return (struct model_frame){
			.class_name = "", .method = "", .folded = f->bci, .platform = true
		};
	const struct method *d = idmap_get(&j->methods, f->method);
	if (!d)
		return (struct model_frame){ .class_name = "", .method = "[unknown]", .bci = -1 };
	return (struct model_frame){
		.class_name = d->class_name,
		.method = d->name,
		.file = d->file,
		.line = line_of(d, f->bci),
		.bci = f->bci,
		.home = d->home,
		.platform = d->platform && !d->own,
		.own = d->own,
		.nlines = d->nlines,
		.lines = d->lines,
		.loads = d->loads,
	};
}

size_t model_stack(const struct model *m, uint32_t jvm, uint32_t stack_id,
		   struct model_frame *frames, size_t max, unsigned *flags)
{
	const uint32_t *numbers;
	size_t n = model_stack_frames(m, jvm, stack_id, &numbers, flags);

	for (size_t i = 0; i < n && i < max; i++)
		frames[i] = resolve(m->jvms[jvm - 1], numbers[i]);
	return n;
}

size_t model_stack_frames(const struct model *m, uint32_t jvm, uint32_t stack_id,
			  const uint32_t **numbers, unsigned *flags)
{
	const struct jvm *j = find_jvm(m, jvm);
	const struct stack *s = j ? idmap_get(&j->stacks, stack_id) : NULL;

	*flags = s ? s->flags : WIRE_STACK_FAILED;
	*numbers = s ? s->frames : NULL;
	return s ? s->nframes : 0;
}

size_t model_nframes(const struct model *m, uint32_t jvm)
{
	const struct jvm *j = find_jvm(m, jvm);

	return j ? j->frames.n : 0;
}

struct model_frame model_frame(const struct model *m, uint32_t jvm, uint32_t number)
{
	return resolve(m->jvms[jvm - 1], number);
}

enum model_owner model_frame_owner(const struct model *m, uint32_t jvm, uint32_t number)
{
	const struct jvm *j = m->jvms[jvm - 1];
	const struct wire_frame *f = &j->frames.frame[number];
	const struct method *d = f->method ? idmap_get(&j->methods, f->method) : NULL;

	if (d && d->own)
		return MODEL_OF_READER;
	return f->method == 0 || (d && d->platform) ? MODEL_OF_PLATFORM : MODEL_OF_PROGRAM;
}

/* Calls `set` for each method, and tells it whether its class matches one of the globs. */
static void each_method(struct model *m, const char *const *globs, size_t n,
			void (*set)(struct method *d, bool matches))
{
	for (size_t i = 0; i < m->njvms; i++) {
		const struct idmap *methods = &m->jvms[i]->methods;
		for (size_t k = 0; methods->slots && k <= methods->mask; k++) {
			struct method *d = methods->slots[k].value;
			if (d)
				set(d, matches_any(d->class_name, globs, n));
		}
	}
}

static void set_transparent(struct method *d, bool matches)
{
	d->platform = d->given || matches;
}

void model_set_transparent(struct model *m, const char *const *globs, size_t n)
{
	each_method(m, globs, n, set_transparent);
}

static void set_own(struct method *d, bool matches)
{
	d->own = matches && !d->given;
}

void model_set_own(struct model *m, const char *const *globs, size_t n)
{
	m->own = globs;
	m->nown = n;
	each_method(m, globs, n, set_own);
}

bool model_has_own(const struct model *m)
{
	return m->nown > 0;
}

const char *model_own(const struct model *m, size_t i)
{
	return i < m->nown ? m->own[i] : NULL;
}

struct wire_frame model_wire_frame(const struct model *m, uint32_t jvm, uint32_t number)
{
	return m->jvms[jvm - 1]->frames.frame[number];
}

bool model_context_parts(const struct model *m, uint32_t jvm, uint32_t context,
			 const struct model_class **class, uint32_t *stack)
{
	const struct jvm *j = find_jvm(m, jvm);
	const struct context *c = j ? model_known_context(j, context) : NULL;

	if (!c || !c->defined)
		return false;
	*class = c->pub.class;
	*stack = c->pub.stack_id;
	return true;
}
