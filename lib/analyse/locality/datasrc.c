/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datasrc.c - see datasrc.h. The bit positions are those of union perf_mem_data_src in the kernel's
 * interface.
 */
#include "analyse/locality/datasrc.h"

enum {
	LVL_SHIFT = 5,
	LVL_BITS = 14,
	TLB_SHIFT = 26,
	TLB_BITS = 7,
	NUM_SHIFT = 33,
	NUM_BITS = 4,
	REMOTE_SHIFT = 37,
};

/* Levels as bits of a set. */
enum {
	LVL_NA = 0x01,
	LVL_L1 = 0x08,
	LVL_FILL = 0x10,
	LVL_L2 = 0x20,
	LVL_L3 = 0x40,
	LVL_LOCAL_MEMORY = 0x80,
	LVL_REMOTE = 0x100 | 0x200 | 0x400 | 0x800, /* memory and caches, one or two hops away */
};

/* Levels as numbers. */
enum {
	NUM_L1 = 0x01,
	NUM_L2 = 0x02,
	NUM_L3 = 0x03,
	NUM_L4 = 0x04,
	NUM_L2_MHB = 0x05,
	NUM_CXL = 0x09,
	NUM_ANY_CACHE = 0x0b,
	NUM_FILL = 0x0c,
	NUM_MEMORY = 0x0d,
	NUM_PMEM = 0x0e,
	NUM_NA = 0x0f,
};

/* Bits for the TLB. */
enum {
	TLB_NA = 0x01,
	TLB_HIT = 0x02,
	TLB_L1 = 0x08,
	TLB_L2 = 0x10,
};

static unsigned bits(uint64_t data_src, unsigned shift, unsigned n)
{
	return (unsigned)(data_src >> shift & ((1u << n) - 1));
}

static bool level_of_number(unsigned number, bool remote, enum file_level *level)
{
	switch (number) {
	case NUM_L1:
		*level = FILE_L1;
		return true;
	case NUM_FILL:
	case NUM_L2_MHB:
		*level = FILE_FILL;
		return true;
	case NUM_L2:
		*level = FILE_L2;
		return true;
	case NUM_L3:
	case NUM_L4:
	case NUM_ANY_CACHE:
		*level = remote ? FILE_REMOTE : FILE_L3;
		return true;
	case NUM_MEMORY:
	case NUM_PMEM:
		*level = remote ? FILE_REMOTE : FILE_MEMORY;
		return true;
	case NUM_CXL:
		*level = FILE_REMOTE;
		return true;
	case 0: /* a kernel without numbers */
	case NUM_NA:
		return false;
	default:
		*level = FILE_OTHER;
		return true;
	}
}

bool datasrc_level(uint64_t data_src, enum file_level *level)
{
	unsigned set = bits(data_src, LVL_SHIFT, LVL_BITS);
	bool remote = bits(data_src, REMOTE_SHIFT, 1) || set & LVL_REMOTE;

	if (level_of_number(bits(data_src, NUM_SHIFT, NUM_BITS), remote, level))
		return true;
	if (!set || set & LVL_NA)
		return false;
	*level = set & LVL_REMOTE	  ? FILE_REMOTE
		 : set & LVL_LOCAL_MEMORY ? FILE_MEMORY
		 : set & LVL_L3		  ? FILE_L3
		 : set & LVL_L2		  ? FILE_L2
		 : set & LVL_FILL	  ? FILE_FILL
		 : set & LVL_L1		  ? FILE_L1
					  : FILE_OTHER;
	return true;
}

bool datasrc_walk(uint64_t data_src, bool *walk)
{
	unsigned set = bits(data_src, TLB_SHIFT, TLB_BITS);

	*walk = !(set & TLB_HIT && set & (TLB_L1 | TLB_L2));
	return set && !(set & TLB_NA);
}

const char *datasrc_level_name(enum file_level level)
{
	switch (level) {
	case FILE_L1:
		return "L1";
	case FILE_FILL:
		return "fill buffer";
	case FILE_L2:
		return "L2";
	case FILE_L3:
		return "L3";
	case FILE_MEMORY:
		return "memory";
	case FILE_REMOTE:
		return "remote";
	default:
		return "other";
	}
}
