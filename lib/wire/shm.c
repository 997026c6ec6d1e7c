/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shm.c - see shm.h.
 *
 * The order of reading. A thread of the JVM first completes its definitions (their type is stored
 * last, release), then writes the event that names them, then moves its ring's head (release). So
 * this side
 *
 *	1. loads the heads of all rings (acquire): all that these events name is complete by now
 *	   and lies before the table's tail;
 *	2. loads the table's tail, and reads definitions up to it;
 *	3. reads the rings up to the heads of step 1, not up to where they are by now.
 *
 * Definitions lie in the table in the order of their reservation. An incomplete one hides the
 * complete ones behind it. Then step 3 waits for a later round, since events may name the hidden
 * ones. The writer of such a gap needs only a processor to close it, and gets GAP_PATIENCE. After
 * that, or if the JVM has ended, the rings are read nevertheless, and the model treats unknown ids
 * as "other".
 */
#define _GNU_SOURCE

#include "wire/shm.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire/ring.h"
#include "wire/wire.h"

#define GAP_PATIENCE 1000000000u  /* ns */
#define GIVE_STEP    (256u << 10) /* bytes of definitions whose memory is given back at once */
#define MAX_RECORD   (4u << 20)	  /* bytes; a method of 64 K lines and its texts need a tenth */

struct shm {
	int fd;
	unsigned char *base;
	struct wire_shm *header;
	const unsigned char *defs;
	struct wire_layout layout; /* as laid out; the copy in the shared memory is for the agent */

	struct ring_reader *rings;
	uint64_t *heads;     /* of the rings, from step 1 */
	double fullness;     /* from step 1 */
	uint64_t defs_pos;   /* bytes of definitions read */
	uint64_t defs_given; /* bytes of definitions whose memory was given back */
	bool defs_broken;    /* the table is invalid from defs_pos on */
	uint64_t sampled;    /* before the last drain: the agent counts what it has sent */
	uint64_t gap_pos, gap_since;
	uint64_t damage;
	char first_damage[SHM_DAMAGE];

	unsigned char *copy; /* of the record that is delivered */
	size_t copy_size;
};

/* ---- making it --------------------------------------------------------------------------- */

