/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - the contract between the agent (in the JVM) and the tool.
 *
 * It holds the handshake on the control socket, the layout of the shared memory, and the records.
 * Records travel through the shared memory and go, unchanged, into ojx.data. Both sides include
 * this file and ring.h, and nothing else of each other. docs/wire.md explains the protocol.
 *
 * Bump OJX_WIRE_VERSION when a struct below or the shared memory changes size or meaning. The tool
 * refuses an agent of another version: both are installed together. Bump WIRE_RECORDS_VERSION, too,
 * when a record changes: the tool refuses a file of another version. New record types need no bump,
 * since a reader skips types that it does not know.
 *
 * Rules: fixed-width types, explicit padding, offsets instead of pointers. The tool treats all of
 * the shared memory as untrusted: it checks every length and offset before use.
 */
#ifndef OJX_WIRE_H
#define OJX_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#include "wire/secret.h"
#include "wire/wire_layout.h"
#include "wire/wire_rec.h"

#define OJX_WIRE_MAGIC	 0x31584a4fu /* "OJX1" */
#define OJX_WIRE_VERSION 10u
#define WIRE_TEXT	 64  /* name of the VM, its version, collector; always NUL-terminated */
#define WIRE_NOTE	 256 /* one line for the user */
#define WIRE_NOTES	 8
#define WIRE_MAX_STACK	 512 /* upper limit of --max-stack */
#define WIRE_GLOB	 256
#define WIRE_VALUE_TEXT	 64
#define WIRE_THREADS	 256 /* thread numbers, 0 included */
#define WIRE_THREAD_NAME 128 /* bytes of a thread's name; longer names are cut */

/* the name of all virtual threads and their carriers */
#define WIRE_VIRTUAL_THREADS "virtual threads"

/* ---- handshake ------------------------------------------------------------------------- */

/* Agent to tool, first and only message. */
struct wire_hello {
	uint32_t magic;
	uint32_t version;
	int32_t pid;	 /* as the JVM sees it; the tool uses SO_PEERCRED instead */
	int32_t refused; /* 0, or the wire_refusal why this JVM cannot be profiled */
	/* WIRE_BUSY: pid of the other tool, as the JVM sees it; 0: unknown, WIRE_GONE: ended */
	int32_t holder;
	/* WIRE_NO_ROOM: which RLIMIT; MB that it leaves; MB that the agent needs to be left */
	int32_t limit;
	uint32_t left_mb, need_mb;
	char vm_name[WIRE_TEXT];
	char vm_version[WIRE_TEXT];
};

enum wire_refusal {
	WIRE_ACCEPTED = 0,
	WIRE_NOT_HOTSPOT = 1,
	WIRE_TOO_OLD = 2, /* before JDK 11: no allocation sampling */
	/*
	 * Another agent has the allocation sampler. A tool that needs no allocations accepts all
	 * the same (WIRE_NO_OBJECTS).
	 */
	WIRE_NO_SAMPLING = 3,
	WIRE_BAD_VERSION = 5,  /* sent by the tool: versions of agent and tool differ */
	WIRE_TOO_MANY = 6,     /* sent by the tool: no room for another JVM */
	WIRE_BUSY = 7,	       /* another tool records this JVM */
	WIRE_NO_ROOM = 8,      /* a limit of memory is too near */
	WIRE_NO_VARIABLES = 9, /* handlers could not read thread-local variables */
};

#define WIRE_GONE (-1)

/*
 * Tool to agent. A message with verdict WIRE_ACCEPTED carries a descriptor (SCM_RIGHTS): the memfd
 * of the shared memory.
 */
struct wire_welcome {
	uint32_t magic;
	uint32_t version;
	uint32_t verdict;
	uint32_t pad;
	uint64_t shm_size;
	struct wire_secret secret; /* with WIRE_ACCEPTED; never in the shared memory */
};

/* ---- shared memory --------------------------------------------------------------------- */

