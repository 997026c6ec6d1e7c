/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - the contract between the agent (in the JVM) and the tool.
 *
 * It holds the handshake on the control socket, the layout of the shared memory that follows it,
 * and the records that travel through that memory and, unchanged, into ojx.data. Both sides
 * include this file and ring.h, and nothing else of each other. docs/wire.md tells the story.
 *
 * OJX_WIRE_VERSION: 3. Bump it when a struct below changes size or meaning; new record types
 * may be added without a bump, since a reader skips the types it does not know. The tool refuses
 * an agent of another version (they are installed together, so that means a broken install).
 * History: 1 - first version. 2 - rings are made of blocks, the tool is not woken; records are the
 * same. 3 - the tool says how many objects of a line it wants to see (wire_controls.h).
 *
 * Rules: fixed-width types, explicit padding, offsets instead of pointers. The tool treats all of
 * the shared memory as untrusted: it checks every length and offset before use.
 */
#ifndef OJX_WIRE_H
#define OJX_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#include "wire/wire_controls.h"
#include "wire/wire_layout.h"
#include "wire/wire_rec.h"

#define OJX_WIRE_MAGIC	 0x31584a4fu /* "OJX1" */
#define OJX_WIRE_VERSION 3u
#define WIRE_ALIGN	 8u
#define WIRE_TEXT	 64  /* names of VM, version, collector; always NUL-terminated */
#define WIRE_NOTE	 256 /* one line for the user */
#define WIRE_NOTES	 8
#define WIRE_SLOTS	 32  /* values of one object that are kept as hashes */
#define WIRE_MAX_STACK	 512 /* upper limit of --max-stack */
#define WIRE_GLOB	 256
#define WIRE_VALUE_TEXT	 64
#define WIRE_THREADS	 256 /* numbers of threads, 0 included */
#define WIRE_THREAD_NAME 128 /* bytes of a thread's name; longer ones are cut */

/* ---- handshake ------------------------------------------------------------------------- */

/* Agent to tool, first and only message. */
struct wire_hello {
	uint32_t magic;
	uint32_t version;
	int32_t pid;	 /* as the JVM sees itself; the tool trusts SO_PEERCRED */
	int32_t refused; /* 0, or a wire_refusal: this JVM cannot be profiled */
	char vm_name[WIRE_TEXT];
	char vm_version[WIRE_TEXT];
};

enum wire_refusal {
	WIRE_ACCEPTED = 0,
	WIRE_NOT_HOTSPOT = 1,
	WIRE_TOO_OLD = 2,     /* before JDK 11: no allocation sampling */
	WIRE_NO_SAMPLING = 3, /* the JVM denies the capability */
	WIRE_BAD_VERSION = 5, /* said by the tool: agent and tool are of different versions */
	WIRE_TOO_MANY = 6,    /* said by the tool: no room for another JVM */
};

/* Tool to agent. With verdict WIRE_ACCEPTED a descriptor travels along (SCM_RIGHTS): the memfd of
 * the shared memory. */
struct wire_welcome {
	uint32_t magic;
	uint32_t version;
	uint32_t verdict;
	uint32_t pad;
	uint64_t shm_size;
};

/* ---- shared memory --------------------------------------------------------------------- */

enum wire_config_flags {
	WIRE_NO_WATCH = 1 << 0,
	WIRE_NO_SCAN = 1 << 1,
	WIRE_NO_PEEK = 1 << 2,	   /* a filter would kill who calls process_vm_readv */
	WIRE_VALUES = 1 << 3,	   /* texts of strings may be sent: they can be secret */
	WIRE_EXACT = 1 << 4,	   /* every allocation is a sample of weight 1, whatever it costs */
	WIRE_NO_OBJECTS = 1 << 5,  /* no allocation is sampled */
	WIRE_LOCALITY = 1 << 6,	   /* accesses are sampled, sampled objects followed */
	WIRE_NUMA = 1 << 7,	   /* and the nodes of page and processor are found out */
	WIRE_NO_CONTENTS = 1 << 8, /* sampled objects are neither looked at nor watched */
	WIRE_NO_PERF = 1 << 9,	   /* a filter would kill who calls perf_event_open */
	WIRE_USES = 1 << 10,	 /* sampled accesses lead to uses of objects, which are followed */
	WIRE_GOVERNED = 1 << 11, /* the budget may make the clock's samples fewer than `hz` */
	WIRE_NO_TIMER = 1 << 12, /* a filter would kill who calls timer_create */
	WIRE_NO_PAGES = 1 << 13, /* a filter would kill who calls move_pages */
	WIRE_VERBOSE = 1 << 14,	 /* notes that are only for who wants to know all */
};

