/* SPDX-License-Identifier: Apache-2.0 */
/* identity.c - see identity.h. */
#define XXH_INLINE_ALL

#include "render/fleet/identity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "base/memtext.h"

#define SECOND_NS 1000000000u
#define MS_NS	  1000000u

static void put_time(char *to, size_t room, uint64_t ns)
{
	time_t seconds = (time_t)(ns / SECOND_NS);
	struct tm utc;

	size_t n = gmtime_r(&seconds, &utc) ? strftime(to, room, "%Y-%m-%dT%H:%M:%S", &utc) : 0;
	to[n] = '\0';
	if (n > 0)
		snprintf(to + n, room - n, ".%03uZ", (unsigned)(ns % SECOND_NS / MS_NS));
}

void identity_of(struct identity *to, const struct recording *r)
{
	const struct model_jvm *first = model_jvm(r->model, 1);
	uint64_t key[2] = { r->start_unix_ns, first ? (uint64_t)first->info.pid : 0 };
	double from_ns = r->is_part ? r->from_s * SECOND_NS : 0;

	snprintf(to->id, sizeof to->id, "%016llx",
		 (unsigned long long)XXH3_64bits(key, sizeof key));
	to->time[0] = '\0';
	if (r->start_unix_ns)
		put_time(to->time, sizeof to->time, r->start_unix_ns + (uint64_t)llround(from_ns));
}

void json_labels(struct json_text *t, const struct recording *r, uint32_t jvm)
{
	struct label_list labels;

	labels_of(&labels, r->model, jvm, r->full);
	json_text_open(t, "labels", '{');
	for (size_t i = 0; i < labels.n; i++)
		json_text_string(t, labels.item[i].name, labels.item[i].value);
	json_text_close(t, '}');
}

/* ---- names of labels that are different ---------------------------------------------------- */

static bool is_taken(const struct label_names *names, const char *const *ours, const char *name)
{
	for (; *ours; ours++)
		if (strcmp(*ours, name) == 0)
			return true;
	for (size_t i = 0; i < names->n; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

void label_names_of(struct label_names *to, const struct label_list *labels,
		    char *(*written)(const char *label), const char *const *ours,
		    const char *prefix)
{
	to->n = 0;
	for (size_t i = 0; i < labels->n; i++) {
		char *name = written(labels->item[i].name);
		while (is_taken(to, ours, name)) {
			struct memtext text;
			fprintf(memtext_begin(&text), "%s%s", prefix, name);
			free(name);
			name = memtext_end(&text);
		}
		to->name[to->n++] = name;
	}
}

void label_names_release(struct label_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	names->n = 0;
}