enum wire_config_flags {
	WIRE_NO_WATCH = 1 << 0,
	WIRE_NO_SCAN = 1 << 1,
	WIRE_NO_PEEK = 1 << 2,	   /* a seccomp filter would kill a caller of process_vm_readv */
	WIRE_VALUES = 1 << 3,	   /* texts of strings may be sent; they can be secret */
	WIRE_EXACT = 1 << 4,	   /* every allocation is a sample of weight 1, at any cost */
	WIRE_NO_OBJECTS = 1 << 5,  /* allocations are not sampled */
	WIRE_LOCALITY = 1 << 6,	   /* accesses are sampled and matched to sampled objects */
	WIRE_NUMA = 1 << 7,	   /* the NUMA nodes of page and processor are recorded, too */
	WIRE_NO_CONTENTS = 1 << 8, /* no snapshots and no watches of sampled objects */
	WIRE_NO_PERF = 1 << 9,	   /* a seccomp filter would kill a caller of perf_event_open */
	WIRE_USES = 1 << 10,	   /* sampled accesses give uses of the objects they hit */
	WIRE_GOVERNED = 1 << 11,   /* the budget may lower the clock's rate below `hz` */
	WIRE_NO_TIMER = 1 << 12,   /* a seccomp filter would kill a caller of timer_create */
	WIRE_NO_PAGES = 1 << 13,   /* a seccomp filter would kill a caller of move_pages */
	WIRE_VERBOSE = 1 << 14,	   /* send notes of --verbose, too */
	WIRE_LIVES = 1 << 15,	   /* births and deaths of sampled objects are sent */
	WIRE_WINDOWS = 1 << 16,	   /* what new objects of all classes hold is sent */
};

enum wire_sampler {
	WIRE_SAMPLER_CLOCK = 0,	 /* a thread's CPU time; the agent predicts its next access */
	WIRE_SAMPLER_FAULTS = 1, /* the kernel's page faults */
	WIRE_SAMPLER_PMU = 2,	 /* a processor event that records the address */
	WIRE_SAMPLERS = 3,
};

#define WIRE_EVENTS 4

/* What samples accesses: how to open a perf event. The clock uses only `period` or `hz`. */
struct wire_event {
	uint32_t sampler; /* wire_sampler */
	uint32_t type;	  /* this and the following: as in perf_event_attr */
	uint32_t precise; /* precise_ip */
	uint32_t kernel;  /* 1: exclude_kernel must be 0, since the PMU does not support it */
	uint64_t config, config1, config2;
	uint64_t sample_type;
	uint64_t period; /* sample every `period` events (clock: ns of CPU time); 0: use `hz` */
	uint64_t hz;	 /* samples a second */
};

/* Written by the tool before it hands the memory over; constant afterwards. */
struct wire_config {
	double budget;	    /* percent of the process's CPU time */
	uint64_t interval;  /* bytes between allocation samples; 0: the governor chooses */
	uint64_t seed;	    /* of the agent's random numbers */
	uint32_t max_stack; /* frames, 1..WIRE_MAX_STACK */
	uint32_t delay_ms;  /* recording starts this long after the JVM did */
	uint32_t flags;	    /* wire_config_flags */
	uint32_t waste;	    /* wasteful operations to search for: bits 1 << enum wire_waste_kind */
	/* valid entries of event[], opened for each thread; 0: accesses are not sampled */
	uint32_t nevents;
	uint32_t min_size; /* bytes; smaller objects are not followed (WIRE_LOCALITY) */
	double tolerance; /* floating-point values are equal if they differ by at most this share */
	/*
	 * The seccomp state of the tool, as in /proc/self/status, under which it found out which
	 * calls kill; -1: unknown.
	 */
	int32_t seccomp_mode;
	int32_t seccomp_filters;
	struct wire_event event[WIRE_EVENTS];
	/* record only objects of matching classes (Java names); empty: all */
	char class_glob[WIRE_GLOB];
};

enum wire_engine {
	WIRE_ENGINE_WATCH = 1 << 0,
	WIRE_ENGINE_SCAN = 1 << 1,
	WIRE_ENGINE_EXACT = 1 << 2, /* not a source of content: every allocation is counted */
};

