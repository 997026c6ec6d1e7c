/* SPDX-License-Identifier: Apache-2.0 */
/*
 * datasrc.h - decodes what a processor reports about a sampled access: the kernel's
 * PERF_SAMPLE_DATA_SRC.
 *
 * Kernels since 4.11 give the level as a number; older ones, and the drivers of some processors, as
 * a set of bits. The number takes precedence.
 */
#ifndef OJX_DATASRC_H
#define OJX_DATASRC_H

#include <stdbool.h>
#include <stdint.h>

#include "file/datafile.h"

/* Where the access found its data; false if the processor did not report it. */
bool datasrc_level(uint64_t data_src, enum file_level *level);

/*
 * Whether the address missed all levels of the TLB, so that a page walk was necessary. False if the
 * processor did not report it.
 */
bool datasrc_walk(uint64_t data_src, bool *walk);

/* "L1", "fill buffer", ... "other". */
const char *datasrc_level_name(enum file_level level);

#endif
