/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - connection to the tool. docs/wire.md describes the protocol.
 *
 * The agent never waits for the tool after the handshake. When a ring or the table of definitions
 * is full, records are dropped and counted. The one exception is link_await_room, which the user
 * has to request and which has a time limit.
 *
 * The tool can change the shared memory at any time. So the agent keeps positions and the layout
 * privately, and any value that it reads there (the tails of rings) does no harm.
 */
#define _GNU_SOURCE
#include "core/link.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/blocks.h"
#include "core/handshake.h"
#include "core/memory.h"
#include "core/trace.h"
#include "wire/ring.h"

#define ROOM_PATIENCE 5000000000u /* ns */
#define ROOM_STEP     100000	  /* ns */
#define DEFS_STEP     (64u << 10) /* bytes of the table that are opened at once */
#define TRIM_NS	      1000000000u

struct link_way {
	struct ring_writer writer;
	_Atomic uint32_t owned; /* a thread uses it */
};

static struct stat sock; /* ojx.sock, as it was opened */
static uint64_t mapped;	 /* bytes at ojx.base */
static bool woken;	 /* the tool's byte has come */
static struct link_way *ways;
static const struct ring_pool pool = { blocks_take, blocks_give };

static _Atomic uint64_t defs_tail; /* bytes of definitions reserved */
static _Atomic uint64_t defs_open; /* bytes of the table that can be written to */
/*
 * seq_cst, both: who defines counts itself and then looks at `closed`, and who closes looks at
 * `defining` afterwards. One of the two sees the other.
 */
static _Atomic uint32_t defining; /* definitions being written */
static _Atomic bool closed;	  /* nothing is sent any more */

/* ---- beginning --------------------------------------------------------------------------- */

/* Copies layout and configuration, and checks them. */
static bool copy_header(uint64_t size)
{
	const struct wire_shm *shm = ojx.shm;

	ojx.layout = shm->layout;
	ojx.config = shm->config;
	ojx.config.class_glob[WIRE_GLOB - 1] = '\0';
	return shm->magic == OJX_WIRE_MAGIC && shm->version == OJX_WIRE_VERSION &&
	       wire_layout_fits(&ojx.layout, size, sizeof *shm, sizeof(struct wire_ring),
				sizeof(struct wire_controls)) &&
	       wire_layout_block(&ojx.layout) % (size_t)sysconf(_SC_PAGESIZE) == 0 &&
	       ojx.config.nevents <= WIRE_EVENTS && ojx.config.budget >= 0;
}

/* Allocates the private part of the rings. False when out of memory. */
static bool make_ways(void)
{
	const struct wire_layout *l = &ojx.layout;
	struct wire_ring *rings = (struct wire_ring *)(ojx.base + l->rings_offset);
	size_t first = l->maps_offset;
	/* there is a ring at least */
	_Atomic uint16_t *own = memory_new(1, wire_layout_map(l, l->rings) - first); /* NOLINT */

	ways = memory_new(l->rings, sizeof *ways);
	if (!own || !ways) {
		memory_free(own);
		memory_free(ways);
		return false;
	}
	for (uint32_t i = 0; i < l->rings; i++) {
		uint64_t map = wire_layout_map(l, i);
		ways[i].writer = (struct ring_writer){
			.ring = rings + i,
			.map = (_Atomic uint16_t *)(ojx.base + map),
			.own = own + (map - first) / sizeof *own,
			.blocks = ojx.base + l->blocks_offset,
			.slots = wire_layout_slots(l, i),
			.block = wire_layout_block(l),
		};
	}
	return true;
}

/* Maps all of the memory and opens the header. Returns the reason of a failure, or NULL. */
static const char *map_shared(const struct handshake *h)
{
	void *p = h->size < sizeof(struct wire_shm)
			  ? MAP_FAILED
			  : mmap(NULL, h->size, PROT_NONE, MAP_SHARED, h->memfd, 0);

	if (p == MAP_FAILED)
		return "its memory cannot be mapped";
	ojx.base = p;
	ojx.shm = p;
	const char *why = NULL;
	if (!blocks_open(0, (sizeof(struct wire_shm) + WIRE_BLOCK - 1) / WIRE_BLOCK * WIRE_BLOCK))
		why = "out of memory";
	else if (!copy_header(h->size))
		why = "the layout of its memory makes no sense";
	else if (!blocks_init() || !make_ways())
		why = "out of memory";
	if (why)
		munmap(p, h->size);
	return why;
}