/* What is known of the JVM's options. */
enum wire_jvm_flags {
	WIRE_JVM_DEDUPLICATES = 1 << 0, /* UseStringDeduplication is on */
	WIRE_JVM_COLLECTIONS = 1 << 1,	/* wire_status has its collections, not only its pauses */
};

enum wire_state {
	WIRE_STARTING = 0,
	WIRE_RECORDING = 1,
	WIRE_STOPPED = 2, /* on request, or the JVM is ending; everything has been sent */
};

/* What the agent spent, in nanoseconds; each field is the sum over all threads. */
struct wire_cost {
	_Atomic uint64_t callback_ns; /* allocation callbacks */
	_Atomic uint64_t counted_ns;  /* of these, samples that were only counted */
	_Atomic uint64_t trap_ns;     /* traps, with the calibrated share of the kernel */
	_Atomic uint64_t tick_ns;     /* of these, ticks of the sampling clock: tickcost.h */
	/* CPU time of the service thread, and of other threads for the beginning and the end */
	_Atomic uint64_t service_ns;
	_Atomic uint64_t pause_ns; /* wall-clock time added to GC pauses */
	_Atomic uint64_t cpu_ns;   /* of the process, since it began or the agent was attached */
	_Atomic uint64_t wall_ns;  /* since recording began */
};

/* Written by the agent; the tool reads it at any time. Counters only grow. */
struct wire_status {
	_Atomic uint32_t state;	    /* wire_state */
	_Atomic uint32_t engines;   /* wire_engine bits that are in use */
	_Atomic uint32_t notes;	    /* valid entries of note[] (release) */
	_Atomic uint32_t epoch;	    /* GC pauses seen */
	_Atomic uint32_t jvm_flags; /* wire_jvm_flags */
	uint32_t pad;
	_Atomic uint64_t sampled; /* allocation samples taken */
	_Atomic uint64_t scanned; /* objects of which a snapshot was taken */
	_Atomic uint64_t skipped; /* sampled objects that no scan reached in time */
	_Atomic uint64_t armed;	  /* watches armed */
	_Atomic uint64_t used;	  /* watches that gave a use */
	_Atomic uint64_t traps;
	_Atomic uint64_t ticks;	  /* samples of accesses in Java code */
	_Atomic uint64_t located; /* ticks whose access to the heap was found */
	/* located samples that were watched until the second access */
	_Atomic uint64_t wasted;
	/* located samples whose predicted address was then accessed */
	_Atomic uint64_t trapped;
	/* trapped samples whose predicted instruction accessed first */
	_Atomic uint64_t predicted;
	_Atomic uint64_t undecoded;	       /* traps whose instruction was not decoded */
	_Atomic uint64_t stack_errors;	       /* stacks of accesses that could not be walked */
	_Atomic uint64_t refused[WIRE_LIMITS]; /* by each bound; UNREAD: see wire_ring */
	_Atomic uint64_t counted;  /* samples that were only counted, see WIRE_ALLOC_COUNTED */
	_Atomic uint64_t interval; /* bytes between allocation samples, in force now */
	/* collections while recorded by the VM's own count; see WIRE_JVM_COLLECTIONS */
	_Atomic uint64_t collections;
	_Atomic uint64_t paused_ns; /* wall-clock time of the pauses, without what the agent adds */
	/* the longest addition to one pause by the clock, and the most CPU time in one */
	_Atomic uint64_t max_pause_ns, max_pause_work_ns;
	struct wire_cost cost;
	char vm_name[WIRE_TEXT];
	char vm_version[WIRE_TEXT];
	char gc[WIRE_TEXT];
	char note[WIRE_NOTES][WIRE_NOTE];
};

/* Head and tail count bytes since the start; each has one writer and its own cache line. */
struct wire_ring {
	_Alignas(64) _Atomic uint64_t head; /* agent, release: bytes written */
	_Atomic uint64_t lost;		    /* agent: events that found no room */
	_Alignas(64) _Atomic uint64_t tail; /* tool, release: bytes read */
};

