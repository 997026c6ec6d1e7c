/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_feed.c - passes each record to the part of the model that takes it, and keeps the
 * recording's own facts. model.h says what the model is, model_parts.h lists the other parts.
 *
 * Records are fed in one order by one thread. Their length is checked here, the rest in
 * model_take_*; after that nothing in the model needs checking.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/javaname.h"
#include "base/sort.h"
#include "model/model.h"
#include "model/model_parts.h"

/*
 * ---- views of what is alive (wire_rec.h). The records of a view are held back until
 * its end has come and all are there; then they replace the last view. They are few (an agent
 * holds some thousand objects), so they are kept whatever happens to other evidence.
 */

_Static_assert((MODEL_OUTSIDE & (WIRE_UNSEEN | WIRE_UNHELD)) == 0, "a flag has two meanings");

static void drop(struct live_heap_item *items, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(items[i].snapshot);
}

void model_free_alive(struct jvm *j)
{
	drop(j->coming, j->ncoming);
	drop(j->alive, j->nalive);
	free(j->coming);
	free(j->alive);
	free(j->live_heap_snapshots);
}

/* A record beyond the bound is dropped; the view is then incomplete. */
enum model_fed model_take_alive(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_snapshot *w = (const struct wire_snapshot *)rec;

	if (!model_snapshot_ok(w))
		return model_bad();
	if (j->ncoming >= MODEL_MAX_ALIVE)
		return MODEL_DROPPED;
	struct context *c = model_event_context(m, j, w->context);
	if (!c || !GROW(j->coming, j->ncoming, j->coming_room, 1))
		return MODEL_BAD;
	struct model_snapshot *snapshot = malloc(model_snapshot_bytes(w->nslots, w->flags));
	if (!snapshot)
		return MODEL_BAD;
	model_fill_snapshot(snapshot, w);
	snapshot->flags |= m->outside ? MODEL_OUTSIDE : 0;
	snapshot->process = j->index;
	j->coming[j->ncoming++] = (struct live_heap_item){ c, snapshot };
	return MODEL_KEEP;
}

/* By context; within a context in order of arrival. */
static int compare(const void *a, const void *b)
{
	const struct live_heap_item *x = a, *y = b;

	if (x->context != y->context)
		return x->context->pub.id < y->context->pub.id ? -1 : 1;
	return ORDER(x->snapshot->ticket, y->snapshot->ticket);
}

/* The records that came become the view; the previous view is dropped. */
static void replace(struct model *m, struct jvm *j, struct model_snapshot **snapshots,
		    const struct model_view *view)
{
	drop(j->alive, j->nalive);
	free(j->alive);
	free(j->live_heap_snapshots);
	j->alive = j->coming;
	j->nalive = j->ncoming;
	j->live_heap_snapshots = snapshots;
	j->coming = NULL;
	j->ncoming = j->coming_room = 0;
	j->view = *view;
	for (size_t i = 0; i < m->ncontexts; i++) {
		struct model_context *c = &m->contexts[i]->pub;
		if (c->jvm != j->index)
			continue;
		c->view = &j->view;
		c->nalive = 0;
		c->alive = NULL;
	}
	if (j->nalive > 0)
		qsort(j->alive, j->nalive, sizeof *j->alive, compare);
	for (uint32_t i = 0; i < j->nalive; i++) {
		struct model_context *c = &j->alive[i].context->pub;
		if (c->nalive++ == 0)
			c->alive = &snapshots[i];
		snapshots[i] = j->alive[i].snapshot;
	}
}

enum model_fed model_take_view(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_view *w = (const struct wire_view *)rec;
	const struct model_view view = { w->leaves & ~WIRE_STRINGS_HELD, w->interval, w->age_ms,
					 w->leaves & WIRE_STRINGS_HELD };

	if (!(w->interval >= 0) || !isfinite(w->interval))
		return model_bad();
	if (w->objects != j->ncoming) {
		drop(j->coming, j->ncoming);
		j->ncoming = 0;
		return MODEL_KEEP;
	}
	struct model_snapshot **snapshots = calloc(j->ncoming ? j->ncoming : 1, sizeof *snapshots);
	if (!snapshots)
		return MODEL_BAD;
	replace(m, j, snapshots, &view);
	return MODEL_KEEP;
}

void model_set_machine(struct model *m, const struct file_header *header)
{
	wire_file_machine(header, m->machine);
}

