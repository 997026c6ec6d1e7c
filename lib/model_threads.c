/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_threads.c - names of threads, and sums that are kept apart by thread until they are flushed.
 *
 * A report needs the sums of all threads together, and only `--thread` those of some, for which it reads the file anew: so
 * the model keeps them apart no longer than until they are in the file. Most of what is summed up is one thread's.
 */
#include <string.h>

#include "javaname.h"
#include "model_private.h"

enum model_fed model_take_thread(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_thread *w = (const struct wire_thread *)rec;

	if (w->number == 0 || w->number >= WIRE_THREADS || w->name_len > WIRE_THREAD_NAME ||
	    rec->len != sizeof *w + wire_pad(w->name_len))
		return model_bad();
	if (idmap_get(&j->threads, w->number))
		return MODEL_DROPPED;
	size_t len = javaname_text(m->scratch, (const char *)(w + 1), w->name_len);
	char *name = arena_alloc(&m->defs, len + 1);
	if (!name)
		return MODEL_BAD;
	memcpy(name, m->scratch, len + 1);
	return idmap_put(&j->threads, w->number, name) < 0 ? MODEL_BAD : MODEL_KEEP;
}

const char *model_thread(const struct model *m, uint32_t jvm, uint32_t number)
{
	return jvm >= 1 && jvm <= m->njvms ? idmap_get(&m->jvms[jvm - 1]->threads, number) : NULL;
}

/* ---- sums ------------------------------------------------------------------------------ */

/* One more entry, behind the first; NULL where there are too many, or memory lacks. */
static struct fresh *add(struct model *m, struct fresh **list, size_t size)
{
	if (*list && m->napart >= MODEL_MAX_APART)
		return NULL;
	struct fresh *f = arena_alloc(&m->memory, size);
	if (!f)
		return NULL;
	memset(f, 0, size);
	if (*list) {
		f->next = (*list)->next;
		(*list)->next = f;
		m->napart++;
	} else {
		*list = f;
	}
	return f;
}

void *model_fresh(struct model *m, struct fresh **list, uint16_t thread, size_t size)
{
	struct fresh *unused = NULL;

	for (struct fresh *f = *list; f; f = f->next) {
		if (f->used && f->thread == thread)
			return f;
		if (!f->used && !unused)
			unused = f;
	}
	if (!unused)
		unused = add(m, list, size);
	if (unused) {
		m->unflushed += size;
		unused->used = true;
		unused->thread = thread;
	} else if (*list) {
		(*list)->thread = 0;
		return *list;
	}
	return unused;
}

struct fresh *model_fresh_used(struct fresh *list)
{
	while (list && !list->used)
		list = list->next;
	return list;
}

void model_fresh_done(struct model *m, struct fresh *f, size_t size)
{
	m->unflushed -= size;
	f->used = false;
	memset(f + 1, 0, size - sizeof *f);
}
