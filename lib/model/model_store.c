/* SPDX-License-Identifier: Apache-2.0 */
/* model_store.c - where the model keeps JVMs and contexts, and accessors to them. */
#include "model/model_store.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "model/model_parts.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t shown_thread(char *to, const char *name)
{
	char *start = to;

	while (*name) {
		size_t len = 0, digits = 0, first = 0;
		for (; is_word(name[len]); len++) {
			first = is_digit(name[len]) && !digits ? len : first;
			digits += is_digit(name[len]);
		}
		bool cut = digits > SHOWN_DIGITS;
		size_t kept = cut ? first : len;
		to = (char *)memcpy(to, name, kept) + kept;
		if (cut)
			*to++ = '#';
		name += len;
		if (*name)
			*to++ = *name++;
	}
	*to = '\0';
	return (size_t)(to - start);
}

/* ---- names of threads. */

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

enum model_fed model_bad(void)
{
	errno = EBADMSG;
	return MODEL_BAD;
}

/* ---- JVMs and contexts ------------------------------------------------------------------- */

/* Makes the JVM `index` (1..) and those before it, if necessary. */
struct jvm *model_find_jvm(struct model *m, uint32_t index)
{
	if (index > MODEL_MAX_JVMS) {
		errno = EBADMSG;
		return NULL;
	}
	while (m->njvms < index) {
		if (!GROW(m->jvms, m->njvms, m->jvms_room, 1))
			return NULL;
		struct jvm *j = calloc(1, sizeof *j);
		if (!j)
			return NULL;
		j->index = (uint32_t)m->njvms + 1;
		m->jvms[m->njvms++] = j;
	}
	return m->jvms[index - 1];
}

struct context *model_add_context(struct model *m, struct jvm *j, uint32_t id)
{
	size_t room = m->contexts_room; /* of both arrays */

	if (!GROW(m->contexts, m->ncontexts, room, 1) ||
	    !GROW(m->changed, m->ncontexts, m->contexts_room, 1))
		return NULL;
	struct context *c = arena_alloc(&m->memory, sizeof *c);
	if (!c)
		return NULL;
	memset(c, 0, sizeof *c);
	if (idmap_put(&j->contexts, id, c) < 0)
		return NULL;
	c->pub.model = m;
	c->pub.jvm = j->index;
	c->pub.id = id;
	c->pub.class = id ? &m->unknown : &m->other;
	c->snapshot_threshold = c->use_threshold = (1ull << 32) >> m->halvings;
	c->pub.number = (uint32_t)m->ncontexts;
	m->contexts[m->ncontexts++] = c;
	return c;
}

struct context *model_event_context(struct model *m, struct jvm *j, uint32_t id)
{
	struct context *c = model_known_context(j, id);

	if (c)
		return c;
	if (m->ncontexts >= MODEL_MAX_CONTEXTS || m->closed) {
		id = 0;
		c = model_known_context(j, id);
	}
	return c ? c : model_add_context(m, j, id);
}

bool model_is_closed(const struct model *m)
{
	return m->closed;
}

uint32_t model_jvm_index(const struct jvm *j)
{
	return j->index;
}

struct model_context *model_context_of(struct model *m, struct jvm *j, uint32_t id)
{
	struct context *c = model_event_context(m, j, id);

	return c ? &c->pub : NULL;
}

/* ---- accessors ------------------------------------------------------------------------- */

size_t model_njvms(const struct model *m)
{
	return m->njvms;
}

const struct model_jvm *model_jvm(const struct model *m, uint32_t jvm)
{
	return jvm >= 1 && jvm <= m->njvms ? &m->jvms[jvm - 1]->pub : NULL;
}

size_t model_ncontexts(const struct model *m)
{
	return m->ncontexts;
}

struct model_context *model_context(const struct model *m, size_t i)
{
	return i < m->ncontexts ? &m->contexts[i]->pub : NULL;
}

void model_count_evidence(struct model *m, size_t more, size_t less)
{
	m->evidence_bytes += more - less;
}

bool model_is_outside(const struct model *m)
{
	return m->outside;
}

size_t model_evidence_bytes(const struct model *m)
{
	return m->evidence_bytes;
}

uint32_t model_halvings(const struct model *m)
{
	return m->halvings;
}

size_t model_unflushed(const struct model *m)
{
	return m->unflushed;
}

uint64_t model_sampled(const struct model *m, bool known)
{
	return known ? m->sampled_known : m->sampled;
}

uint32_t model_snapshots(const struct model *m)
{
	return m->snapshots;
}

struct shown_command model_command(const struct model *m, bool full)
{
	struct shown_command c = m->shown;

	if (full) {
		c.word = (const char *const *)m->argv;
		c.n = m->argc;
		c.left_out = 0;
	}
	return c;
}

size_t model_argc(const struct model *m)
{
	return m->argc;
}

const char *model_argv(const struct model *m, size_t i)
{
	return i < m->argc ? m->argv[i] : NULL;
}

bool model_ended(const struct model *m, struct file_end *end)
{
	if (m->ended && end)
		*end = m->end;
	return m->ended;
}