enum wire_sampler {
	WIRE_SAMPLER_CLOCK = 0,	 /* a thread's CPU time; what it is about to access is found out */
	WIRE_SAMPLER_FAULTS = 1, /* the kernel's page faults */
	WIRE_SAMPLER_PMU = 2,	 /* an event of the processor that tells the address */
	WIRE_SAMPLERS = 3,
};

#define WIRE_EVENTS 4

/* What samples accesses: how a perf event is to be opened. Of the clock, only `period` or `hz`
 * count. */
struct wire_event {
	uint32_t sampler; /* wire_sampler */
	uint32_t type;	  /* of perf_event_attr, like the following */
	uint32_t precise; /* precise_ip */
	uint32_t kernel;  /* 1: not exclude_kernel, which the PMU cannot do */
	uint64_t config, config1, config2;
	uint64_t sample_type;
	uint64_t period; /* events from sample to sample (the clock: ns of CPU time); 0: `hz` says
			    it */
	uint64_t hz;	 /* samples a second */
};

/* Written by the tool before the memory is handed over; constant afterwards. */
struct wire_config {
	double budget;	    /* percent of the process's CPU time */
	uint64_t interval;  /* bytes between samples; 0: the governor chooses */
	uint64_t seed;	    /* of the agent's random numbers */
	uint32_t max_stack; /* frames, 1..WIRE_MAX_STACK */
	uint32_t delay_ms;  /* recording starts this long after the JVM did */
	uint32_t flags;	    /* wire_config_flags */
	uint32_t waste;	   /* bits 1 << enum wire_waste_kind: the wasteful operations to look for */
	uint32_t nevents;  /* that sample accesses, in each thread; 0: none are sampled */
	uint32_t min_size; /* bytes; smaller objects are not followed (WIRE_LOCALITY) */
	double tolerance; /* floating-point values that differ by at most this share are the same */
	/* the seccomp filters of the tool, under which it has found out what kills: as
	 * /proc/self/status tells; -1: it does not */
	int32_t seccomp_mode;
	int32_t seccomp_filters;
	struct wire_event event[WIRE_EVENTS];
	char class_glob[WIRE_GLOB]; /* only objects of matching classes; empty: all. Java names */
};

enum wire_engine {
	WIRE_ENGINE_WATCH = 1 << 0,
	WIRE_ENGINE_SCAN = 1 << 1,
	WIRE_ENGINE_EXACT = 1 << 2, /* not a source of contents: every allocation is counted */
};

enum wire_state {
	WIRE_STARTING = 0,
	WIRE_RECORDING = 1,
	WIRE_STOPPED = 2, /* asked to, or the JVM is ending: everything has been sent */
};

/* What the agent spent, in nanoseconds, each summed over all threads. */
struct wire_cost {
	_Atomic uint64_t callback_ns; /* allocation callbacks */
	_Atomic uint64_t counted_ns;  /* of these, samples that were only counted */
	_Atomic uint64_t trap_ns;     /* traps, kernel's share included as calibrated */
	_Atomic uint64_t service_ns;  /* CPU time of the service thread */
	_Atomic uint64_t pause_ns;    /* what GC pauses grew by (wall) */
	_Atomic uint64_t cpu_ns;      /* CPU time of the process at the last look */
	_Atomic uint64_t wall_ns;     /* since recording began */
};