bool link_join(const struct handshake *h, const char *vm_name, const char *vm_version)
{
	const char *why = fstat(h->sock, &sock) < 0 ? strerror(errno) : map_shared(h);

	close(h->memfd); /* so that it takes no number in the program's table */
	if (why) {
		handshake_complain("the shared memory", why);
		close(h->sock);
		return false;
	}
	ojx.sock = h->sock;
	ojx.tool = h->tool;
	ojx.secret = h->secret;
	woken = false;
	mapped = h->size;
	snprintf(ojx.shm->status.vm_name, WIRE_TEXT, "%s", vm_name);
	snprintf(ojx.shm->status.vm_version, WIRE_TEXT, "%s", vm_version);
	return true;
}

bool link_open(const char *path, const char *vm_name, const char *vm_version, int refused)
{
	struct wire_hello hello = { .magic = OJX_WIRE_MAGIC,
				    .version = OJX_WIRE_VERSION,
				    .pid = getpid(),
				    .refused = refused };
	struct handshake h;

	snprintf(hello.vm_name, sizeof hello.vm_name, "%s", vm_name);
	snprintf(hello.vm_version, sizeof hello.vm_version, "%s", vm_version);
	return handshake(path, &hello, &h) && link_join(&h, vm_name, vm_version);
}

/* ---- the socket -------------------------------------------------------------------------- */

/* A program that closes unknown descriptors may have another file under this number by now. */
static bool is_ours(int fd)
{
	struct stat now;

	return fstat(fd, &now) == 0 && S_ISSOCK(now.st_mode) && now.st_dev == sock.st_dev &&
	       now.st_ino == sock.st_ino;
}

/*
 * Reads nothing: if the program has another file under this number meanwhile, its data must stay.
 * So the tool's byte stays, too, and is waited for only once.
 */
