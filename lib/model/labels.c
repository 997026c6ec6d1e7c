/* SPDX-License-Identifier: Apache-2.0 */
/* labels.c - see labels.h. */
#include "model/labels.h"

#include <ctype.h>
#include <string.h>

#include "model/model_parts.h"
#include "wire/wire_file.h"

/* ---- what they tell ---------------------------------------------------------------------- */

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

bool label_tells_place(const char *name)
{
	static const char *const places[] = { "host", "container", "pod", "namespace", NULL };

	return is_among(name, places);
}

bool label_tells_run(const char *name)
{
	static const char *const runs[] = { "host", "container", "pod", "start", NULL };

	return is_among(name, runs);
}

/* ---- records ----------------------------------------------------------------------------- */

static const struct labels *labels_in(const struct model *m, uint32_t jvm)
{
	if (jvm == 0)
		return &m->labels;
	return jvm <= m->njvms && m->jvms[jvm - 1] ? &m->jvms[jvm - 1]->labels : NULL;
}

static const struct model_label *find(const struct labels *in, const char *name, size_t len)
{
	for (uint32_t i = 0; in && i < in->n; i++)
		if (strncmp(in->item[i].name, name, len) == 0 && !in->item[i].name[len])
			return &in->item[i];
	return NULL;
}

bool label_name_ok(const char *name, size_t len)
{
	if (len == 0 || len > FILE_LABEL_NAME || !isalpha((unsigned char)name[0]))
		return false;
	for (size_t i = 1; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && !(name[i] && strchr("_.-", name[i])))
			return false;
	return true;
}

static bool is_ok(const struct file_label *l)
{
	const char *name = (const char *)(l + 1);

	return l->rec.len >= sizeof *l &&
	       l->rec.len == sizeof *l + wire_pad((size_t)l->name_len + l->value_len) &&
	       label_name_ok(name, l->name_len) && l->value_len <= FILE_LABEL_VALUE &&
	       !memchr(name + l->name_len, '\0', l->value_len);
}

enum model_fed model_take_label(struct model *m, struct labels *to, const struct wire_rec *rec)
{
	const struct file_label *l = (const struct file_label *)rec;
	const char *text = (const char *)(l + 1);

	if (!is_ok(l))
		return model_bad();
	if (to->n == LABELS_MAX || find(to, text, l->name_len))
		return MODEL_DROPPED;
	const char *name = arena_text(&m->defs, text, l->name_len);
	const char *value = arena_text(&m->defs, text + l->name_len, l->value_len);
	if (!name || !value || !ARENA_GROW(&m->defs, to->item, to->n, to->room))
		return MODEL_BAD;
	to->item[to->n++] = (struct model_label){ name, value, l->flags & FILE_LABEL_GIVEN };
	return MODEL_KEEP;
}

/* ---- readers ----------------------------------------------------------------------------- */

const struct model_label *model_label(const struct model *m, uint32_t jvm, size_t i)
{
	const struct labels *in = labels_in(m, jvm);

	return in && i < in->n ? &in->item[i] : NULL;
}

bool model_label_given(const struct model *m, const char *name)
{
	const struct model_label *l = find(&m->labels, name, strlen(name));

	return l && l->given;
}

static bool is_in(const struct label_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->item[i].name, name) == 0)
			return true;
	return false;
}

static void add(struct label_list *to, const struct model_label *l, bool full)
{
	if (is_in(to, l->name))
		return;
	if (full || l->given || !label_tells_place(l->name))
		to->item[to->n++] = *l;
	else if (l->value[0])
		to->left_out++;
}

/* Those that were given, or those that were not. */
static void add_some(struct label_list *to, const struct labels *in, bool given, bool full)
{
	for (uint32_t i = 0; in && i < in->n; i++)
		if (in->item[i].given == given)
			add(to, &in->item[i], full);
}

/* An empty value kept others of that name out, and counts as none. */
static void drop_empty(struct label_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->item[i].value[0])
			list->item[n++] = list->item[i];
	list->n = n;
}

void labels_of(struct label_list *to, const struct model *m, uint32_t jvm, bool full)
{
	to->n = to->left_out = 0;
	add_some(to, &m->labels, true, full);
	if (jvm) {
		const struct labels *own = labels_in(m, jvm);
		add_some(to, own, true, full);
		add_some(to, own, false, full);
	}
	add_some(to, &m->labels, false, full);
	drop_empty(to);
}

const char *label_value(const struct model *m, uint32_t jvm, const char *name)
{
	const struct model_label *l = find(&m->labels, name, strlen(name));

	if (l && l->given)
		return l->value;
	const struct model_label *own = jvm ? find(labels_in(m, jvm), name, strlen(name)) : NULL;
	return own ? own->value : l ? l->value : "";
}