/* Written by the agent, read by the tool at any time. Counters only grow. */
struct wire_status {
	_Atomic uint32_t state;	  /* wire_state */
	_Atomic uint32_t engines; /* wire_engine bits that really run */
	_Atomic uint32_t notes;	  /* valid entries of note[] (release) */
	_Atomic uint32_t epoch;	  /* GC starts seen */
	_Atomic uint64_t sampled; /* allocation samples taken */
	_Atomic uint64_t scanned; /* objects looked at */
	_Atomic uint64_t skipped; /* sampled objects that no scan reached in time */
	_Atomic uint64_t armed;	  /* watches armed */
	_Atomic uint64_t used;	  /* of these, that gave an observation */
	_Atomic uint64_t traps;
	_Atomic uint64_t ticks;	       /* samples of accesses, in Java code */
	_Atomic uint64_t located;      /* of these, whose access to the heap was found */
	_Atomic uint64_t wasted;       /* of these, watched until the second access */
	_Atomic uint64_t trapped;      /* of these, whose address was predicted and then touched */
	_Atomic uint64_t predicted;    /* of these, first by the instruction that was predicted */
	_Atomic uint64_t undecoded;    /* traps whose instruction was not understood */
	_Atomic uint64_t stack_errors; /* access stacks that could not be walked */
	_Atomic uint64_t defs_lost;    /* definitions that found the table full */
	_Atomic uint64_t rings_lost;   /* events of threads that found no ring */
	_Atomic uint64_t counted; /* of the samples: only counted, see WIRE_ALLOC_COUNTED */
	_Atomic uint64_t interval;     /* bytes, in force now */
	_Atomic uint64_t max_pause_ns; /* longest addition to one pause */
	struct wire_cost cost;
	char vm_name[WIRE_TEXT];
	char vm_version[WIRE_TEXT];
	char gc[WIRE_TEXT];
	char note[WIRE_NOTES][WIRE_NOTE];
};

/* Head and tail count bytes since the start; each has one writer and a cache line of its own. */
struct wire_ring {
	_Alignas(64) _Atomic uint64_t head; /* agent, release: bytes written */
	_Atomic uint64_t lost;		    /* agent: events that found no room */
	_Alignas(64) _Atomic uint64_t tail; /* tool, release: bytes read */
};

struct wire_shm {
	uint32_t magic;
	uint32_t version;
	struct wire_layout layout; /* for the agent to copy; like the following, constant */
	struct wire_config config;
	_Alignas(64) _Atomic uint32_t stop; /* tool: end recording */
	_Alignas(64) _Atomic uint64_t
		defs_tail; /* agent: bytes reserved, by those that say so already */
	_Alignas(64) struct wire_status status;
};

/* ---- records --------------------------------------------------------------------------- */

enum wire_type {
	WIRE_PAD = 1, /* skip: the rest of the block */

	/* definitions; ids are per JVM and begin at 1, 0 stands for "other, unknown" */
	WIRE_CLASS = 16,
	WIRE_METHOD = 17,
	WIRE_STACK = 18,
	WIRE_CONTEXT = 19,
	WIRE_THREAD = 20,
	WIRE_LAST_DEFINITION = WIRE_THREAD,

	/* events */
	WIRE_ALLOC = 32,
	WIRE_SNAPSHOT = 33,
	WIRE_USE = 34,
	WIRE_UNUSED = 35,
	WIRE_VALUE = 36,
	WIRE_WASTE = 37,
	WIRE_ACCESS = 38,
	/* 39, 40: see wire_live_heap.h */
	WIRE_ALLOC_COUNTED = 41,
	WIRE_LAST_EVENT = WIRE_ALLOC_COUNTED,

	/* 64 and up: in ojx.data only, see lib/file/datafile.h */
};

/*
 * A class. `positions` describes what its content is made of, in this order after the name:
 * one wire_field for each instance field, inherited ones included (by offset). An array has
 * none: its positions are its elements.
 */
struct wire_class {
	struct wire_rec rec;
	uint32_t id;
	uint32_t nfields;
	uint16_t signature_len; /* bytes of text: JVM signature, e.g. "[I", "Ljava/lang/String;" */
	uint16_t flags;
	uint32_t element_size; /* bytes of an array's element, else 0 */
	/* char signature[signature_len], padded to 8; then nfields times wire_field */
};