static uint64_t round_up(uint64_t n, uint64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static bool power_of_blocks(uint64_t n, uint64_t block)
{
	return n >= block && (n & (n - 1)) == 0;
}

/* The size of a block. Its memory can be given back only if it is whole pages. */
static uint32_t block_bytes(const struct shm_sizes *sizes)
{
	uint32_t page = (uint32_t)sysconf(_SC_PAGESIZE);

	return sizes->block ? sizes->block : page > WIRE_BLOCK ? page : WIRE_BLOCK;
}

/* As much memory as with the smallest ones; but each ring must have one, and one more to go on. */
static uint32_t blocks_of(const struct shm_sizes *sizes, uint32_t block)
{
	uint32_t same = sizes->blocks / (block / WIRE_BLOCK), least = 2 * sizes->rings;

	return block == WIRE_BLOCK || same > least ? same : least;
}

/* Computes where everything lies. False if the sizes make no sense. */
static bool plan(struct wire_layout *l, const struct shm_sizes *sizes)
{
	const uint32_t block = block_bytes(sizes);

	if (!wire_layout_power(block, WIRE_MAX_BLOCK) || block < WIRE_BLOCK ||
	    !power_of_blocks(sizes->defs, block) || !power_of_blocks(sizes->service, block) ||
	    !power_of_blocks(sizes->ring, block) || sizes->rings == 0)
		return false;
	l->rings = sizes->rings;
	l->service_slots = (uint32_t)(sizes->service / block);
	l->ring_slots = (uint32_t)(sizes->ring / block);
	l->blocks = blocks_of(sizes, block);
	l->rings_offset = round_up(sizeof(struct wire_shm), 64);
	l->maps_offset = l->rings_offset + l->rings * sizeof(struct wire_ring);
	l->controls_offset = round_up(wire_layout_map(l, l->rings), 64);
	l->defs_offset = round_up(l->controls_offset + sizeof(struct wire_controls), block);
	l->defs_size = sizes->defs;
	l->blocks_offset = l->defs_offset + l->defs_size;
	l->size = l->blocks_offset + (uint64_t)l->blocks * block;
	return wire_layout_fits(l, l->size, sizeof(struct wire_shm), sizeof(struct wire_ring),
				sizeof(struct wire_controls));
}

/* Writes the header, and sets up the rings. */
static void lay_out(struct shm *s, const struct wire_config *config)
{
	const struct wire_layout *l = &s->layout;
	struct wire_shm *h = s->header;

	h->magic = OJX_WIRE_MAGIC;
	h->version = OJX_WIRE_VERSION;
	h->layout = *l;
	h->config = *config;
	s->defs = s->base + l->defs_offset;
	for (uint32_t i = 0; i < l->rings; i++)
		s->rings[i] = (struct ring_reader){
			.ring = (struct wire_ring *)(s->base + l->rings_offset) + i,
			.map = (_Atomic uint16_t *)(s->base + wire_layout_map(l, i)),
			.blocks = s->base + l->blocks_offset,
			.slots = wire_layout_slots(l, i),
			.block = wire_layout_block(l),
			.nblocks = l->blocks,
		};
}

/*
 * Maps the memory. The part that both sides write at any time is allocated now; the agent fills the
 * rest.
 */
static int map(struct shm *s)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

	s->fd = memfd_create("ojx", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (s->fd < 0 || ftruncate(s->fd, (off_t)s->layout.size) < 0 ||
	    fcntl(s->fd, F_ADD_SEALS, seals) < 0 ||
	    fallocate(s->fd, 0, 0, (off_t)s->layout.defs_offset) < 0)
		return -1;
	void *p = mmap(NULL, s->layout.size, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
	if (p == MAP_FAILED)
		return -1;
	s->base = p;
	s->header = p;
	return 0;
}

struct shm *shm_new(const struct shm_sizes *sizes, const struct wire_config *config)
{
	struct wire_layout layout;

	if (!plan(&layout, sizes)) {
		errno = EINVAL;
		return NULL;
	}
	struct shm *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->fd = -1;
	s->layout = layout;
	s->rings = calloc(layout.rings, sizeof *s->rings);
	s->heads = calloc(layout.rings, sizeof *s->heads);
	if (!s->rings || !s->heads || map(s) < 0) {
		int saved = errno;
		shm_free(s);
		errno = saved;
		return NULL;
	}
	lay_out(s, config);
	return s;
}

void shm_free(struct shm *s)
{
	if (!s)
		return;
	if (s->base)
		munmap(s->base, s->layout.size);
	if (s->fd >= 0)
		close(s->fd);
	free(s->rings);
	free(s->heads);
	free(s->copy);
	free(s);
}

int shm_fd(const struct shm *s)
{
	return s->fd;
}

int shm_give_fd(struct shm *s)
{
	int fd = s->fd;

	s->fd = -1;
	return fd;
}

uint64_t shm_size(const struct shm *s)
{
	return s->layout.size;
}

/* ---- control and status ------------------------------------------------------------------ */

void shm_stop(struct shm *s)
{
	atomic_store_explicit(&s->header->stop, 1, memory_order_release);
}

void shm_tell_cost(struct shm *s, uint64_t tool_ns)
{
	atomic_store_explicit(&s->header->tool_ns, tool_ns, memory_order_relaxed);
}

uint32_t shm_state(const struct shm *s)
{
	return atomic_load_explicit(&s->header->status.state, memory_order_acquire);
}

struct wire_controls *shm_controls(const struct shm *s)
{
	return (struct wire_controls *)(s->base + s->layout.controls_offset);
}

/* Copies a text that the other side may be changing. `size` includes the terminating NUL. */
static void copy_text(char *to, const char *from, size_t size)
{
	memcpy(to, from, size);
	to[size - 1] = '\0';
	/* nothing behind the text may get into the file */
	size_t len = strlen(to);
	memset(to + len, 0, size - len);
}

void shm_describe(const struct shm *s, struct file_jvm *jvm)
{
	const struct wire_status *from = &s->header->status;

	jvm->engines = atomic_load_explicit(&from->engines, memory_order_acquire);
	jvm->flags = atomic_load_explicit(&from->jvm_flags, memory_order_relaxed);
	copy_text(jvm->vm_name, from->vm_name, sizeof jvm->vm_name);
	copy_text(jvm->vm_version, from->vm_version, sizeof jvm->vm_version);
	copy_text(jvm->gc, from->gc, sizeof jvm->gc);
}

/* Relaxed: each counter is read for itself, and what it counts is ordered by the rings' heads. */
#define COUNTED(counter) atomic_load_explicit(&(counter), memory_order_relaxed)

/* What each bound refused, and what is lost by it in total. */
static void take_refused(const struct shm *s, struct file_status *to)
{
	for (int i = 0; i < WIRE_LIMITS; i++)
		to->refused[i] = COUNTED(s->header->status.refused[i]);
	to->refused[WIRE_LIMIT_UNREAD] = 0;
	for (uint32_t i = 0; i < s->layout.rings; i++)
		to->refused[WIRE_LIMIT_UNREAD] += COUNTED(s->rings[i].ring->lost);
	to->lost = 0;
	for (int i = 0; i < WIRE_LIMIT_LOST; i++)
		to->lost += to->refused[i];
}

void shm_status(const struct shm *s, struct file_status *to)
{
	const struct wire_status *from = &s->header->status;

	to->sampled = s->sampled;
	to->scanned = COUNTED(from->scanned);
	to->skipped = COUNTED(from->skipped);
	to->armed = COUNTED(from->armed);
	to->used = COUNTED(from->used);
	to->ticks = COUNTED(from->ticks);
	to->located = COUNTED(from->located);
	to->wasted = COUNTED(from->wasted);
	to->trapped = COUNTED(from->trapped);
	to->predicted = COUNTED(from->predicted);
	to->traps = COUNTED(from->traps);
	to->undecoded = COUNTED(from->undecoded);
	to->counted = COUNTED(from->counted);
	to->counted_ns = COUNTED(from->cost.counted_ns);
	to->stack_errors = COUNTED(from->stack_errors);
	take_refused(s, to);
	to->callback_ns = COUNTED(from->cost.callback_ns);
	to->trap_ns = COUNTED(from->cost.trap_ns);
	to->tick_ns = COUNTED(from->cost.tick_ns);
	to->service_ns = COUNTED(from->cost.service_ns);
	to->pause_ns = COUNTED(from->cost.pause_ns);
	to->cpu_ns = COUNTED(from->cost.cpu_ns);
	to->wall_ns = COUNTED(from->cost.wall_ns);
	to->max_pause_ns = COUNTED(from->max_pause_ns);
	to->max_pause_work_ns = COUNTED(from->max_pause_work_ns);
	to->interval = COUNTED(from->interval);
	to->epochs = COUNTED(from->epoch);
	to->collections = COUNTED(from->collections);
	to->paused_ns = COUNTED(from->paused_ns);
	uint32_t notes = atomic_load_explicit(&from->notes, memory_order_acquire);
	to->nnotes = notes < WIRE_NOTES ? notes : WIRE_NOTES;
	for (uint32_t i = 0; i < to->nnotes; i++)
		copy_text(to->note[i], from->note[i], WIRE_NOTE);
}

uint64_t shm_damage(const struct shm *s)
{
	return s->damage;
}

const char *shm_first_damage(const struct shm *s)
{
	return s->first_damage;
}

static __attribute__((format(printf, 2, 3))) void count_damage(struct shm *s, const char *what, ...)
{
	va_list args;

	if (s->damage++)
		return;
	va_start(args, what);
	vsnprintf(s->first_damage, sizeof s->first_damage, what, args);
	va_end(args);
}

/* ---- reading ----------------------------------------------------------------------------- */

struct reading {
	struct shm *shm;
	void (*take)(const struct wire_rec *rec, uint32_t len, void *arg);
	void *arg;
	size_t records;
};

/* Copies a record of checked length and delivers the copy. */
static void deliver_copy(const struct wire_rec *rec, uint32_t len, void *arg)
{
	struct reading *r = arg;
	struct shm *s = r->shm;

	if (len > s->copy_size) {
		unsigned char *grown = len > MAX_RECORD ? NULL : realloc(s->copy, len);
		if (!grown) {
			count_damage(s, "a record of %" PRIu32 " bytes: no memory", len);
			return;
		}
		s->copy = grown;
		s->copy_size = len;
	}
	memcpy(s->copy, rec, len);
	/* set the checked length, whatever the shared memory says now */
	((struct wire_rec *)s->copy)->len = len;
	r->take((const struct wire_rec *)s->copy, len, r->arg);
	r->records++;
}

/* The end of definitions by the sum of their lengths, which lacks those of gaps. */
static uint64_t definitions_end(const struct shm *s)
{
	uint64_t tail = atomic_load_explicit(&s->header->defs_tail, memory_order_acquire);

	if (tail > s->layout.defs_size)
		tail = s->layout.defs_size;
	return tail & ~(uint64_t)(WIRE_ALIGN - 1);
}

/*
 * Reads definitions up to the table's tail. True: all are read, or no more can follow. False: there
 * is a gap, which may still close.
 */
static bool read_definitions(struct shm *s, struct reading *r)
{
	uint64_t tail = definitions_end(s);

	while (!s->defs_broken && s->defs_pos < tail) {
		const struct wire_rec *rec = (const struct wire_rec *)(s->defs + s->defs_pos);
		if (atomic_load_explicit(&rec->type, memory_order_acquire) == 0)
			return false;
		/* once: a peer may change it meanwhile; the type has ordered it */
		uint32_t len =
			atomic_load_explicit((_Atomic uint32_t *)&rec->len, memory_order_relaxed);
		uint64_t later = len > tail - s->defs_pos ? definitions_end(s) : 0;
		if (later > tail) /* a gap before it has closed since; a peer may lower it */
			tail = later;
		if (len < sizeof *rec || len % WIRE_ALIGN || len > tail - s->defs_pos) {
			s->defs_broken = true; /* the start of the next one is unknown */
			count_damage(s, "definitions, byte %" PRIu64 ": length %" PRIu32,
				     s->defs_pos, len);
			break;
		}
		deliver_copy(rec, len, r);
		s->defs_pos += len;
	}
	return true;
}

/*
 * Gives back the memory of definitions that were read. It counts as the program's, and nobody reads
 * them again.
 */
static void give_definitions_back(struct shm *s)
{
	uint64_t end = s->defs_pos - s->defs_pos % GIVE_STEP;

	if (end == s->defs_given)
		return;
	madvise(s->base + s->layout.defs_offset + s->defs_given, end - s->defs_given, MADV_REMOVE);
	s->defs_given = end; /* also where the kernel refuses: it would refuse again */
}

/* Whether the gap at defs_pos has existed for too long. */
static bool gap_is_old(struct shm *s, uint64_t now_ns)
{
	if (s->gap_since == 0 || s->gap_pos != s->defs_pos) {
		s->gap_pos = s->defs_pos;
		s->gap_since = now_ns;
	}
	return now_ns - s->gap_since > GAP_PATIENCE;
}

/* Loads the heads, and finds out how much there is to read. */
static void look_at_rings(struct shm *s)
{
	uint64_t blocks = 0;

	s->fullness = 0;
	for (uint32_t i = 0; i < s->layout.rings; i++) {
		const struct ring_reader *r = &s->rings[i];
		s->heads[i] = atomic_load_explicit(&r->ring->head, memory_order_acquire);
		uint64_t unread = (s->heads[i] - r->tail) / r->block;
		if (unread > r->slots) /* invalid */
			continue;
		blocks += unread;
		if (s->fullness < (double)unread / r->slots)
			s->fullness = (double)unread / r->slots;
	}
	if (s->fullness < (double)blocks / s->layout.blocks)
		s->fullness = (double)blocks / s->layout.blocks;
}

double shm_fullness(const struct shm *s)
{
	return s->fullness;
}

static void read_rings(struct shm *s, struct reading *r)
{
	for (uint32_t i = 0; i < s->layout.rings; i++) {
		const struct ring_fault *f = &s->rings[i].fault;
		if (s->heads[i] != s->rings[i].tail &&
		    ring_drain(&s->rings[i], s->heads[i], deliver_copy, r) < 0)
			count_damage(s, "ring %" PRIu32 ", byte %" PRIu64 ": %s %" PRIu64, i, f->at,
				     f->what, f->value);
	}
}

size_t shm_drain(struct shm *s, bool gone, uint64_t now_ns,
		 void (*take)(const struct wire_rec *rec, uint32_t len, void *arg), void *arg)
{
	struct reading r = { .shm = s, .take = take, .arg = arg };

	s->sampled = atomic_load_explicit(&s->header->status.sampled, memory_order_acquire);
	look_at_rings(s);
	if (read_definitions(s, &r) || gone || gap_is_old(s, now_ns))
		read_rings(s, &r);
	give_definitions_back(s);
	return r.records;
}
