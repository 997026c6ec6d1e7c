/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shm.h - the tool's end of the shared memory with one JVM: making it, and reading it in order.
 *
 * The other side is not trusted. Sizes, offsets and positions are private to this side and never
 * read back. Each record is copied before its contents are used. The memory is sealed against
 * shrinking, so that reading it cannot fault. docs/wire.md lists the rules.
 */
#ifndef OJX_SHM_H
#define OJX_SHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire_file.h"

struct shm;

/*
 * Bytes; powers of two, and at least a block. Only headers take memory before they are written to.
 */
struct shm_sizes {
	uint64_t defs;	  /* table of definitions */
	uint64_t service; /* most unread bytes of ring 0, of the agent's service thread */
	uint64_t ring;	  /* the same for each other ring */
	uint32_t rings;	  /* number of rings, ring 0 included */
	uint32_t blocks;  /* for all rings together, where a block has WIRE_BLOCK bytes */
	/* bytes of a block, WIRE_BLOCK..WIRE_MAX_BLOCK; 0: WIRE_BLOCK, or a page if larger */
	uint32_t block;
};
#define SHM_SIZES_INIT                                                                        \
	{                                                                                     \
		.defs = 16u << 20, .service = 4u << 20, .ring = 512u << 10, .rings = 256 + 1, \
		.blocks = 4096                                                                \
	}
/*
 * For WIRE_EXACT: a ring for each thread that the agent can distinguish. The rings are smaller,
 * since agents wait for room.
 */
#define SHM_SIZES_EXACT                                                                        \
	{                                                                                      \
		.defs = 64u << 20, .service = 4u << 20, .ring = 128u << 10, .rings = 1024 + 1, \
		.blocks = 8192                                                                 \
	}

/* NULL with errno. Release with shm_free; the JVM's own mapping remains. */
struct shm *shm_new(const struct shm_sizes *sizes, const struct wire_config *config);
void shm_free(struct shm *s);

/* The descriptor to send, which remains the shm's, and the size of the mapping. */
int shm_fd(const struct shm *s);
uint64_t shm_size(const struct shm *s);

/* Gives the descriptor away, for a side that is in the same process; the shm has none any more. */
int shm_give_fd(struct shm *s);

/* Asks the agent to stop recording. */
void shm_stop(struct shm *s);

/* Tells the agent the tool's CPU time, which is part of the budget. */
void shm_tell_cost(struct shm *s, uint64_t tool_ns);

/* What the tool asks for. Only for writing: the agent can write to it, too. */
struct wire_controls *shm_controls(const struct shm *s);

/* The state that the agent claims: a wire_state, or any number. */
uint32_t shm_state(const struct shm *s);

/*
 * Copies what is known of the JVM and its counters; texts are terminated, values clamped. `lost` is
 * the sum of all kinds. `sampled` is as before the last drain: what threads sample meanwhile is not
 * lost. Does not set rec, pid and tool_ns.
 */
void shm_describe(const struct shm *s, struct file_jvm *jvm);
void shm_status(const struct shm *s, struct file_status *status);

/*
 * Delivers every complete record: a private, aligned copy of checked length, valid during the call;
 * definitions come before the events that name them. `gone`: the JVM has ended and completes
 * nothing more. `now_ns` is monotonic time. Returns the number of records.
 */
size_t shm_drain(struct shm *s, bool gone, uint64_t now_ns,
		 void (*take)(const struct wire_rec *rec, uint32_t len, void *arg), void *arg);

/* Fullness, 0..1, of the fullest ring or of all blocks together, in the last drain. */
double shm_fullness(const struct shm *s);

/*
 * Number of errors in the memory: a ring was skipped to its head, the table of definitions was
 * given up, or a record was dropped.
 */
uint64_t shm_damage(const struct shm *s);

/* Where the first one was and what was there; empty if there was none. */
enum { SHM_DAMAGE = 96 };
const char *shm_first_damage(const struct shm *s);

#endif