enum wire_field_flags {
	WIRE_FIELD_FINAL = 1 << 0, /* assigned once, by a constructor */
};

struct wire_field {
	uint32_t offset; /* bytes from the object's start */
	uint16_t size;	 /* bytes */
	uint8_t type;	 /* first character of the JVM signature */
	uint8_t flags;	 /* wire_field_flags */
	uint16_t name_len;
	uint16_t declarer_len;	/* signature of the declaring class */
	uint16_t signature_len; /* of its own whole signature; 0: not sent, `type` says it all */
	uint16_t pad2;
	/* char name[], char declarer[], char signature[], padded together to 8 */
};

enum wire_method_flags {
	WIRE_METHOD_LOADER = 1 << 0,   /* it is known who loaded its class */
	WIRE_METHOD_PLATFORM = 1 << 1, /* the boot or the platform loader */
};

/* A method, sent before or soon after the first stack that names it. */
struct wire_method {
	struct wire_rec rec;
	uint64_t method;    /* the jmethodID, as in frames */
	uint16_t class_len; /* JVM signature of the class */
	uint16_t name_len;
	uint16_t descriptor_len;
	uint16_t file_len; /* 0: no source file known */
	uint32_t nlines;
	uint32_t flags; /* wire_method_flags */
	/* the four texts one after the other, padded to 8; then nlines times wire_line by bci */
};

struct wire_line {
	uint16_t bci;
	uint16_t line;
};

struct wire_frame {
	uint64_t method; /* 0: the `bci` frames before this one repeat from here on */
	int32_t bci;	 /* -1 unknown, -3 native */
	uint32_t pad;
};

enum wire_stack_flags {
	WIRE_STACK_CUT = 1 << 0,    /* frames towards the root are missing */
	WIRE_STACK_FAILED = 1 << 1, /* could not be walked: no frames */
};

/* A calling context, innermost frame first, repeated cycles folded. */
struct wire_stack {
	struct wire_rec rec;
	uint32_t id;
	uint16_t nframes;
	uint16_t flags;
	/* nframes times wire_frame */
};

/* An allocation context: objects of one class made at one calling context. */
struct wire_context {
	struct wire_rec rec;
	uint32_t id;
	uint32_t class_id;
	uint32_t stack_id;
	uint32_t pad;
};

/*
 * A thread's number. Threads of one name share it, and where a program has many names, those that
 * differ in their digits only do: these are '*' then.
 */
struct wire_thread {
	struct wire_rec rec;
	uint32_t number; /* 1..WIRE_THREADS - 1 */
	uint32_t name_len;
	/* char name[name_len], modified UTF-8, padded to 8 */
};

/*
 * One sampled allocation. As WIRE_ALLOC_COUNTED: one whose object is not looked at, as there is
 * enough evidence of its line.
 */
struct wire_alloc {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length; /* array length; 0 for other objects */
	uint64_t size;	       /* bytes, header and padding included */
	double weight;	       /* objects it stands for, as a sample */
};

enum wire_evidence_flags {
	WIRE_REFS = 1 << 0,	 /* holds non-null references: comparable within its epoch only */
	WIRE_PARTIAL = 1 << 1,	 /* too large: content covers a part of it */
	WIRE_TWICE = 1 << 2,	 /* looked at twice, some time apart */
	WIRE_CHANGED = 1 << 3,	 /* and the second look differed */
	WIRE_IN_PAUSE = 1 << 4,	 /* looked at in a GC pause */
	WIRE_PARTNER = 1 << 5,	 /* a use: the position was taken from a seed */
	WIRE_ELSEWHERE = 1 << 6, /* a use: by another thread than the allocating one */
	WIRE_DEEP = 1 << 7,	 /* a look: `deep` is there */
	WIRE_DEEP_CUT = 1 << 8,	 /* a bound was hit: equal as far as looked */
	/* something that is only itself (a thread, a lock, a class loader) is in it: comparable
	   within its epoch */
	WIRE_DEEP_REFS = 1 << 9,
	WIRE_HASHED = 1 << 10,	/* a look: the identity hash code was asked for */
	WIRE_LOCKED = 1 << 11,	/* a look: it is or was used as a monitor */
	WIRE_SAMPLED = 1 << 13, /* a use that a sampled access led to, be it soon or late */
};

