/* SPDX-License-Identifier: Apache-2.0 */
/* load_say.c - why a recording cannot be read, or shows nothing, as load.h has it. */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "load.h"
#include "say.h"

int load_say_unreadable(const char *path, enum datafile_result result, int error)
{
	switch (result) {
	case DATAFILE_ERRNO:
		if (error == ENOENT && strcmp(path, OJX_DATA) == 0)
			return say_error(
				"cannot open '%s': %s (make one with 'ojx record', or name another with -i)",
				path, strerror(error));
		return say_error("cannot read '%s': %s", path, strerror(error));
	case DATAFILE_EMPTY:
		return say_error("'%s' is empty: nothing has been recorded into it", path);
	case DATAFILE_FOREIGN:
		return say_error("'%s' is not a recording of ojx", path);
	case DATAFILE_OTHER_VERSION:
		return say_error("'%s' was recorded by another version of ojx than this (%s)", path,
				 OJX_VERSION);
	default:
		return say_error("'%s' is damaged: it is not what ojx wrote", path);
	}
}

void load_say_again(const char *path)
{
	say("'%s' is among the others already: it counts once", path);
}

int load_say_overlaps(const char *path)
{
	return say_error("'%s' has some of the recordings that are named before it: name it before "
			 "these, which then count once; if both are merged, merge again from what "
			 "they were made of",
			 path);
}

/* Shows the notes of the JVMs, which may give the reason. */
static void say_notes(const struct model *m)
{
	for (uint32_t i = 1; i <= model_njvms(m); i++) {
		const struct model_jvm *jvm = model_jvm(m, i);
		if (!jvm || !jvm->has_status)
			continue;
		for (uint32_t k = 0; k < jvm->status.nnotes && k < WIRE_NOTES; k++)
			say("JVM %d: %s", jvm->info.pid, jvm->status.note[k]);
	}
}

int load_say_nothing(const struct loaded *l, const char *path)
{
	say_notes(l->model);
	return say_error("'%s': %s", path, l->nothing);
}