struct wire_shm {
	uint32_t magic;
	uint32_t version;
	struct wire_layout layout; /* the agent copies it; constant, like config */
	struct wire_config config;
	_Alignas(64) _Atomic uint32_t stop; /* tool: end recording */
	_Atomic uint64_t tool_ns; /* tool: its CPU time so far, in the memory of the first JVM */
	_Alignas(64) _Atomic uint64_t
		defs_tail; /* agent: bytes reserved, counted once a record's length is written */
	_Alignas(64) struct wire_status status;
};

/* ---- records --------------------------------------------------------------------------- */

enum wire_type {
	WIRE_PAD = 1, /* skip: the rest of the block */

	/* definitions; ids are per JVM and begin at 1; 0 means "other, unknown" */
	WIRE_CLASS = 16,
	WIRE_METHOD = 17,
	WIRE_STACK = 18,
	WIRE_CONTEXT = 19,
	WIRE_THREAD = 20,
	WIRE_LOADS = 21,
	WIRE_LAST_DEFINITION = WIRE_LOADS,

	/* events */
	WIRE_ALLOC = 32,
	WIRE_SNAPSHOT = 33,
	WIRE_USE = 34,
	WIRE_UNUSED = 35,
	WIRE_VALUE = 36,
	WIRE_WASTE = 37,
	WIRE_ACCESS = 38,
	/* 39 to 43: see wire_rec.h */
	/* 44 to 46 were of another record and are not used again */
	WIRE_ALLOC_COUNTED = 47,
	/* 48 and 49: see wire_rec.h */
	WIRE_CALLERS = 50,
	WIRE_LAST_EVENT = WIRE_CALLERS,

	/* 64 and up: only in ojx.data, see wire_file.h */
};

/*
 * A class. After the name come its fields: one wire_field for each instance field, inherited ones
 * included, ordered by offset. These fields are the positions of its content. An array has no
 * wire_field: its positions are its elements.
 */
struct wire_class {
	struct wire_rec rec;
	uint32_t id;
	uint32_t nfields;
	uint16_t signature_len; /* bytes of text: JVM signature, e.g. "[I", "Ljava/lang/String;" */
	uint16_t flags;
	uint32_t element_size; /* bytes of an array's element; 0 for other classes */
	/* char signature[signature_len], padded to 8; then wire_field[nfields] */
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
	uint16_t signature_len; /* of the field's whole signature; 0: not sent, `type` is enough */
	uint16_t pad2;
	/* char name[], char declarer[], char signature[], padded together to 8 */
};

enum wire_method_flags {
	WIRE_METHOD_LOADER = 1 << 0,   /* it is known which loader loaded its class */
	WIRE_METHOD_PLATFORM = 1 << 1, /* the boot or the platform loader, or a module of the JDK */
	/* the first three of these as its class file has them */
	WIRE_METHOD_STATIC = 1 << 2,
	WIRE_METHOD_SYNTHETIC = 1 << 3,
	WIRE_METHOD_BRIDGE = 1 << 4,
	WIRE_METHOD_ENUM = 1 << 5, /* its class is an enum, and no body of a constant */
};

/* A method. It is sent before, or soon after, the first stack that names it. */
struct wire_method {
	struct wire_rec rec;
	uint64_t method;    /* a number that the agent gave it, as in wire_frame */
	uint16_t class_len; /* JVM signature of the class */
	uint16_t name_len;
	uint16_t descriptor_len;
	uint16_t file_len; /* 0: no source file known */
	uint32_t nlines;
	uint32_t flags; /* wire_method_flags */
	/* the four texts in this order, padded to 8; then wire_line[nlines], ordered by bci */
};

struct wire_line {
	uint16_t bci;
	uint16_t line;
};