/*
 * A look at a whole object (scan). slot[k] is the hash of the value at position
 * wire_position(positions, k), where positions is the number of fields or elements.
 */
struct wire_snapshot {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint32_t epoch;
	uint16_t flags; /* wire_evidence_flags */
	uint16_t nslots;
	uint64_t content; /* hash of the whole content */
	double weight;	  /* objects it stands for */
	/*
	 * Hash of the content with what it refers to, instead of addresses. Of a java.lang.String:
	 * of its characters alone, since its cached hash code comes and goes.
	 */
	uint64_t deep;
	/*
	 * Uniform random: evidence is thinned by it, see lib/model/model.h. The use of an object
	 * that was watched when it was allocated has the ticket of its look.
	 */
	uint32_t ticket;
	uint32_t nodes;	     /* objects that `deep` covers, this one included */
	uint32_t deep_bytes; /* of those but this one, headers and padding included; 0: not known */
	uint32_t exponent;   /* it was kept with probability 2^-exponent; `weight` knows */
	/* uint32_t slot[nslots], padded to 8 */
};

/* The text of a string that was looked at; only with WIRE_VALUES, and not for each look. */
struct wire_value {
	struct wire_rec rec;
	uint32_t context;
	uint32_t len;	/* bytes of text, at most WIRE_VALUE_TEXT */
	uint64_t deep;	/* as in looks */
	uint32_t chars; /* of the whole string, in UTF-16 units */
	uint32_t pad;
	/* char text[len], UTF-8, cut at a character, padded to 8 */
};

/* A watched use: what the first load at `position` found. */
struct wire_use {
	struct wire_rec rec;
	uint32_t context;
	uint32_t array_length;
	uint32_t epoch;
	uint16_t flags;
	uint16_t size;	   /* bytes of the value */
	uint32_t access;   /* stack id */
	uint32_t position; /* index of the field or element */
	uint64_t value;	   /* hash of the value there */
	uint64_t content;  /* hash of the whole content at that moment */
	double weight;
	uint32_t ticket;
	uint32_t pad;
};

enum wire_unused_reason {
	WIRE_UNUSED_TIME = 0,	  /* nobody used it here in time */
	WIRE_UNUSED_EPOCH = 1,	  /* a GC came first */
	WIRE_UNUSED_REPLACED = 2, /* the register went to a later object */
	WIRE_UNUSED_TRAPS = 3,	  /* stores only */
	WIRE_UNUSED_LOST = 4,	  /* object moved, or its content could not be read */
};

/* A watch that ended without a use. */
struct wire_unused {
	struct wire_rec rec;
	uint32_t context;
	uint32_t reason; /* wire_unused_reason */
};

/* ---- helpers for both sides ------------------------------------------------------------ */

static inline uint32_t wire_pad(uint64_t n)
{
	return (uint32_t)((n + WIRE_ALIGN - 1) & ~(uint64_t)(WIRE_ALIGN - 1));
}

/* How many of an object's positions (fields or elements) are kept as slots. */
static inline uint32_t wire_slots(uint64_t positions)
{
	return positions < WIRE_SLOTS ? (uint32_t)positions : WIRE_SLOTS;
}

/*
 * Which position slot k of an object stands for: all of them where they fit, otherwise a fixed
 * pseudo-random choice that depends on the number of positions alone, so that any two objects of
 * one size can be compared slot by slot. (splitmix64's finalizer.)
 */
static inline uint64_t wire_position(uint64_t positions, uint32_t k)
{
	if (positions <= WIRE_SLOTS)
		return k;
	uint64_t z = positions * 0x9e3779b97f4a7c15u + (k + 1) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (z ^ (z >> 31)) % positions;
}

#include "wire/wire_access.h"
#include "wire/wire_live_heap.h"

#endif
