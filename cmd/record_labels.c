/* SPDX-License-Identifier: Apache-2.0 */
/* record_labels.c - `ojx record --label`: what names a recording among others. */
#include <string.h>

#include "cmd.h"
#include "model/labels.h"
#include "record.h"
#include "say.h"
#include "wire/wire_file.h"

/* What is wrong with "NAME=VALUE"; NULL: nothing. */
static const char *find_fault(const char *label)
{
	size_t len = strcspn(label, "=");

	if (!label[len])
		return "it is not NAME=VALUE";
	if (!label_name_ok(label, len))
		return "a name has at most 63 letters, digits, '.', '_' and '-', a letter first";
	if (strlen(label + len + 1) > FILE_LABEL_VALUE)
		return "the value is longer than 255 bytes";
	return NULL;
}

int record_labels_check(const struct record_options *o)
{
	for (size_t i = 0; i < o->label.n; i++) {
		const char *label = o->label.item[i], *fault = find_fault(label);
		if (!fault)
			continue;
		say("--label '%.80s': %s", label, fault);
		return EXIT_RECORD;
	}
	return -1;
}

/* Of a name that was given twice the last value counts, as of other options. */
static bool is_last(const struct option_list *labels, size_t i)
{
	size_t len = strcspn(labels->item[i], "=") + 1;

	for (size_t k = i + 1; k < labels->n; k++)
		if (strncmp(labels->item[k], labels->item[i], len) == 0)
			return false;
	return true;
}

int record_labels_put(const struct record_options *o, struct session *s)
{
	char name[FILE_LABEL_NAME + 1];

	for (size_t i = 0; i < o->label.n; i++) {
		const char *label = o->label.item[i];
		size_t len = strcspn(label, "=");
		memcpy(name, label, len);
		name[len] = '\0';
		if (is_last(&o->label, i) && session_label(s, name, label + len + 1) < 0)
			return -1;
	}
	session_find_labels(s);
	return 0;
}
