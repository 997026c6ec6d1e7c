/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_file.h - the bytes of ojx.data: its header, its chunks, and records that only files have.
 * The tool writes and reads them (lib/file/), and an agent without a tool writes them
 * (agent/alone.c). docs/file-format.md describes them.
 */
#ifndef OJX_WIRE_FILE_H
#define OJX_WIRE_FILE_H

#define XXH_INLINE_ALL

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "wire/wire.h"

#define DATAFILE_MAGIC	     "OJXDATA"
#define DATAFILE_VERSION     2u
#define DATAFILE_CHUNK_MAGIC 0x4b4e4843u /* "CHNK" */
#define DATAFILE_MAX_CHUNK   (16u << 20) /* bytes of payload */

#define FILE_MACHINE 8

#ifndef OJX_ARCH /* defined by the Makefile */
#define OJX_ARCH "?"
#endif
_Static_assert(sizeof OJX_ARCH <= FILE_MACHINE, "the header has no room for the processor");

struct file_header {
	char magic[8];
	uint32_t version;
	uint32_t wire_version;
	uint64_t start_unix_ns;
	char machine[FILE_MACHINE]; /* as `uname -m` has it, then zeros; only zeros: x86_64 */
};

struct file_chunk {
	uint32_t magic;
	uint32_t jvm;	   /* 1, 2, ... in order of appearance; 0: the recording itself */
	uint64_t time_ns;  /* since the start of the recording */
	uint32_t len;	   /* bytes of payload */
	uint32_t unpacked; /* > 0: the payload is packed (zlib); bytes of the records */
	uint64_t checksum; /* XXH3-64 of this header with checksum 0, then of the payload */
};

/* Record types that occur only in files; the others are those of wire.h, unchanged. */
enum file_type {
	FILE_COMMAND = 64, /* chunk of jvm 0: file_command */
	FILE_JVM = 65,	   /* a JVM appeared, or more is known about it; the last record is valid */
	FILE_STATUS = 66,  /* counters so far; the last record is valid */
	FILE_COUNT = 67,   /* allocations of one context and size since the last such record */
	FILE_END = 68,	   /* jvm 0: the recording ended normally */
	FILE_TALLY = 69,   /* counters of a context since the last such record */
	FILE_WASTE = 70,   /* pairs of accesses, by kind and stacks, since the last such record */
	FILE_ACCESS = 71,  /* sampled accesses of one object context and stack since the last such
			      record */
	FILE_THIN = 72,	   /* jvm 0: from here on fewer tickets are kept, for all contexts */
	FILE_OWN = 73,	   /* jvm 0: a file_command; its words are the globs of 'record --own' */
	FILE_LABEL = 74,   /* of the recording (jvm 0) or of a JVM; the first of a name counts */
	/* These four are only in merged recordings (docs/merging.md). */
	FILE_PART = 75,	  /* a process of a recording; the evidence behind it is of it */
	FILE_SUM = 76,	  /* allocations of one context and size in all parts */
	FILE_POOLED = 77, /* what else is summed up of a context */
	FILE_SEEN = 78,	  /* how much evidence of a context the pool had; its records follow */
	/* jvm 0: of which secret the hashes are; in a merged recording, of the parts that follow */
	FILE_SECRET = 79,
	FILE_SIFTED = 80, /* merged: of a pool, fewer tickets of a context are here */
};

struct file_command {
	struct wire_rec rec;
	uint32_t argc;
	/* bytes of the text that follows: argc NUL-terminated strings, padded to 8 */
	uint32_t len;
};

/* Longest texts, in bytes; and how a label came to be. */
#define FILE_LABEL_NAME	 63
#define FILE_LABEL_VALUE 255
#define FILE_LABEL_GIVEN 1u /* by `ojx record --label`; otherwise ojx found it out */

struct file_label {
	struct wire_rec rec;
	uint32_t flags;
	uint16_t name_len, value_len; /* of the texts that follow without NUL, padded to 8 */
};

struct file_jvm {
	struct wire_rec rec;
	int32_t pid;
	uint32_t engines; /* enum wire_engine */
	uint32_t flags;	  /* enum wire_jvm_flags */
	uint32_t pad;
	char vm_name[WIRE_TEXT];
	char vm_version[WIRE_TEXT];
	char gc[WIRE_TEXT];
};

