/* SPDX-License-Identifier: Apache-2.0 */
/* live_dump.c - see live_dump.h. */
#define _GNU_SOURCE 1 /* memmem */

#include "attach/live_dump.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "attach/place.h"
#include "base/units.h"
#include "record/credentials.h"

/*
 * ---- Each collector has its own words:
 *
 * 	garbage-first heap   total 262144K, used 1834K [0x...
 * 	def new generation   total 78656K, used 5596K [0x...     and one line for each generation
 * 	  eden space 69952K,   8% used [0x...                    which is counted above
 * 	ZHeap           used 8M, capacity 256M, max capacity 4006M
 * 	 262144K max, 262144K soft max, 262144K committed, 2304K used
 * 	Metaspace       used 168K, committed 320K, ...           which is not the heap
 * 	  class space    used 7K, committed 128K, ...
 */

/* Bytes of a number with a unit, such as "1834K"; negative: it is none. */
static double amount(const char *text, const char *end)
{
	static const char units[] = "BKMGT";
	char *unit;

	if (text == end || !isdigit((unsigned char)*text))
		return -1;
	double value = (double)strtoull(text, &unit, 10);
	const char *at = unit < end && *unit ? strchr(units, *unit) : NULL;
	if (!at)
		return -1;
	for (; at > units; at--)
		value *= 1024;
	return value;
}

/* What is used according to one line; negative: it does not say. */
static double of_line(const char *line, const char *end)
{
	const char *used =
		memmem(line, (size_t)(end - line), HEAP_USED_SAID, strlen(HEAP_USED_SAID));

	if (!used || (used > line && used[-1] != ' ') ||
	    memmem(line, (size_t)(end - line), "Metaspace", strlen("Metaspace")) ||
	    memmem(line, (size_t)(end - line), "class space", strlen("class space")))
		return -1;
	const char *behind = used + strlen(HEAP_USED_SAID), *before = used;
	while (behind < end && *behind == ' ')
		behind++;
	double value = amount(behind, end);
	if (value >= 0)
		return value;
	while (before > line && before[-1] == ' ')
		before--;
	while (before > line && before[-1] != ' ')
		before--;
	return amount(before, used);
}

double heap_used(const char *answer)
{
	double sum = -1;

	for (const char *line = answer; *line;) {
		const char *end = line + strcspn(line, "\n");
		double value = of_line(line, end);
		if (value >= 0)
			sum = (sum < 0 ? 0 : sum) + value;
		line = *end ? end + 1 : end;
	}
	return sum;
}

#define SECOND_NS UINT64_C(1000000000)
#define LISTEN_NS (30 * SECOND_NS)
#define WRITE_NS  (24 * 3600 * SECOND_NS) /* the user ends it; a large heap takes its time */
#define PREFIX	  ".ojx_heap"		  /* of the directory; the pid follows */

enum { PARENTS = 2 };
static const char *const parents[PARENTS] = { HOTSPOT_TMP, "/var/tmp" };

static int say_why(char why[LIVE_DUMP_WHY], const char *what, int error)
{
	snprintf(why, LIVE_DUMP_WHY, error ? "%s: %s" : "%s", what, strerror(error));
	return -1;
}

/* ---- the directory ----------------------------------------------------------------------- */

/* Bytes that a file system has left. */
struct room {
	double bytes; /* negative: not known */
	bool memory;
};

static struct room room_in(int dir)
{
	struct statfs fs;

	if (fstatfs(dir, &fs) < 0)
		return (struct room){ -1, true };
	return (struct room){ (double)fs.f_bavail * (double)fs.f_bsize, fs.f_type == TMPFS_MAGIC };
}

/*
 * A file system in memory is taken if there is no other: what is written there may count against
 * the limit of the JVM's container.
 */
static bool is_better(struct room a, struct room b)
{
	return a.memory == b.memory ? a.bytes > b.bytes : b.memory;
}

/* Opens the parent with most room among those that are safe; its index, -1: there is none. */
static int open_above(struct live_dump *d)
{
	struct room most = { -1, true };
	int best = -1;

	for (int i = 0; i < PARENTS; i++) {
		int dir = target_open_dir(d->target, parents[i]);
		if (dir < 0)
			continue;
		struct room room = room_in(dir);
		if (!is_better(room, most) || !own_dir_safe(dir, d->target)) {
			close(dir);
			continue;
		}
		if (d->above >= 0)
			close(d->above);
		d->above = dir;
		most = room;
		best = i;
	}
	d->room = most.bytes;
	return best;
}

static void put_name(const struct live_dump *d, char name[HOTSPOT_NAME])
{
	snprintf(name, HOTSPOT_NAME, PREFIX "%d", (int)d->target->inner_pid);
}