const char *model_machine(const struct model *m)
{
	return m->machine;
}

struct model *model_new(const struct analysis *const *analyses)
{
	struct model *m = calloc(1, sizeof *m);

	if (!m)
		return NULL;
	m->defs.limit = MODEL_MAX_DEFS;
	m->evidence_cap = EVIDENCE_CAP;
	model_set_machine(m, &(struct file_header){ .start_unix_ns = 0 });
	m->unknown.name = "(unknown)";
	m->other.name = "(other)";
	m->analyses = analyses;
	m->scratch = malloc(javaname_room(UINT16_MAX));
	if (!m->scratch || !model_add_stores(m)) {
		model_free(m);
		return NULL;
	}
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->njvms; i++) {
		struct jvm *j = m->jvms[i];
		free(j->flushes);
		idmap_release(&j->classes);
		idmap_release(&j->methods);
		idmap_release(&j->stacks);
		idmap_release(&j->contexts);
		idmap_release(&j->threads);
		frames_release(&j->frames);
		model_free_alive(j);
		free(j);
	}
	model_release_stores(m);
	arena_release(&m->defs);
	arena_release(&m->evidence);
	arena_release(&m->memory);
	arena_release(&m->values);
	free(m->contexts);
	free(m->changed);
	free(m->jvms);
	free(m->scratch);
	free(m->argv);
	free(m->recorded_own);
	free(m->parts);
	free(m->pool_first);
	idmap_release(&m->recordings);
	idmap_release(&m->processes);
	free(m);
}

/* ---- JVMs ------------------------------------------------------------------------------ */

/* Cleans a text from a field of `size` bytes for display. */
static void clean_text(char *text, size_t size)
{
	char clean[2 * WIRE_NOTE + 8]; /* javaname_room(WIRE_NOTE) */
	size_t n = javaname_text(clean, text, strnlen(text, size - 1));

	memcpy(text, clean, n);
	memset(text + n, 0, size - n);
}

static enum model_fed take_jvm(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	(void)m;
	memcpy(&j->pub.info, rec, sizeof j->pub.info);
	clean_text(j->pub.info.vm_name, WIRE_TEXT);
	clean_text(j->pub.info.vm_version, WIRE_TEXT);
	clean_text(j->pub.info.gc, WIRE_TEXT);
	return MODEL_KEEP;
}

static enum model_fed take_status(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	struct file_status *s = &j->pub.status;

	(void)m;
	if (((const struct file_status *)rec)->nnotes > WIRE_NOTES)
		return model_bad();
	memcpy(s, rec, sizeof *s);
	for (uint32_t i = 0; i < WIRE_NOTES; i++)
		clean_text(s->note[i], WIRE_NOTE);
	j->pub.has_status = true;
	return MODEL_KEEP;
}

/* ---- contexts -------------------------------------------------------------------------- */

static enum model_fed take_context(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	const struct wire_context *w = (const struct wire_context *)rec;

	if (w->id == 0)
		return model_bad();
	struct context *c = model_known_context(j, w->id);
	if (c && c->defined)
		return MODEL_DROPPED;
	const struct model_class *class = model_class_of(m, j, w->class_id);
	if (!class)
		return MODEL_BAD;
	if (!c) {
		if (m->ncontexts >= MODEL_MAX_CONTEXTS || m->closed)
			return MODEL_DROPPED;
		c = model_add_context(m, j, w->id);
		if (!c)
			return MODEL_BAD;
	}
	c->pub.class = class;
	c->pub.stack_id = w->stack_id;
	c->defined = true;
	return MODEL_KEEP;
}

/* ---- the recording --------------------------------------------------------------------- */

/* Whether its strings are as many as it says, each whole. */
static bool words_ok(const struct wire_rec *rec)
{
	const struct file_command *f = (const struct file_command *)rec;
	const char *text = (const char *)(f + 1);
	uint32_t ends = 0;

	if (rec->len < sizeof *f || f->len > rec->len ||
	    rec->len != sizeof *f + (uint64_t)wire_pad(f->len) ||
	    (f->len && text[f->len - 1] != '\0'))
		return false;
	for (uint32_t i = 0; i < f->len; i++)
		ends += text[i] == '\0';
	return ends == f->argc;
}

