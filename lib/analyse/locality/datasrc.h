/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datasrc.h - what a processor tells of a sampled access: the kernel's PERF_SAMPLE_DATA_SRC, taken
 * apart.
 *
 * Kernels since 4.11 name the level by a number; older ones, and some processors' drivers, by a set
 * of bits. Both are understood, the number before the bits.
 */
#ifndef OJX_DATASRC_H
#define OJX_DATASRC_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"

/* Where the access found its data; false where the processor did not tell. */
bool datasrc_level(uint64_t data_src, enum file_level *level);

/* Whether the address was found in no level of the TLB, so that tables had to be walked; false
 * where it was not told. */
bool datasrc_walk(uint64_t data_src, bool *walk);

/* "L1", "fill buffer", ... "other". */
const char *datasrc_level_name(enum file_level level);

#endif
