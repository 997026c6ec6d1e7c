/* SPDX-License-Identifier: Apache-2.0 */
/* model_threads.c - names of threads. */
#include <string.h>

#include "base/javaname.h"
#include "model/model_parts.h"
#include "model/shown_thread.h"

enum model_fed model_take_thread(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_thread *w = (const struct wire_thread *)rec;

	if (w->number == 0 || w->number >= WIRE_THREADS || w->name_len > WIRE_THREAD_NAME ||
	    rec->len != sizeof *w + wire_pad(w->name_len))
		return model_bad();
	if (idmap_get(&j->threads, w->number))
		return MODEL_DROPPED;
	size_t len = javaname_text(m->scratch, (const char *)(w + 1), w->name_len);
	/* the name, and behind its NUL what is shown of it */
	char *name = arena_alloc(&m->defs, 2 * (len + 1));
	if (!name)
		return MODEL_BAD;
	memcpy(name, m->scratch, len);
	name[len] = '\0';
	shown_thread(name + len + 1, name);
	return idmap_put(&j->threads, w->number, name) < 0 ? MODEL_BAD : MODEL_KEEP;
}

const char *model_thread(const struct model *m, uint32_t jvm, uint32_t number)
{
	return jvm >= 1 && jvm <= m->njvms ? idmap_get(&m->jvms[jvm - 1]->threads, number) : NULL;
}

const char *model_shown_thread(const struct model *m, uint32_t jvm, uint32_t number, bool full)
{
	const char *name = model_thread(m, jvm, number);

	return !name || full ? name : name + strlen(name) + 1;
}
