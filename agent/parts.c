/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - see parts.h. The order of rows is the order of calls, at every step of a recording: it
 * says why a part stands where it does, if that matters.
 */
#include "parts.h"

#include "analyse/locality.h"
#include "analyse/next_use.h"
#include "analyse/waste.h"
#include "analyse/watch.h"
#include "code/next_access.h"
#include "core/thread.h"
#include "heap/alloc_interval.h"
#include "heap/collections.h"
#include "heap/eden/eden_send.h"
#include "heap/follow.h"
#include "heap/lifetimes.h"
#include "heap/live_heap.h"
#include "heap/scan.h"
#include "hotspot/ids.h"
#include "hotspot/javastack.h"
#include "hotspot/metadata/methods.h"
#include "hotspot/stacks.h"
#include "hotspot/threadname.h"
#include "hotspot/walk.h"
#include "hotspot/weak.h"
#include "perf/events.h"
#include "perf/sampler.h"

const struct part *const agent_parts[] = {
	/*
	 * Each round begins with the question whether events may still come. At the end, which goes
	 * backwards, the registers are given up last: their users ask them once more before.
	 */
	&events_part, &threads_part, /* before those who go through all threads */
	&next_access_part,	     /* decodes the code that accesses then find */

	&weak_part,   /* before those who hold objects */
	&follow_part, /* before accesses, which look objects up, and watches, which need `ref` */
	&collections_part, &locality_part, /* this and the next one: either may be first */
	&waste_part,
	/* First in a pause, whose time is short: what is not seen there is lost. */
	&scan_part, &live_heap_part, /* takes snapshots with the memory of the scan */
	&lifetimes_part,	     /* shares the table of live objects */
	&eden_windows_part,	     /* takes what the scan leaves of a pause; uses its memory */
	&next_use_part,		     /* asks lifetimes where its objects are, after a collection */
	/* Settles whether there are watches, and what handlers do: after all who may want one. */
	&watch_part,

	&javastack_part, /* learns to read methods */
	&ids_part,     /* only where handlers walk stacks; wants to know whether methods are read */
	&walk_part,    /* only where handlers walk stacks */
	&sampler_part, /* begins once it is known whether watches work */
	&threadname_part, &stacks_part, /* knows some methods */
	&alloc_interval_part,
	&methods_part, /* last in a round: defines the methods that the others have met */
};

const uint32_t agent_nparts = sizeof agent_parts / sizeof agent_parts[0];

_Static_assert(sizeof agent_parts / sizeof agent_parts[0] <= PARTS_MOST, "a bit for each");