/* Copies the words into memory that has `pointers` bytes in front of them; they end with NULL. */
static char **copy_words(const struct wire_rec *rec, size_t pointers)
{
	const struct file_command *f = (const struct file_command *)rec;
	char **words = malloc(pointers + f->len);

	if (!words)
		return NULL;
	char *copy = memcpy((char *)words + pointers, f + 1, f->len);
	for (uint32_t i = 0; i < f->argc; i++, copy += strlen(copy) + 1)
		words[i] = copy;
	words[f->argc] = NULL;
	return words;
}

static enum model_fed take_command(struct model *m, const struct wire_rec *rec)
{
	const struct file_command *f = (const struct file_command *)rec;

	if (!words_ok(rec))
		return model_bad();
	if (m->argv)
		return MODEL_DROPPED;

	/* those of the arguments, and of the words that are shown */
	size_t pointers = 2 * (f->argc + (size_t)1) * sizeof *m->argv;
	m->argv = copy_words(rec, pointers);
	if (!m->argv)
		return MODEL_BAD;
	m->argc = f->argc;
	m->shown = shown_command((const char *const *)m->argv, m->argc,
				 (const char **)m->argv + m->argc + 1);
	return MODEL_KEEP;
}

static enum model_fed take_own(struct model *m, const struct wire_rec *rec)
{
	const struct file_command *f = (const struct file_command *)rec;

	if (!words_ok(rec))
		return model_bad();
	if (m->recorded_own)
		return MODEL_DROPPED;
	m->recorded_own = copy_words(rec, (f->argc + (size_t)1) * sizeof *m->recorded_own);
	if (!m->recorded_own)
		return MODEL_BAD;
	model_set_own(m, (const char *const *)m->recorded_own, f->argc);
	return MODEL_KEEP;
}

static enum model_fed take_jvm_label(struct model *m, struct jvm *j, const struct wire_rec *rec)
{
	return model_take_label(m, &j->labels, rec);
}

static enum model_fed take_end(struct model *m, const struct wire_rec *rec)
{
	memcpy(&m->end, rec, sizeof m->end);
	m->ended = true;
	return MODEL_KEEP;
}

/* ---- dispatch -------------------------------------------------------------------------- */

/* What takes the records of a JVM, by their type. */
static const struct taker {
	uint16_t min_len;
	bool exact; /* the record has no variable part */
	struct model_room room;
	enum model_fed (*take)(struct model *m, struct jvm *j, const struct wire_rec *rec);
} takers[] = {
	[WIRE_ALLOC] = { sizeof(struct wire_alloc), true, .take = model_take_alloc },
	[WIRE_ALLOC_COUNTED] = { sizeof(struct wire_alloc), true, .take = model_take_alloc },
	[WIRE_CALLERS] = { sizeof(struct wire_callers), true, .take = model_take_callers,
			   .room = { .until_closed = true } },
	[WIRE_SNAPSHOT] = { sizeof(struct wire_snapshot), false, .take = model_take_snapshot },
	[WIRE_USE] = { sizeof(struct wire_use), false, .take = model_take_use },
	[WIRE_UNUSED] = { sizeof(struct wire_unused), true, .take = model_take_unused },
	[WIRE_VALUE] = { sizeof(struct wire_value), false, .take = model_take_value,
			 .room = { .until_closed = true } },
	[WIRE_ALIVE] = { sizeof(struct wire_snapshot), false, .take = model_take_alive,
			 .room = { .last = WIRE_VIEW } },
	[WIRE_VIEW] = { sizeof(struct wire_view), true, .take = model_take_view,
			.room = { .last = WIRE_VIEW } },
	[FILE_COUNT] = { sizeof(struct file_count), true, .take = model_take_count },
	[FILE_TALLY] = { sizeof(struct file_tally), true, .take = model_take_tally },
	[WIRE_CONTEXT] = { sizeof(struct wire_context), true, .take = take_context,
			   .room = { .until_closed = true } },
	[WIRE_STACK] = { sizeof(struct wire_stack), false, .take = model_take_stack,
			 .room = { .until_closed = true } },
	[WIRE_METHOD] = { sizeof(struct wire_method), false, .take = model_take_method },
	[WIRE_LOADS] = { sizeof(struct wire_loads), false, .take = model_take_loads },
	[WIRE_CLASS] = { sizeof(struct wire_class), false, .take = model_take_class,
			 .room = { .until_closed = true } },
	[WIRE_THREAD] = { sizeof(struct wire_thread), false, .take = model_take_thread },
	[FILE_JVM] = { sizeof(struct file_jvm), true, .take = take_jvm },
	[FILE_LABEL] = { sizeof(struct file_label), false, .take = take_jvm_label },
	[FILE_STATUS] = { sizeof(struct file_status), true, .take = take_status },
	[FILE_PART] = { sizeof(struct file_part), true, .take = model_take_part },
	[FILE_SUM] = { sizeof(struct file_sum), true, .take = model_take_sum },
	[FILE_POOLED] = { sizeof(struct file_pooled), true, .take = model_take_pooled },
	[FILE_SEEN] = { sizeof(struct file_seen), true, .take = model_take_seen },
	[FILE_SECRET] = { sizeof(struct file_secret), true, .take = model_take_secret },
};