struct file_status {
	struct wire_rec rec;
	uint64_t sampled, scanned, skipped, armed, used, traps, stack_errors;
	uint64_t ticks, located, wasted; /* samples of accesses, as in wire_status */
	uint64_t lost;		       /* events and definitions lost for lack of room, in total */
	uint64_t refused[WIRE_LIMITS]; /* by each bound */
	uint64_t callback_ns, trap_ns, tick_ns, service_ns, pause_ns, cpu_ns, wall_ns, max_pause_ns,
		max_pause_work_ns;
	uint64_t tool_ns; /* CPU time of the tool (only in the status of the first JVM) */
	uint64_t interval, epochs;
	uint64_t collections, paused_ns; /* as in wire_status */
	uint32_t nnotes;
	uint32_t pad;
	char note[WIRE_NOTES][WIRE_NOTE];
	uint64_t trapped, predicted, undecoded, counted, counted_ns; /* as in wire_status */
};

/* Its counters that wire_status has under the same names. */
#define FILE_STATUS_COUNTERS(X) \
	X(sampled)              \
	X(scanned)              \
	X(skipped)              \
	X(armed)                \
	X(used)                 \
	X(ticks) X(located) X(wasted) X(trapped) X(predicted) X(traps) X(undecoded) X(stack_errors)

struct file_count {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint64_t size;	/* bytes of one object */
	uint64_t count; /* samples */
	double weight;	/* sum of their weights: objects */
	double squares; /* sum of the squares of their weights */
};

/* A sum in units of 2^-FILE_SUM_BITS, so that the order of adding does not matter. */
#define FILE_SUM_BITS 20

struct file_exact {
	uint64_t low, high; /* of a number of 128 bits */
};

struct file_part {
	struct wire_rec rec;
	uint32_t number; /* 1, 2, .. in a merged recording, by id; not more than its parts */
	int32_t pid;
	uint64_t id; /* of the recording and the process in it: never twice in a merged one */
	/* equal for parts that are of one recording, of one process */
	uint64_t recording, process;
	uint64_t start_unix_ns; /* of its recording */
	uint64_t duration_ns;
};

struct file_sum {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint64_t size, count;		   /* as in file_count */
	struct file_exact weight, squares; /* the same */
};

struct file_pooled {
	struct wire_rec rec;
	uint32_t context;
	uint32_t pad;
	uint64_t below;			    /* pools of lower tickets have their evidence here */
	uint64_t pieces;		    /* evidence of all parts, also what was left out */
	uint64_t snapshots, uses;	    /* as it arrived in all parts */
	uint64_t kept_snapshots, kept_uses; /* of these, that follow */
	uint64_t unused[5];		    /* as in file_tally */
	struct file_exact others, others_squares; /* bytes of wire_callers, and their squares */
};

struct file_seen {
	struct wire_rec rec;
	uint32_t context;
	uint32_t pieces; /* snapshots and uses that the process had, before it was merged */
	uint64_t snapshots, uses; /* of these */
	/* by which the weights of its evidence are multiplied: it was sampled like that */
	double snapshot_factor, use_factor;
};

struct file_secret {
	struct wire_rec rec;
	uint64_t fingerprint; /* wire_secret_fingerprint; 0: not known */
};

struct file_sifted {
	struct wire_rec rec;
	uint32_t context;
	uint32_t halvings;	  /* 1..32: only tickets below 2^(32 - halvings) are here */
	uint64_t snapshots, uses; /* that the pool had, before it was merged */
};

struct file_thin {
	struct wire_rec rec;
	/* 0..32, never decreases: only tickets below 2^(32 - halvings) are kept */
	uint32_t halvings;
	uint32_t pad;
};

struct file_end {
	struct wire_rec rec;
	uint64_t duration_ns;
	int32_t wait_status; /* of the command, as from waitpid */
	uint32_t pad;
};

struct file_tally {
	struct wire_rec rec;
	uint32_t context;
	uint32_t pad;
	uint64_t snapshots, uses; /* evidence that arrived and was downsampled away at once */
	uint64_t unused[5];	  /* watches without a use, by wire_unused_reason */
};

