/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_chunks.h - marks in the chunks of fuzz_datafile.c's input, which make_seeds.c writes.
 */
#ifndef OJX_FUZZ_CHUNKS_H
#define OJX_FUZZ_CHUNKS_H

#define TO_PACK	    1u /* in place of the unpacked length: the fuzzer packs the payload */
#define NO_CHECKSUM 0u /* in place of the checksum: it stays wrong */

#endif
