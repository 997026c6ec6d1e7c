/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_parts.c - the stores of the analyses in a model, and questions to all of them; see
 * analysis.h.
 */
#include "model/model_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/*
 * ---- what is only counted: by a key of some numbers, and by thread until it is in the file.
 * A report needs the sums of all threads together; only `--thread` needs those of some, and
 * reads the file again for that. So the model keeps them by thread only until they are in the
 * file. Most sums are of one thread.
 */

/* ---- by thread --------------------------------------------------------------------------- */

/* Adds an entry after the first; NULL if there are too many, or out of memory. */
static struct unflushed *add(struct model *m, struct unflushed **list, size_t size)
{
	if (*list && m->napart >= MODEL_MAX_APART)
		return NULL;
	struct unflushed *f = arena_alloc(&m->memory, size);
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

void *model_unflushed_new(struct model *m, struct unflushed **list, uint16_t thread, size_t size)
{
	struct unflushed *unused = NULL;

	for (struct unflushed *f = *list; f; f = f->next) {
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

static struct unflushed *next_used(struct unflushed *list)
{
	while (list && !list->used)
		list = list->next;
	return list;
}

static void clear(struct model *m, struct unflushed *f, size_t size)
{
	m->unflushed -= size;
	f->used = false;
	memset(f + 1, 0, size - sizeof *f);
}

int model_unflushed_flush(struct model *m, struct unflushed *list,
			  const struct unflushed_flush *how, const void *of, emit_fn *emit,
			  void *arg)
{
	for (struct unflushed *f = list; (f = next_used(f)); f = f->next) {
		union {
			struct wire_rec rec;
			uint64_t room[UNFLUSHED_RECORD / sizeof(uint64_t)];
		} to;
		how->fill(&to.rec, f, of);
		to.rec.thread = f->thread;
		if (emit(how->jvm, &to.rec, to.rec.len, arg) < 0)
			return -1;
		clear(m, f, how->size);
	}
	return 0;
}

/* ---- by key ------------------------------------------------------------------------------ */

static uint64_t hash_of(const struct sums_key *key)
{
	uint64_t hash = (uint64_t)key->jvm << 32 | key->what;

	for (size_t i = 0; i < sizeof key->id / sizeof key->id[0]; i++)
		hash = idmap_hash(hash) * 31 + key->id[i];
	return hash;
}

struct sums *model_sums_find(const struct sums_store *store, const struct sums_key *key)
{
	struct sums *s = idmap_get(&store->by_hash, hash_of(key));

	while (s && memcmp(&s->key, key, sizeof *key) != 0)
		s = s->next;
	return s;
}

struct sums *model_sums_add(struct sums_store *store, const struct sums_key *key, size_t size)
{
	uint64_t hash = hash_of(key);

	if (!GROW(store->entry, store->n, store->room, 1))
		return NULL;
	struct sums *s = calloc(1, size);
	if (!s)
		return NULL;
	s->key = *key;
	struct sums *first = idmap_get(&store->by_hash, hash);
	if (first) { /* another key with the same hash: ids come from an untrusted process */
		s->next = first->next;
		first->next = s;
	} else if (idmap_put(&store->by_hash, hash, s) < 0) {
		free(s);
		return NULL;
	}
	return store->entry[store->n++] = s;
}

int model_sums_flush(struct model *m, const struct sums_store *store, size_t size,
		     unflushed_fill *fill, emit_fn *emit, void *arg)
{
	for (uint32_t i = 0; i < store->n; i++) {
		const struct sums *s = store->entry[i];
		const struct unflushed_flush how = { s->key.jvm, size, fill };
		if (model_unflushed_flush(m, s->unflushed, &how, s, emit, arg) < 0)
			return -1;
	}
	return 0;
}

const struct sums_store *model_sums_of(const struct model *m, const struct analysis_record *records)
{
	static const struct sums_store none;
	const struct sums_store *store = model_store(m, records);

	return store ? store : &none;
}

void model_sums_release(void *of)
{
	struct sums_store *store = of;

	for (uint32_t i = 0; i < store->n; i++)
		free(store->entry[i]);
	free(store->entry);
	idmap_release(&store->by_hash);
}

/* ---- the stores of the analyses in a model, and questions to all of them; see analysis.h. */

const struct analysis *const *model_analyses(const struct model *m)
{
	return m->analyses;
}

void *model_store(const struct model *m, const struct analysis_record *records)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->records == records)
			return m->store[i];
	return NULL;
}

const struct analysis_record *model_analysed(const struct model *m, uint16_t type, void **store)
{
	for (int i = 0; m->analyses[i]; i++)
		for (const struct analysis_record *r = m->analyses[i]->records; r && r->type; r++)
			if (r->type == type) {
				*store = m->store[i];
				return r;
			}
	return NULL;
}

bool model_is_analysed(const struct model *m, uint16_t type)
{
	void *store;

	return model_analysed(m, type, &store) != NULL;
}

const struct analysis_sums *model_sums_in(const struct model *m, uint16_t type)
{
	void *store;
	const struct analysis_record *r = model_analysed(m, type, &store);

	return r ? r->sums : NULL;
}

bool model_is_whole(const struct model *m, uint16_t type)
{
	for (int i = 0; m->analyses[i]; i++)
		for (const struct analysis_record *r = m->analyses[i]->records; r && r->type; r++)
			if (r->type == type)
				return m->analyses[i]->whole;
	return false;
}

bool model_has_findings(const struct model *m)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->seen && m->analyses[i]->seen(m))
			return true;
	return false;
}

int model_each_access(const struct model *m, analysis_access_fn *fn, void *arg)
{
	int result = 0;

	for (int i = 0; m->analyses[i] && result == 0; i++)
		if (m->analyses[i]->accesses)
			result = m->analyses[i]->accesses(m, fn, arg);
	return result;
}

void model_sum_up(FILE *out, const struct model *m, const struct analysis_needs *needs,
		  const struct file_status *all)
{
	for (int i = 0; m->analyses[i]; i++)
		if ((needs->analyses & 1u << i) && m->analyses[i]->sum_up)
			m->analyses[i]->sum_up(out, m, needs, all);
}

bool model_add_stores(struct model *m)
{
	for (int i = 0; i < ANALYSES_MAX && m->analyses[i]; i++) {
		size_t size = m->analyses[i]->store_size;
		if (size && !(m->store[i] = calloc(1, size)))
			return false;
	}
	return true;
}

void model_release_stores(struct model *m)
{
	for (int i = 0; m->analyses[i]; i++) {
		if (m->store[i] && m->analyses[i]->release)
			m->analyses[i]->release(m->store[i]);
		free(m->store[i]);
	}
}

void model_thin_stores(struct model *m)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->thin)
			m->analyses[i]->thin(m, m->store[i]);
}

int model_flush_stores(struct model *m, emit_fn *emit, void *arg)
{
	for (int i = 0; m->analyses[i]; i++)
		if (m->analyses[i]->flush && m->analyses[i]->flush(m, m->store[i], emit, arg) < 0)
			return -1;
	return 0;
}
