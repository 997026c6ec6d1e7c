/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live_dump.h - has a JVM that runs write a heap dump, and opens it.
 *
 * The JVM writes into a directory of ojx's own below its /tmp or /var/tmp, where a disk has room:
 * /tmp/.ojx_heapN, N being its own pid there. Only its user and root can read it. The JVM stands
 * still while it writes. So that it does not fill the disk for nothing, it is asked first how much
 * its heap holds.
 */
#ifndef OJX_LIVE_DUMP_H
#define OJX_LIVE_DUMP_H

#include "attach/hotspot.h"
#include "attach/target.h"

enum { LIVE_DUMP_FILE = 24, LIVE_DUMP_PATH = 80, LIVE_DUMP_WHY = 512 };

struct live_dump {
	const struct target *target; /* the caller's */
	int above, dir;		     /* the parent's directory, and ours; -1: none */
	char file[LIVE_DUMP_FILE];   /* the dump, in our directory */
	char path[LIVE_DUMP_PATH];   /* the same, as the target sees it */
	double room;		     /* bytes that the file system there has left */
	bool all;
	struct hotspot_request request; /* first what the heap holds, then the dump */
	struct hotspot hotspot;
};

/*
 * Makes the directory and asks the JVM. `all`: the dump has objects, too, that nothing references;
 * otherwise the JVM collects them first. 0, or -1 with the reason in `why`. Release with
 * live_dump_remove in either case.
 */
int live_dump_begin(struct live_dump *d, const struct target *t, bool all, uint64_t now_ns,
		    char why[LIVE_DUMP_WHY]);

/*
 * Goes on if it can. Call it some times a second until it is done or has failed: hotspot.answer.
 * It has failed, too, if the dump would have no room; the JVM is not asked for it then.
 */
enum hotspot_state live_dump_step(struct live_dump *d, uint64_t now_ns);

/*
 * The complete dump, open for reading; live_dump_remove leaves it readable. -1 with errno.
 */
int live_dump_open(struct live_dump *d);

/*
 * Removes directory and dump; a JVM that still writes goes on with a file that has no name. Returns
 * whether nothing stays; if something does, it is hotspot's trigger (hotspot_release).
 */
bool live_dump_remove(struct live_dump *d);

/* ---- how much a JVM's heap holds, as the JVM itself says. */

/* The command to ask it with; its answer has HEAP_USED_SAID. */
#define HEAP_USED_COMMAND "GC.heap_info"
#define HEAP_USED_SAID	  "used"

/* Bytes of objects, dead ones included, as the answer tells; negative: it does not. */
double heap_used(const char *answer);

#endif
