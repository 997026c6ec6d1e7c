/* SPDX-License-Identifier: Apache-2.0 */
/* ranges.h - address ranges of code and heap. */
#ifndef OJX_RANGES_H
#define OJX_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vmstructs;

/* At start. `vm` must stay valid. */
void ranges_init(const struct vmstructs *vm);

/* [handler] Whether an address is in compiled code, the interpreter or a stub. */
bool ranges_in_code(uint64_t ip);

/* [handler] Whether these bytes may lie in the heap. */
bool ranges_in_heap(uintptr_t address, size_t size);

#endif
