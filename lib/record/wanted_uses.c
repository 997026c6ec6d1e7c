/* SPDX-License-Identifier: Apache-2.0 */
/* wanted_uses.c - see wanted_uses.h. */
#include "record/wanted_uses.h"

#define SNAPSHOTS_LEAST 8    /* before, nothing is known */
#define REPEATS_LEAST	0.25 /* a verdict other than `distinct` needs more in the end */

/* Equal names mean equal contents, as far as a snapshot tells. */
static uint32_t name_of(const struct wire_snapshot *s)
{
	bool deep = s->flags & WIRE_DEEP && !(s->flags & (WIRE_DEEP_CUT | WIRE_DEEP_REFS));
	uint64_t name = deep ? s->deep : s->content;

	if (!deep && s->flags & WIRE_REFS) /* addresses are comparable within an epoch */
		name = wire_control_mix(name + s->epoch);
	return (uint32_t)wire_control_mix(name + s->array_length) | 1; /* 0: nothing yet */
}

void wanted_uses_snapshot(struct wanted_uses *w, const struct wire_snapshot *s)
{
	uint32_t name = name_of(s), n = w->snapshots < WANTED_RECENT ? w->snapshots : WANTED_RECENT;
	bool repeats = false;

	for (uint32_t i = 0; i < n; i++)
		repeats |= w->recent[i] == name;
	w->recent[w->snapshots % WANTED_RECENT] = name;
	w->snapshots++;
	if (n > 0)
		w->repeats += ((float)repeats - w->repeats) / (float)n;
}

void wanted_uses_use(struct wanted_uses *w)
{
	w->uses++;
}

enum wire_control_uses wanted_uses_tell(const struct wanted_uses *w)
{
	if (w->snapshots < SNAPSHOTS_LEAST)
		return WIRE_CONTROL_USES_UNKNOWN;
	if (w->immutable || w->repeats < REPEATS_LEAST || w->uses >= WANTED_USES)
		return WIRE_CONTROL_USES_FEW;
	return WIRE_CONTROL_USES_WANTED;
}