/* What an instruction loads: a field of an object, or an element of an array of these. */
enum wire_loaded {
	WIRE_LOADED_FIELD = 1 << 0,
	WIRE_LOADED_REF = 1 << 1,
	WIRE_LOADED_BYTE = 1 << 2, /* or boolean */
	WIRE_LOADED_CHAR = 1 << 3,
	WIRE_LOADED_SHORT = 1 << 4,
	WIRE_LOADED_INT = 1 << 5,
	WIRE_LOADED_LONG = 1 << 6,
	WIRE_LOADED_FLOAT = 1 << 7,
	WIRE_LOADED_DOUBLE = 1 << 8,
};

/* What the lines of a method load, by its bytecodes. It follows the method, if that is known. */
struct wire_loads {
	struct wire_rec rec;
	uint64_t method;
	uint32_t n; /* wire_method.nlines */
	uint32_t pad;
	/* wire_load[n], for each wire_line, up to the next one; padded to 8 */
};

struct wire_load {
	uint16_t loaded; /* enum wire_loaded */
};

struct wire_frame {
	uint64_t method; /* 0: marks that the `bci` frames before this one repeat from here on */
	int32_t bci;	 /* -1 unknown, -3 native */
	uint32_t pad;
};

enum wire_stack_flags {
	/* frames towards the root are missing: beyond max_stack, or as the last two flags say */
	WIRE_STACK_CUT = 1 << 0,
	WIRE_STACK_FAILED = 1 << 1,  /* the stack could not be walked: no frames */
	WIRE_STACK_COUNTED = 1 << 2, /* of an object that is only counted: no callers of its line */
	WIRE_STACK_SHORT = 1 << 3,   /* few callers of its line, for lack of room */
};

/* A calling context, innermost frame first; repeated cycles are folded. */
struct wire_stack {
	struct wire_rec rec;
	uint32_t id;
	uint16_t nframes;
	uint16_t flags;
	/* struct wire_frame frames[nframes] */
};

/* An allocation context: objects of one class that are allocated at one calling context. */
struct wire_context {
	struct wire_rec rec;
	uint32_t id;
	uint32_t class_id;
	uint32_t stack_id;
	uint32_t pad;
};

/*
 * A thread's number. Threads of the same name share it. If a program has many names, threads whose
 * names differ only in digits share a number, too; '*' stands for these digits.
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
	uint32_t array_length; /* 0 for objects that are not arrays */
	uint64_t size;	       /* bytes, header and padding included */
	double weight;	       /* objects it stands for, as a sample */
};

/*
 * The whole stack of the allocation before this record was taken by chance: had the object only
 * been counted, its stack would have ended at the line. So its callers stand for those of others.
 * With probability p it was kept; `bytes` is (1 - p) / p times what the sample stands for, so that
 * the sum's expectation is what the stacks have that end at the line.
 */
struct wire_callers {
	struct wire_rec rec;
	uint32_t context;
	uint32_t pad;
	double bytes;
};

/*
 * ---- what of a recording's cost no clock sees. This is the one place where that stands: the
 * agent keeps it within the budget, and reports show it. Clocks see the agent's callbacks,
 * traps and thread, and the tool. They do not see that the program runs slower afterwards,
 * with other data in the caches and other predictions of branches, nor what HotSpot does
 * itself around a callback. A run cannot measure that on itself: it is a percent or two of a
 * program's time, whose speed changes more from second to second. So both figures are from
 * outside: they were chosen from runs of programs beside plain ones at the same moment
 * (docs/agent.md). `make bench` compares what such programs pay with what was told.
 */

/* The cost of a measured nanosecond, with what follows from it; */
#define WIRE_COST_TIMES 1.8

/* and HotSpot's own work for a sampled allocation, ns. */
#define WIRE_COST_SAMPLE_NS 800.0

/*
 * The whole cost, ns, of `ns` measured ones that took `samples` allocations. Ticks of the sampling
 * clock are not among these: they are measured with what they do to the caches (docs/samplers.md).
 */
static inline double wire_cost_whole(double ns, double samples)
{
	return WIRE_COST_TIMES * ns + WIRE_COST_SAMPLE_NS * samples;
}

#endif
