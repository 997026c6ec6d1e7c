/* SPDX-License-Identifier: Apache-2.0 */
/* live_heap_table.c - see live_heap_table.h. */
#include "heap/live_heap_table.h"

struct live_heap_table live_heap_table = { .room = ALIVE_MAX };

bool live_heap_is_held(const struct live_heap_held *e)
{
	return atomic_load_explicit(&e->state, memory_order_acquire) == ALIVE_HELD;
}
