/* SPDX-License-Identifier: Apache-2.0 */
/* alive_table.c - see alive_private.h. */
#include "heap/alive_private.h"

struct alive_table alive_table;

bool alive_is_held(const struct alive_held *e)
{
	return atomic_load_explicit(&e->state, memory_order_acquire) == ALIVE_HELD;
}