bool link_wait(int ms)
{
	struct pollfd p = { .fd = ojx.sock, .events = woken ? POLLRDHUP : POLLRDHUP | POLLIN };

	if (!is_ours(ojx.sock)) /* the tool has also seen it close */
		return false;
	if (poll(&p, 1, ms) <= 0)
		return true;
	woken |= (p.revents & POLLIN) != 0;
	return !(p.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

void link_wake(void)
{
	if (is_ours(ojx.sock))
		shutdown(ojx.sock, SHUT_RD); /* the tool does not notice this */
}

/* ---- the end ----------------------------------------------------------------------------- */

static bool take_way(struct link_way *way)
{
	uint32_t free_way = 0;

	return atomic_load_explicit(&way->owned, memory_order_relaxed) == 0 &&
	       atomic_compare_exchange_strong_explicit(&way->owned, &free_way, 1,
						       memory_order_acq_rel, memory_order_acquire);
}

/* Frees the block that a ring is in, if the tool has read all of it and no thread has the ring. */
static void tidy_unowned(struct link_way *way)
{
	struct ring_writer *w = &way->writer;
	uint64_t head = atomic_load_explicit(&w->head, memory_order_acquire);

	if (head % w->block == 0 || ring_tail(w) != head || !take_way(way))
		return;
	if (ring_tail(w) == atomic_load_explicit(&w->head, memory_order_acquire))
		ring_leave_block(w);
	atomic_store_explicit(&way->owned, 0, memory_order_release);
}

void link_tidy(void)
{
	static uint64_t trimmed;

	for (uint32_t i = 0; i < ojx.layout.rings; i++) {
		ring_reclaim(&ways[i].writer, &pool);
		tidy_unowned(&ways[i]);
	}
	if (now_ns() - trimmed > TRIM_NS) {
		blocks_trim(false);
		trimmed = now_ns();
	}
}

/* If a thread has a ring, the block that it may be writing to stays. */
static void close_rings(void)
{
	for (uint32_t i = 0; i < ojx.layout.rings; i++) {
		struct ring_writer *w = &ways[i].writer;
		if (take_way(&ways[i]))
			ring_leave_block(w); /* for good: the ring stays taken */
		ring_free(w, atomic_load_explicit(&w->head, memory_order_acquire), &pool);
	}
	blocks_trim(true);
}

bool link_close(void)
{
	if (!atomic_exchange_explicit(&closed, true, memory_order_seq_cst)) {
		if (is_ours(ojx.sock))
			close(ojx.sock);
		ojx.sock = -1;
		close_rings();
	}
	return atomic_load_explicit(&defining, memory_order_seq_cst) == 0 &&
	       blocks_close(ojx.layout.defs_offset,
			    atomic_load_explicit(&defs_open, memory_order_acquire));
}

void link_unmap(void)
{
	if (!mapped)
		return;
	if (!atomic_exchange_explicit(&closed, true, memory_order_seq_cst) && is_ours(ojx.sock))
		close(ojx.sock); /* the tool reads what is there */
	munmap(ojx.base, mapped);
	mapped = 0;
	ojx.secret = (struct wire_secret){ { 0, 0 } }; /* nothing is sent any more */
}

/* ---- rings ------------------------------------------------------------------------------- */

/* Bytes that were written and that the tool has not read. */
static uint64_t unread(struct ring_writer *w)
{
	return atomic_load_explicit(&w->head, memory_order_acquire) - ring_tail(w);
}

void link_ring_acquire(struct link_ring *r, bool service)
{
	uint32_t first = service ? 0 : 1, end = service ? 1 : ojx.layout.rings;

	/* rings of ended threads can be full for a while: if there are others, these are better */
	for (uint32_t i = first; i < end && !r->way; i++)
		if (unread(&ways[i].writer) == 0 && take_way(&ways[i]))
			r->way = &ways[i];
	for (uint32_t i = first; i < end && !r->way; i++)
		if (take_way(&ways[i]))
			r->way = &ways[i];
}

void link_ring_release(struct link_ring *r)
{
	if (r->way)
		atomic_store_explicit(&r->way->owned, 0, memory_order_release);
	r->way = NULL;
}

void *link_reserve(struct link_ring *r, uint16_t type, uint32_t len)
{
	if (!r->way || atomic_load_explicit(&closed, memory_order_relaxed)) {
		limit_reached(WIRE_LIMIT_RINGS);
		return NULL;
	}
	return ring_reserve(&r->way->writer, len, type, &pool);
}

void link_commit(struct link_ring *r)
{
	ring_commit(&r->way->writer);
}

/*
 * The ring on which the last wait timed out, and its tail then. The tool is stuck as long as it
 * does not read this ring.
 */
static struct wire_ring *_Atomic stuck;
static _Atomic uint64_t stuck_tail;

static bool tool_stands_still(void)
{
	struct wire_ring *r = atomic_load_explicit(&stuck, memory_order_acquire);

	return r && atomic_load_explicit(&r->tail, memory_order_relaxed) ==
			    atomic_load_explicit(&stuck_tail, memory_order_relaxed);
}

void link_await_room(struct link_ring *r, uint32_t len)
{
	const struct timespec step = { .tv_nsec = ROOM_STEP };
	struct wire_ring *ring = r->way ? r->way->writer.ring : NULL;
	uint64_t since = now_ns();

	while (ring && !ring_make_room(&r->way->writer, len, &pool) &&
	       atomic_load_explicit(&ojx.live, memory_order_acquire) && !tool_stands_still()) {
		if (now_ns() - since > ROOM_PATIENCE) {
			atomic_store_explicit(
				&stuck_tail,
				atomic_load_explicit(&ring->tail, memory_order_relaxed),
				memory_order_relaxed);
			atomic_store_explicit(&stuck, ring, memory_order_release);
			return;
		}
		nanosleep(&step, NULL);
	}
}

double link_ring_used(const struct link_ring *r)
{
	struct ring_writer *w = r->way ? &r->way->writer : NULL;

	if (!w)
		return 1;
	return fmin(1, (double)unread(w) / ((double)w->slots * w->block));
}

/* ---- definitions ------------------------------------------------------------------------- */

/* [handler] Opens the table up to byte `end`. Several threads may do so at once. */
static bool open_definitions(uint64_t end)
{
	uint64_t open = atomic_load_explicit(&defs_open, memory_order_acquire);

	if (end <= open)
		return true;
	uint64_t until = (end + DEFS_STEP - 1) / DEFS_STEP * DEFS_STEP;
	if (until > ojx.layout.defs_size)
		until = ojx.layout.defs_size;
	if (!blocks_open(ojx.layout.defs_offset + open, until - open))
		return false;
	while (open < until &&
	       !atomic_compare_exchange_weak_explicit(&defs_open, &open, until,
						      memory_order_acq_rel, memory_order_acquire))
		;
	return true;
}

/*
 * [handler] Reserves `len` bytes. Returns their offset from the table's start; UINT64_MAX if there
 * is no room.
 */
static uint64_t reserve_definition(uint32_t len)
{
	uint64_t at = atomic_load_explicit(&defs_tail, memory_order_relaxed);

	do {
		if (len > ojx.layout.defs_size - at ||
		    atomic_load_explicit(&closed, memory_order_seq_cst) ||
		    !open_definitions(at + len))
			return UINT64_MAX;
	} while (!atomic_compare_exchange_weak_explicit(
		&defs_tail, &at, at + len, memory_order_relaxed, memory_order_relaxed));
	return at;
}

double link_definitions_used(void)
{
	return (double)atomic_load_explicit(&defs_tail, memory_order_relaxed) /
	       (double)ojx.layout.defs_size;
}

void link_define_ahead(void)
{
	uint64_t end = atomic_load_explicit(&defs_tail, memory_order_relaxed) + DEFS_STEP;

	atomic_fetch_add_explicit(&defining, 1, memory_order_seq_cst);
	if (end <= ojx.layout.defs_size && !atomic_load_explicit(&closed, memory_order_seq_cst))
		open_definitions(end);
	atomic_fetch_sub_explicit(&defining, 1, memory_order_seq_cst);
}

void *link_define_reserve(uint32_t len)
{
	atomic_fetch_add_explicit(
		&defining, 1,
		memory_order_seq_cst); /* before the check whether the table is closed */
	uint64_t at = reserve_definition(len);
	if (at == UINT64_MAX) {
		atomic_fetch_sub_explicit(&defining, 1, memory_order_seq_cst);
		limit_reached(WIRE_LIMIT_DEFINITIONS);
		return NULL;
	}
	struct wire_rec *rec = (struct wire_rec *)(ojx.base + ojx.layout.defs_offset + at);
	rec->len = len;
	/*
	 * A sum, not a position: a thread that reserved earlier and has not published yet leaves a
	 * gap. The tool meets the gap before the end of the sum.
	 */
	atomic_fetch_add_explicit(&ojx.shm->defs_tail, len, memory_order_release);
	return rec;
}

void link_define(void *rec, uint16_t type)
{
	atomic_store_explicit(&((struct wire_rec *)rec)->type, type, memory_order_release);
	atomic_fetch_sub_explicit(&defining, 1, memory_order_seq_cst);
}

/* ---- words for the user ------------------------------------------------------------------ */

void link_note(const char *format, ...)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static char known[WIRE_NOTES][WIRE_NOTE];
	static uint32_t n;
	char text[WIRE_NOTE];
	bool told = false;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args); /* NOLINT: va_start stands above */
	va_end(args);
	pthread_mutex_lock(&lock);
	for (uint32_t i = 0; i < n && !told; i++)
		told = strcmp(known[i], text) == 0;
	if (!told && n < WIRE_NOTES) {
		memcpy(known[n], text, sizeof text);
		memcpy(ojx.shm->status.note[n], text, sizeof text);
		atomic_store_explicit(&ojx.shm->status.notes, ++n, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	if (!told)
		trace("note: %s", text);
}
