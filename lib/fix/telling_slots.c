/* SPDX-License-Identifier: Apache-2.0 */
/* telling_slots.c - see telling_slots.h. */
#include "fix/telling_slots.h"

#include <string.h>

static uint32_t slot_of(const struct model_class *c, const char *declarer, const char *name)
{
	for (uint32_t i = 0; i < c->nfields; i++)
		if (c->fields[i].name && c->fields[i].declarer &&
		    strcmp(c->fields[i].name, name) == 0 &&
		    strcmp(c->fields[i].declarer, declarer) == 0)
			return 1U << i;
	return 0;
}

uint32_t trace_depth_slot(const struct model_class *c)
{
	if (!c || c->is_array || c->nfields > WIRE_SLOTS)
		return 0;
	return slot_of(c, "java.lang.Throwable", "depth");
}

bool is_no_throwable(const struct model_class *c)
{
	for (uint32_t i = 0; c && i < c->nfields; i++)
		if (!c->fields[i].declarer ||
		    strcmp(c->fields[i].declarer, "java.lang.Throwable") == 0)
			return false;
	return c && !c->is_array && c->nfields > 0;
}
