/* SPDX-License-Identifier: Apache-2.0 */
/*
 * identity.h - what tells recordings apart where many are put together: an id, a time, labels.
 */
#ifndef OJX_IDENTITY_H
#define OJX_IDENTITY_H

#include "base/json_text.h"
#include "model/labels.h"
#include "render/report.h"

struct identity {
	/*
	 * 16 hexadecimal digits, the same whenever and however the recording is read: a hash of its
	 * start in nanoseconds and of the first JVM's process id
	 */
	char id[17];
	char time[32]; /* when what is shown begins, "2026-11-28T13:00:00.123Z"; "": unknown */
};

void identity_of(struct identity *to, const struct recording *r);

/* Adds "labels", an object of those that hold for a JVM; with jvm 0 those of the recording. */
void json_labels(struct json_text *t, const struct recording *r, uint32_t jvm);

/*
 * The names under which a format writes labels; no two are the same. One that is among `ours`,
 * which ends with NULL, or that an earlier label has, gets the prefix, as often as it takes.
 * `written` makes a format's name of a label's, which is freed. End with label_names_release.
 */
struct label_names {
	char *name[2 * LABELS_MAX];
	size_t n;
};
void label_names_of(struct label_names *to, const struct label_list *labels,
		    char *(*written)(const char *label), const char *const *ours,
		    const char *prefix);
void label_names_release(struct label_names *names);

#endif
