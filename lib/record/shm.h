/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shm.h - the tool's end of the memory it shares with one JVM: making it, and reading it in order.
 *
 * The other side is not trusted. Sizes and offsets are constants of this side and never read back,
 * positions are kept privately, each record is copied before anything in it is believed, and the
 * memory is sealed against shrinking, so that reading it cannot fault. docs/wire.md has the rules.
 */
#ifndef OJX_SHM_H
#define OJX_SHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/datafile.h"
#include "wire/wire.h"

struct shm;

/* Bytes; powers of two, of whole blocks. Nothing but headers is used up before it is written to. */
struct shm_sizes {
	uint64_t defs;	  /* table of definitions */
	uint64_t service; /* ring 0, of the agent's service thread: what may lie there unread */
	uint64_t ring;	  /* each of the others */
	uint32_t rings;	  /* how many, ring 0 included */
	uint32_t blocks;  /* WIRE_BLOCK bytes each, for all rings together */
};
#define SHM_SIZES_INIT                                                                        \
	{                                                                                     \
		.defs = 16u << 20, .service = 4u << 20, .ring = 512u << 10, .rings = 256 + 1, \
		.blocks = 4096                                                                \
	}
/* For WIRE_EXACT: a ring for each thread that the agent can tell apart, smaller ones, as they are
 * waited for. */
#define SHM_SIZES_EXACT                                                                        \
	{                                                                                      \
		.defs = 64u << 20, .service = 4u << 20, .ring = 128u << 10, .rings = 1024 + 1, \
		.blocks = 8192                                                                 \
	}

/* NULL with errno. Release with shm_free; the JVM's own mapping lives on. */
struct shm *shm_new(const struct shm_sizes *sizes, const struct wire_config *config);
void shm_free(struct shm *s);

/* The descriptor to hand over, and the mapping's size. The descriptor remains the shm's. */
int shm_fd(const struct shm *s);
uint64_t shm_size(const struct shm *s);

/* Asks the agent to end its recording. */
void shm_stop(struct shm *s);

/* What the tool asks for; to be written only, as the agent could write to it, too. */
struct wire_controls *shm_controls(const struct shm *s);

/* What the agent says of its state (a wire_state, or anything at all). */
uint32_t shm_state(const struct shm *s);

/*
 * Copies what is known of the JVM and its counters, texts terminated and clamped. `lost` is the
 * sum of all kinds. Left alone: rec, pid, tool_ns.
 */
void shm_describe(const struct shm *s, struct file_jvm *jvm);
void shm_status(const struct shm *s, struct file_status *status);

/*
 * Hands out every complete record there is, each a private copy, aligned, with a checked length,
 * valid during the call; definitions before the events that name them. `gone`: the JVM has
 * ended, nothing more will be completed. `now_ns` is monotonic time. Returns the number of records.
 */
size_t shm_drain(struct shm *s, bool gone, uint64_t now_ns,
		 void (*take)(const struct wire_rec *rec, uint32_t len, void *arg), void *arg);

/* How full the last drain found the fullest ring, or all blocks together: 0 to 1. */
double shm_fullness(const struct shm *s);

/* How often something in the memory made no sense: a ring was skipped to its head, the table of
 * definitions given up, a record thrown away. */
uint64_t shm_damage(const struct shm *s);

#endif
