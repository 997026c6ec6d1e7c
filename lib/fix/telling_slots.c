/* SPDX-License-Identifier: Apache-2.0 */
/*
 * telling_slots.c - see telling_slots.h.
 *
 * One field does not tell whether a collection was ever filled. A size of 0 may be that of one that
 * was cleared. A count of changes of 0 may be that of one that a constructor, clone() or readObject
 * filled. So both must be 0. A table that the first element makes, and nothing takes away, is
 * enough.
 *
 * Only objects of exactly these classes count. A subclass may have its elements elsewhere, as
 * Properties does, which inherits from Hashtable a size and a count of changes that it never uses.
 */
#include "fix/telling_slots.h"

#include <string.h>

enum { FIELDS = 2 };

static const struct row {
	const char *class;
	struct {
		const char *declarer, *name;
	} field[FIELDS];
} rows[] = {
	{ "java.util.ArrayList",
	  { { "java.util.ArrayList", "size" }, { "java.util.AbstractList", "modCount" } } },
	{ "java.util.HashMap",
	  { { "java.util.HashMap", "size" }, { "java.util.HashMap", "modCount" } } },
	{ "java.util.Hashtable",
	  { { "java.util.Hashtable", "count" }, { "java.util.Hashtable", "modCount" } } },
	{ "java.util.IdentityHashMap",
	  { { "java.util.IdentityHashMap", "size" },
	    { "java.util.IdentityHashMap", "modCount" } } },
	{ "java.util.LinkedHashMap",
	  { { "java.util.HashMap", "size" }, { "java.util.HashMap", "modCount" } } },
	{ "java.util.LinkedList",
	  { { "java.util.LinkedList", "size" }, { "java.util.AbstractList", "modCount" } } },
	{ "java.util.PriorityQueue",
	  { { "java.util.PriorityQueue", "size" }, { "java.util.PriorityQueue", "modCount" } } },
	{ "java.util.Stack",
	  { { "java.util.Vector", "elementCount" }, { "java.util.AbstractList", "modCount" } } },
	{ "java.util.TreeMap",
	  { { "java.util.TreeMap", "size" }, { "java.util.TreeMap", "modCount" } } },
	{ "java.util.Vector",
	  { { "java.util.Vector", "elementCount" }, { "java.util.AbstractList", "modCount" } } },
	{ "java.util.WeakHashMap",
	  { { "java.util.WeakHashMap", "size" }, { "java.util.WeakHashMap", "modCount" } } },
	{ "java.util.concurrent.ConcurrentHashMap",
	  { { "java.util.concurrent.ConcurrentHashMap", "table" } } },
	{ "java.util.concurrent.ConcurrentSkipListMap",
	  { { "java.util.concurrent.ConcurrentSkipListMap", "head" } } },
};

static uint32_t slot_of(const struct model_class *c, const char *declarer, const char *name)
{
	for (uint32_t i = 0; i < c->nfields; i++)
		if (c->fields[i].name && c->fields[i].declarer &&
		    strcmp(c->fields[i].name, name) == 0 &&
		    strcmp(c->fields[i].declarer, declarer) == 0)
			return 1U << i;
	return 0;
}

static uint32_t slots_of(const struct model_class *c, const struct row *row)
{
	uint32_t slots = 0;

	for (unsigned i = 0; i < FIELDS && row->field[i].name; i++) {
		uint32_t slot = slot_of(c, row->field[i].declarer, row->field[i].name);
		if (!slot)
			return 0;
		slots |= slot;
	}
	return slots;
}

uint32_t never_held_slots(const struct model_class *c)
{
	if (!c || !c->name || c->is_array || c->nfields > WIRE_SLOTS)
		return 0;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(rows[i].class, c->name) == 0)
			return slots_of(c, &rows[i]);
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
