/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record_keep.c - deletes old files of `ojx record --keep` and --keep-size. Of several recordings
 * at once one process looks for all of them (record_service.c), since a look reads the beginning of
 * each file.
 */
#include <errno.h>
#include <string.h>

#include "record.h"
#include "say.h"

#define EACH_NS (60 * UINT64_C(1000000000)) /* between looks */

void record_keep_init(struct record_keep *k, const struct record_options *o)
{
	*k = (struct record_keep){ .bounds = { o->keep_ns, o->keep_bytes }, .verbose = o->verbose };
	series_init(&k->series, o->output, 0); /* files of any process */
}

void record_keep_now(struct record_keep *k, uint64_t now_ns)
{
	if (!k->bounds.age_ns && !k->bounds.bytes)
		return;
	int deleted = series_keep(&k->series, &k->bounds);
	if (deleted < 0 && errno != ENOENT && !k->badly) { /* a folder may come later */
		say("cannot delete old files of '%s': %s", k->series.pattern, strerror(errno));
		k->badly = true;
	}
	if (deleted > 0 && k->verbose)
		say("deleted %d old file%s", deleted, deleted > 1 ? "s" : "");
	k->at_ns = now_ns + EACH_NS;
}

void record_keep_step(struct record_keep *k, uint64_t now_ns)
{
	if (now_ns >= k->at_ns)
		record_keep_now(k, now_ns);
}
