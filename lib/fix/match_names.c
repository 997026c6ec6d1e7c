/* SPDX-License-Identifier: Apache-2.0 */
/* match_names.c - see match_names.h. */
#include "fix/match_names.h"

#include <string.h>

bool match_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; len && (at = strstr(at, name)); at += len)
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

bool match_starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

bool match_ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

const char *match_within(const char *class_name, const char *package)
{
	return match_starts(class_name, package) ? class_name + strlen(package) : "";
}

bool match_class(const struct advice_facts *f, const char *package, const char *list)
{
	return match_listed(list, match_within(f->class_name, package));
}

bool match_called(const struct advice_facts *f, const char *prefix, const char *method)
{
	for (size_t i = 0; i < f->own; i++)
		if (match_starts(f->frames[i].class_name, prefix) &&
		    (!method || strcmp(f->frames[i].method, method) == 0))
			return true;
	return false;
}

const struct model_frame *match_maker(const struct advice_facts *f)
{
	static const struct model_frame none = { .class_name = "", .method = "" };

	for (size_t i = 0; i < f->n; i++)
		if (!match_listed("java.util.Arrays java.lang.System java.lang.Object "
				  "jdk.internal.misc.Unsafe",
				  f->frames[i].class_name))
			return &f->frames[i];
	return &none;
}
