/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge.c - what is merged as a whole, and what the recordings say of themselves: a text stays if
 * it is the same in all, counters are added up, and of the longest pauses the longest counts.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "base/xmalloc.h"
#include "merge/merge_private.h"

struct merge *merge_new(const struct analysis *const *analyses)
{
	struct merge *m = xcalloc(1, sizeof *m);

	m->analyses = analyses;
	m->cap = MERGE_CAP;
	m->sums_below = m->values_below = UINT64_MAX;
	return m;
}

static void release_defs(struct merge_defs *d)
{
	idmap_release(&d->by_hash);
	free(d->item);
}

void merge_free(struct merge *m)
{
	if (!m)
		return;
	release_defs(&m->classes);
	release_defs(&m->methods);
	release_defs(&m->stacks);
	for (size_t i = 0; i < m->ncontexts; i++) {
		merge_release_groups(m->context[i]);
		free(m->context[i]->sum);
		free(m->context[i]->value);
	}
	for (size_t i = 0; i < m->nparts; i++)
		free(m->part[i]->epoch);
	idmap_release(&m->by_hash);
	idmap_release(&m->parts_by_id);
	idmap_release(&m->found_by_hash);
	free(m->context);
	free(m->part);
	free(m->found);
	free(m->facts.command);
	arena_release(&m->facts.texts);
	arena_release(&m->arena);
	free(m);
}

/* ---- facts ------------------------------------------------------------------------------- */

static void add_text(char *to, const char *from, size_t size)
{
	if (strncmp(to, from, size) != 0) {
		memset(to, 0, size);
		strncpy(to, "several", size - 1);
	}
}

static void add_jvm(struct file_jvm *to, const struct file_jvm *from)
{
	uint32_t all = to->engines & from->engines & WIRE_ENGINE_EXACT;

	to->pid = to->pid == from->pid ? to->pid : 0;
	to->engines = ((to->engines | from->engines) & ~(uint32_t)WIRE_ENGINE_EXACT) | all;
	to->flags &= from->flags;
	add_text(to->vm_name, from->vm_name, sizeof to->vm_name);
	add_text(to->vm_version, from->vm_version, sizeof to->vm_version);
	add_text(to->gc, from->gc, sizeof to->gc);
}

static int compare_notes(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Each note once, the first ones by the alphabet. */
static void add_notes(struct file_status *to, const struct file_status *from)
{
	char all[2 * WIRE_NOTES][WIRE_NOTE] = { { 0 } };
	size_t n = 0;

	for (uint32_t i = 0; i < to->nnotes && i < WIRE_NOTES; i++)
		memcpy(all[n++], to->note[i], WIRE_NOTE - 1);
	for (uint32_t i = 0; i < from->nnotes && i < WIRE_NOTES; i++)
		memcpy(all[n++], from->note[i], WIRE_NOTE - 1);
	qsort(all, n, sizeof all[0], compare_notes);
	memset(to->note, 0, sizeof to->note);
	to->nnotes = 0;
	for (size_t i = 0; i < n && to->nnotes < WIRE_NOTES; i++)
		if (i == 0 || strcmp(all[i - 1], all[i]) != 0)
			memcpy(to->note[to->nnotes++], all[i], WIRE_NOTE);
}

static void add_most(uint64_t *to, uint64_t from)
{
	*to = *to > from ? *to : from;
}

static void add_status(struct file_status *to, const struct file_status *from)
{
	static const uint16_t sums[] = {
#define AT(f) offsetof(struct file_status, f),
		FILE_STATUS_COUNTERS(AT) AT(lost) AT(callback_ns) AT(trap_ns) AT(tick_ns)
			AT(service_ns) AT(pause_ns) AT(cpu_ns) AT(wall_ns) AT(tool_ns) AT(epochs)
				AT(collections) AT(paused_ns) AT(counted) AT(counted_ns)
#undef AT
	};

	for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
		uint64_t a, b;
		memcpy(&a, (const char *)to + sums[i], sizeof a);
		memcpy(&b, (const char *)from + sums[i], sizeof b);
		a += b;
		memcpy((char *)to + sums[i], &a, sizeof a);
	}
	for (size_t i = 0; i < WIRE_LIMITS; i++)
		to->refused[i] += from->refused[i];
	add_most(&to->max_pause_ns, from->max_pause_ns);
	add_most(&to->max_pause_work_ns, from->max_pause_work_ns);
	add_most(&to->interval, from->interval);
	add_notes(to, from);
}

