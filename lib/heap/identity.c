/* SPDX-License-Identifier: Apache-2.0 */
/* identity.c - see identity.h. */
#include "heap/identity.h"

#include <stddef.h>
#include <string.h>

#include "wire/wire_identity.h"

static const struct identity_fields fields[] = {
	{ "java.util.ArrayList", "size", NULL, NULL },
	{ "java.util.LinkedList", "size", NULL, NULL },
	{ "java.util.HashMap", "size", NULL, NULL }, /* of sets, too */
	{ "java.util.TreeMap", "size", NULL, NULL },
	{ "java.util.WeakHashMap", "size", NULL, NULL },
	{ "java.util.IdentityHashMap", "size", NULL, NULL },
	{ "java.util.EnumMap", "size", NULL, NULL },
	{ "java.util.JumboEnumSet", "size", NULL, NULL },
	{ "java.util.PriorityQueue", "size", NULL, NULL },
	{ "java.util.Hashtable", "count", NULL, NULL },
	{ "java.util.Vector", "elementCount", NULL, NULL },
	{ "java.util.concurrent.ConcurrentHashMap", "baseCount", NULL, "counterCells" },
	{ "java.util.Properties", NULL, NULL, NULL }, /* the inherited count is not used */
	{ "java.util.BitSet", NULL, "wordsInUse", NULL },
	{ "java.util.RegularEnumSet", NULL, "elements", NULL },
	{ "java.lang.AbstractStringBuilder", NULL, "count", NULL },
	{ "java.util.concurrent.CompletableFuture", NULL, "result", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap", NULL, "head", NULL },
	{ "java.util.concurrent.LinkedTransferQueue", NULL, "head", NULL },
	/* the first node of a list, which has no element */
	{ "java.util.concurrent.ConcurrentLinkedDeque$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentLinkedQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.ConcurrentSkipListMap$Node", NULL, "key", NULL },
	{ "java.util.concurrent.LinkedBlockingQueue$Node", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$DualNode", NULL, "item", NULL },
	{ "java.util.concurrent.LinkedTransferQueue$Node", NULL, "item", NULL },
};

bool identity_class(const char *name)
{
	for (size_t i = 0; i < WIRE_IDENTITY_CLASSES; i++)
		if (strcmp(wire_identity_classes[i], name) == 0)
			return true;
	return false;
}

const struct identity_fields *identity_fields(const char *class)
{
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (strcmp(fields[i].class, class) == 0)
			return &fields[i];
	return NULL;
}