/* NULL: the model itself takes none of that type. */
static const struct taker *taker_of(uint16_t type)
{
	return type < sizeof takers / sizeof takers[0] && takers[type].take ? &takers[type] : NULL;
}

/*
 * Methods and threads have no bound of their own: they have room if their stacks and sums have.
 */
struct model_room model_room_of(const struct model *m, uint16_t type)
{
	void *store;
	const struct analysis_record *r = model_analysed(m, type, &store);

	if (r)
		return r->room;
	const struct taker *t = taker_of(type);
	return t ? t->room : (struct model_room){ .last = 0 };
}

/* A record of the recording itself, with jvm 0. */
static enum model_fed feed_recording(struct model *m, const struct wire_rec *rec, uint16_t type)
{
	if (type == FILE_COMMAND)
		return take_command(m, rec);
	if (type == FILE_OWN)
		return take_own(m, rec);
	if (type == FILE_LABEL)
		return model_take_label(m, &m->labels, rec);
	if (type == FILE_SECRET)
		return rec->len != sizeof(struct file_secret) ? model_bad()
							      : model_take_secret(m, NULL, rec);
	if (type == FILE_END)
		return rec->len != sizeof(struct file_end) ? model_bad() : take_end(m, rec);
	if (type == FILE_THIN)
		return rec->len != sizeof(struct file_thin) ? model_bad() : model_take_thin(m, rec);
	if (taker_of(type) || model_is_analysed(m, type))
		return model_bad();
	return MODEL_KEEP; /* of a type that is not known here */
}

static enum model_fed feed_jvm(struct model *m, struct jvm *j, const struct wire_rec *rec,
			       uint16_t type)
{
	const struct taker *t = taker_of(type);

	if (t) {
		bool fits = t->exact ? rec->len == t->min_len : rec->len >= t->min_len;
		return fits ? t->take(m, j, rec) : model_bad();
	}
	void *store;
	const struct analysis_record *r = model_analysed(m, type, &store);
	if (r && (rec->len < r->min_len || (r->exact && rec->len != r->min_len)))
		return model_bad();
	if (r)
		return r->take(m, store, j, rec);
	return type == FILE_COMMAND || type == FILE_OWN || type == FILE_END || type == FILE_THIN
		       ? model_bad()
		       : MODEL_KEEP;
}

enum model_fed model_feed(struct model *m, uint32_t jvm, const struct wire_rec *rec, uint32_t len)
{
	if (len < sizeof *rec || len % WIRE_ALIGN || rec->len != len)
		return model_bad();
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);
	if (type == 0)
		return model_bad();
	if (type == WIRE_PAD)
		return MODEL_DROPPED;
	if (jvm == 0)
		return feed_recording(m, rec, type);
	struct jvm *j = jvm <= m->njvms ? m->jvms[jvm - 1] : model_find_jvm(m, jvm);
	return j ? feed_jvm(m, j, rec, type) : MODEL_BAD;
}

bool model_can_skip(uint32_t jvm, const struct wire_rec *rec)
{
	return errno == EBADMSG && jvm &&
	       atomic_load_explicit(&rec->type, memory_order_relaxed) < FILE_COMMAND;
}

enum model_fed model_feed_outside(struct model *m, uint32_t jvm, const struct wire_rec *rec,
				  uint32_t len)
{
	m->outside = true;
	enum model_fed fed = model_feed(m, jvm, rec, len);
	m->outside = false;
	return fed;
}

void model_close(struct model *m)
{
	m->closed = true;
}
