/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.h - where code and heap are. */
#ifndef OJX_RANGES_H
#define OJX_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vmstructs;

/* At start; `vm` is to stay. */
void ranges_init(const struct vmstructs *vm);

/* [handler] Whether it is in compiled code, the interpreter or a stub. */
bool ranges_in_code(uint64_t ip);

/* [handler] Whether bytes can be of the heap. */
bool ranges_in_heap(uintptr_t address, size_t size);

#endif