static int make_dir(struct live_dump *d, char why[LIVE_DUMP_WHY])
{
	char name[HOTSPOT_NAME];
	struct credentials old;

	put_name(d, name);
	if (credentials_become(&old, d->target->uid, d->target->gid) < 0)
		return say_why(why, "cannot act as its user", errno);
	own_dir_sweep(d->above, PREFIX, d->target, NULL, NULL);
	mode_t mask = umask(0077);
	int result = own_dir_lock(d->above, name, d->target, &d->dir), error = errno;
	if (result == 0)
		own_dir_empty(d->dir); /* of an ojx that was killed */
	umask(mask);
	credentials_return(&old);
	if (result == 0)
		return 0;
	if (d->dir >= 0)
		close(d->dir);
	d->dir = -1; /* it is not ours to remove */
	if (error == EWOULDBLOCK)
		return say_why(why, "another ojx takes a heap dump of it", 0);
	return say_why(why,
		       "no directory for the dump can be made in its " HOTSPOT_TMP " or /var/tmp",
		       error);
}

/* ---- the dump ---------------------------------------------------------------------------- */

int live_dump_begin(struct live_dump *d, const struct target *t, bool all, uint64_t now_ns,
		    char why[LIVE_DUMP_WHY])
{
	char name[HOTSPOT_NAME];

	*d = (struct live_dump){ .target = t, .above = -1, .dir = -1, .all = all };
	d->hotspot.dir = d->hotspot.fd = -1;
	int parent = open_above(d);
	if (parent < 0)
		return say_why(why,
			       "it has no " HOTSPOT_TMP " where others cannot replace files: run "
			       "chmod +t on that",
			       0);
	if (make_dir(d, why) < 0)
		return -1;
	put_name(d, name);
	/* of an earlier ojx's request the JVM may write another one now */
	snprintf(d->file, sizeof d->file, "%d.hprof", (int)getpid());
	snprintf(d->path, sizeof d->path, "%s/%s/%s", parents[parent], name, d->file);
	d->request = (struct hotspot_request){
		.name = "jcmd",
		.argument = { HEAP_USED_COMMAND },
		.success = HEAP_USED_SAID,
		.late = "it does not tell how much its heap holds",
		.limit_ns = WRITE_NS, /* it may be in a long pause */
		.all_lines = true,
	};
	hotspot_ask(&d->hotspot, t, &d->request, now_ns, LISTEN_NS);
	return 0;
}

static void ask_for_dump(struct live_dump *d, uint64_t now_ns)
{
	hotspot_release(&d->hotspot); /* nothing stays: the JVM has answered */
	d->request = (struct hotspot_request){
		.name = "dumpheap",
		.argument = { d->path, d->all ? "-all" : "-live" },
		.success = "Heap dump file created",
		.late = "it does not finish the dump",
		.limit_ns = WRITE_NS,
	};
	hotspot_ask(&d->hotspot, d->target, &d->request, now_ns, LISTEN_NS);
}

/*
 * Whether the dump is larger than the room there is. It has about as many bytes as the heap: fewer
 * of large arrays and of what is collected before, more of small objects. If the JVM does not say
 * how many these are, it is not known.
 */
static bool lacks_room(struct live_dump *d)
{
	char held[UNITS_TEXT], room[UNITS_TEXT];
	double used = d->hotspot.state == HOTSPOT_DONE ? heap_used(d->hotspot.answer) : -1;

	if (used <= d->room)
		return false;
	d->hotspot.state = HOTSPOT_FAILED;
	snprintf(d->hotspot.answer, sizeof d->hotspot.answer,
		 "its heap holds %s, and its " HOTSPOT_TMP " and /var/tmp have room for %s at "
		 "most; 'jcmd PID GC.heap_dump FILE' writes one elsewhere",
		 units_bytes(held, used), units_bytes(room, d->room));
	return true;
}

enum hotspot_state live_dump_step(struct live_dump *d, uint64_t now_ns)
{
	enum hotspot_state state = hotspot_step(&d->hotspot, now_ns);
	bool first = d->request.all_lines;

	/* an answer that is a refusal tells nothing of the heap; the dump may still be made */
	if (!first || state < HOTSPOT_DONE || (state == HOTSPOT_FAILED && !d->hotspot.got))
		return state;
	if (!lacks_room(d))
		ask_for_dump(d, now_ns);
	return d->hotspot.state;
}

int live_dump_open(struct live_dump *d)
{
	struct stat st;
	int fd = openat(d->dir, d->file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == d->target->uid)
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

bool live_dump_remove(struct live_dump *d)
{
	struct credentials old;
	char name[HOTSPOT_NAME];

	if (d->dir >= 0 && credentials_become(&old, d->target->uid, d->target->gid) == 0) {
		put_name(d, name);
		own_dir_remove(d->above, name, d->dir); /* a JVM writes parts beside the dump */
		credentials_return(&old);
	}
	if (d->dir >= 0)
		close(d->dir);
	if (d->above >= 0)
		close(d->above);
	d->dir = d->above = -1;
	return !d->hotspot.request || hotspot_release(&d->hotspot);
}