struct file_waste {
	struct wire_rec rec;
	uint32_t watched, trapped; /* stack ids */
	uint8_t kind;		   /* wire_waste_kind */
	uint8_t insn_len[2];
	uint8_t part; /* wire_part */
	/* hash of the first access's instruction; 0: drawn from its loop (struct wire_waste) */
	uint32_t place;
	uint64_t count, wasted_count;
	/* of the samples that the pairs stand for; squares: sum of a pair's bytes squared */
	uint64_t bytes, wasted_bytes, squares;
	uint8_t insn[2][16]; /* of the first pair */
};

/* Where an access found its data, as far as the processor tells. */
enum file_level {
	FILE_L1,
	FILE_FILL, /* already on its way (line fill buffer) */
	FILE_L2,
	FILE_L3,
	FILE_MEMORY,
	FILE_REMOTE, /* cache or memory of another socket, or slower memory behind a link */
	FILE_OTHER,
	FILE_LEVELS
};

/* Counters of samples. */
struct file_access_sums {
	uint64_t count;	  /* samples */
	uint64_t objects; /* followed objects met for the first time */
	double weight;	  /* sum of the weights */
	double variance;  /* of that sum */
	/* samples whose address translation is known; those that needed a page walk */
	uint64_t tlb, walk;
	uint64_t latency, latencies; /* sum of cycles; number of samples that have them */
	uint64_t local, remote;	     /* samples whose nodes are known */
	uint64_t level[FILE_LEVELS];
	/* With r = wire_access.left_out: sum of r, and of (1 + r)^2 - 1. Both saturate. */
	uint32_t left_out, squares;
};

struct file_access {
	struct wire_rec rec;
	uint32_t context, class_id, stack;
	uint16_t flags; /* wire_access_flags */
	uint16_t pad;
	struct file_access_sums sums;
};

_Static_assert(sizeof(struct file_header) == 32, "file_header changed size");
_Static_assert(sizeof(struct file_chunk) == 32, "file_chunk changed size");
_Static_assert(sizeof(struct file_label) == 16, "file_label changed size");
_Static_assert(sizeof(struct file_count) == 48, "file_count changed size");
_Static_assert(sizeof(struct file_waste) == 96, "file_waste changed size");
_Static_assert(sizeof(struct file_thin) == 16, "file_thin changed size");
_Static_assert(sizeof(struct file_tally) == 72, "file_tally changed size");
_Static_assert(sizeof(struct file_part) == 56, "file_part changed size");
_Static_assert(sizeof(struct file_sum) == 64, "file_sum changed size");
_Static_assert(sizeof(struct file_pooled) == 136, "file_pooled changed size");
_Static_assert(sizeof(struct file_seen) == 48, "file_seen changed size");
_Static_assert(sizeof(struct file_secret) == 16, "file_secret changed size");
_Static_assert(sizeof(struct file_sifted) == 32, "file_sifted changed size");
_Static_assert(sizeof(struct file_access) == 168, "file_access changed size");

/*
 * The header of a recording that begins now. Its processor is that of the JVM's instructions, for
 * which this was compiled: to a program below `setarch` the kernel names another one.
 */
static inline struct file_header wire_file_header(void)
{
	struct file_header h = {
		.magic = DATAFILE_MAGIC,
		.version = DATAFILE_VERSION,
		.wire_version = WIRE_RECORDS_VERSION,
		.machine = OJX_ARCH,
	};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	h.start_unix_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	return h;
}

/* The machine of a recording; "?" where the header has no name of one. */
static inline void wire_file_machine(const struct file_header *h, char to[FILE_MACHINE])
{
	size_t n = strnlen(h->machine, FILE_MACHINE);
	bool named = n < FILE_MACHINE;

	for (size_t i = 0; i < n; i++)
		named = named && (isalnum((unsigned char)h->machine[i]) || h->machine[i] == '_');
	const char *name = !named ? "?" : n ? h->machine : "x86_64";
	memset(to, 0, FILE_MACHINE);
	memcpy(to, name, strnlen(name, FILE_MACHINE - 1));
}

/* ---- the checksum of a chunk of ojx.data. */

/* The checksum of a chunk whose payload follows it in memory, as in the file. */
static inline uint64_t wire_checksum(const unsigned char *chunk)
{
	struct file_chunk c;
	XXH3_state_t state;

	memcpy(&c, chunk, sizeof c);
	c.checksum = 0;
	XXH3_INITSTATE(&state);
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &c, sizeof c);
	XXH3_64bits_update(&state, chunk + sizeof c, c.len);
	return XXH3_64bits_digest(&state);
}

#endif