static bool has_label(const struct label_list *in, struct model_label *l)
{
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->item[i].name, l->name) == 0 &&
		    strcmp(in->item[i].value, l->value) == 0) {
			l->given = l->given && in->item[i].given;
			return true;
		}
	return false;
}

static int compare_labels(const void *a, const void *b)
{
	const struct model_label *x = a, *y = b;

	return strcmp(x->name, y->name);
}

/* Those that all have. */
static void add_labels(struct merge_facts *f, const struct label_list *labels)
{
	size_t n = 0;

	for (size_t i = 0; f->any && i < f->nlabels; i++)
		if (has_label(labels, &f->label[i]))
			f->label[n++] = f->label[i];
	for (; !f->any && n < labels->n; n++) {
		const struct model_label *l = &labels->item[n];
		f->label[n] =
			(struct model_label){ xarena_text(&f->texts, l->name, strlen(l->name)),
					      xarena_text(&f->texts, l->value, strlen(l->value)),
					      l->given };
	}
	f->nlabels = n;
	if (n)
		qsort(f->label, n, sizeof f->label[0], compare_labels);
}

static void add_command(struct merge_facts *f, const struct wire_rec *command)
{
	if (!f->any && command)
		f->command = memcpy(xmalloc(command->len), command, command->len);
	if (!f->command || !command)
		goto none;
	if (command->len == f->command->len && memcmp(command, f->command, command->len) == 0)
		return;
none:
	free(f->command);
	f->command = NULL;
}

void merge_add_facts(struct merge *m, const struct model *from, uint32_t jvm,
		     const struct wire_rec *command)
{
	struct merge_facts *f = &m->facts;
	const struct model_jvm *j = model_jvm(from, jvm);
	struct label_list labels;

	labels_of(&labels, from, jvm, true);
	add_labels(f, &labels);
	add_command(f, command);
	if (f->any)
		add_jvm(&f->jvm, &j->info);
	else
		f->jvm = j->info;
	f->any = true;
	if (!j->has_status)
		return;
	struct file_status none = { .nnotes = 0 };
	if (!f->has_status)
		f->status = none;
	add_status(&f->status, &j->status);
	f->has_status = true;
}

/* ---- size ---------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return ORDER(x, y);
}

static size_t different(uint64_t *ids, size_t n)
{
	size_t found = 0;

	if (n)
		qsort(ids, n, sizeof *ids, compare_ids);
	for (size_t i = 0; i < n; i++)
		found += i == 0 || ids[i - 1] != ids[i];
	return found;
}

struct merge_size merge_size(const struct merge *m)
{
	uint64_t *ids = xmallocarray(m->nparts + 1, sizeof *ids);
	struct merge_size size = { .parts = m->nparts, .left_out = m->left_out };

	for (size_t i = 0; i < m->nparts; i++)
		ids[i] = m->part[i]->record.recording;
	size.recordings = different(ids, m->nparts);
	for (size_t i = 0; i < m->nparts; i++)
		ids[i] = m->part[i]->record.process;
	size.processes = different(ids, m->nparts);
	free(ids);
	return size;
}

struct file_header merge_header(const struct merge *m)
{
	struct file_header h = { .magic = DATAFILE_MAGIC,
				 .version = DATAFILE_VERSION,
				 .wire_version = WIRE_RECORDS_VERSION };

	memcpy(h.machine, m->facts.machine, sizeof h.machine);
	for (size_t i = 0; i < m->nparts; i++)
		if (i == 0 || m->part[i]->record.start_unix_ns < h.start_unix_ns)
			h.start_unix_ns = m->part[i]->record.start_unix_ns;
	return h;
}
