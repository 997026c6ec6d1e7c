/* SPDX-License-Identifier: Apache-2.0 */
/* search.c - see search.h. */
#define _GNU_SOURCE 1 /* strcasestr */
#include "live/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------- */

static bool has_capital(const char *text)
{
	for (; *text; text++)
		if (isupper((unsigned char)*text))
			return true;
	return false;
}

static bool holds(const char *text, const char *part)
{
	if (!text)
		return false;
	return has_capital(part) ? strstr(text, part) != NULL : strcasestr(text, part) != NULL;
}

/* A frame matches by its class, or by class and method. */
static bool frame_holds(const struct model_frame *f, const char *part)
{
	char name[512];

	if (!f->class_name || !f->method)
		return holds(f->class_name, part);
	if (strlen(f->class_name) + strlen(f->method) + 2 > sizeof name)
		return holds(f->class_name, part) || holds(f->method, part);
	stpcpy(stpcpy(stpcpy(name, f->class_name), "."), f->method);
	return holds(name, part);
}

static int class_takes(struct search *s, const struct model_class *class)
{
	static char yes, no;
	uint64_t key = (uint64_t)(uintptr_t) class;
	const char *name = class && class->name ? class->name : "?";
	const char *known = idmap_get(&s->classes, key);

	if (known)
		return known == &yes;
	bool taken = holds(name, s->text);
	return idmap_put(&s->classes, key, taken ? &yes : &no) < 0 ? -1 : taken;
}

/* ---- frames ------------------------------------------------------------------------------ */

enum {
	HOME_KNOWN = 1 << 4, /* the lower bits are those of callstack_home */
	TEXT_KNOWN = 1 << 5,
	TEXT_TAKEN = 1 << 6,
};

/* What is known of frames of a JVM, of all that there are by now; NULL where memory lacks. */
static unsigned char *frames_of(struct search *s, uint32_t jvm)
{
	size_t n = model_nframes(s->model, jvm);

	if (jvm > s->njvms) {
		struct search_frames *more = realloc(s->jvm, jvm * sizeof *more);
		if (!more)
			return NULL;
		memset(more + s->njvms, 0, (jvm - s->njvms) * sizeof *more);
		s->jvm = more;
		s->njvms = jvm;
	}
	struct search_frames *f = &s->jvm[jvm - 1];
	if (n > f->n) {
		unsigned char *known = realloc(f->known, 2 * n);
		if (!known)
			return NULL;
		memset(known + f->n, 0, 2 * n - f->n);
		f->known = known;
		f->n = 2 * n;
	}
	return f->known;
}

static unsigned home_of(const struct search *s, unsigned char *known, uint32_t jvm, uint32_t frame)
{
	if (!(known[frame] & HOME_KNOWN)) {
		struct model_frame f = model_frame(s->model, jvm, frame);
		if (!f.class_name[0] && f.folded <= 0)
			return callstack_home(&f); /* it may get a name yet */
		known[frame] |= (unsigned char)(HOME_KNOWN | callstack_home(&f));
	}
	return known[frame];
}

/* The row's own frame: as callstack_application has it. */
static uint32_t own_frame(const struct search *s, unsigned char *known, uint32_t jvm,
			  const uint32_t *frame, size_t n)
{
	for (unsigned home = CALLSTACK_JDK; home <= CALLSTACK_CORE; home <<= 1)
		for (size_t i = 0; i < n; i++)
			if (!(home_of(s, known, jvm, frame[i]) & home))
				return frame[i];
	return SEARCH_NONE;
}

static int find_frames(struct search *s, struct search_row *r)
{
	const uint32_t *frame;
	unsigned flags;
	size_t n = s->model ? model_stack_frames(s->model, r->jvm, r->stack, &frame, &flags) : 0;

	r->first = r->own = SEARCH_NONE;
	if (n == 0)
		return 0;
	unsigned char *known = frames_of(s, r->jvm);
	if (!known)
		return -1;
	r->first = frame[0];
	r->own = own_frame(s, known, r->jvm, frame, n < WIRE_MAX_STACK ? n : WIRE_MAX_STACK);
	return 0;
}

static bool frame_takes(const struct search *s, uint32_t jvm, uint32_t frame)
{
	if (frame == SEARCH_NONE)
		return false;
	unsigned char *known = &s->jvm[jvm - 1].known[frame];
	if (!(*known & TEXT_KNOWN)) {
		struct model_frame f = model_frame(s->model, jvm, frame);
		bool taken = frame_holds(&f, s->text);
		if (!f.class_name[0])
			return taken;
		*known |= taken ? TEXT_KNOWN | TEXT_TAKEN : TEXT_KNOWN;
	}
	return *known & TEXT_TAKEN;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int decide(struct search *s, struct search_row *r)
{
	int taken = s->text[0] ? class_takes(s, r->class) : 1;

	if (taken < 0)
		return -1;
	r->taken = taken || frame_takes(s, r->jvm, r->first) || frame_takes(s, r->jvm, r->own);
	return 0;
}

/* Rows from the first one on that are not known yet. */
static int make_room(struct search *s, size_t n)
{
	if (n > s->room) {
		struct search_row *row = realloc(s->row, 2 * n * sizeof *row);
		if (!row)
			return -1;
		s->row = row;
		s->room = 2 * n;
	}
	if (n > s->n) {
		memset(s->row + s->n, 0, (n - s->n) * sizeof *s->row);
		s->n = n;
	}
	return 0;
}

int search_row(struct search *s, const struct rows *rows, size_t i)
{
	const struct row *row = &rows->row[i];

	if (make_room(s, i + 1) < 0)
		return -1;
	struct search_row *r = &s->row[i];
	if (r->jvm != row->jvm || r->stack != row->stack_id || r->class != row->class) {
		*r = (struct search_row){ row->class, row->jvm, row->stack_id, 0, 0, false };
		if (find_frames(s, r) < 0)
			return -1;
	}
	return decide(s, r);
}

static int set_text(struct search *s, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -1;
	free(s->text);
	s->text = copy;
	idmap_release(&s->classes);
	for (size_t j = 0; j < s->njvms; j++)
		for (size_t i = 0; i < s->jvm[j].n; i++)
			s->jvm[j].known[i] &= (unsigned char)~(TEXT_KNOWN | TEXT_TAKEN);
	return 0;
}

int search_begin(struct search *s, const struct model *m, const struct rows *rows, const char *text)
{
	if (m != s->model)
		search_release(s);
	s->model = m;
	if (set_text(s, text) < 0)
		return -1;
	if (s->n > rows->n)
		s->n = rows->n;
	for (size_t i = 0; i < rows->n; i++)
		if (search_row(s, rows, i) < 0)
			return -1;
	return 0;
}

int search_text(struct search *s, const char *text)
{
	if (set_text(s, text) < 0)
		return -1;
	for (size_t i = 0; i < s->n; i++)
		if (decide(s, &s->row[i]) < 0)
			return -1;
	return 0;
}

void search_release(struct search *s)
{
	for (size_t j = 0; j < s->njvms; j++)
		free(s->jvm[j].known);
	free(s->jvm);
	free(s->row);
	free(s->text);
	idmap_release(&s->classes);
	*s = (struct search){ .n = 0 };
}
