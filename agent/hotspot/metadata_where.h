/* SPDX-License-Identifier: Apache-2.0 */
/* metadata_where.h - which Method last had a number. It may be gone. */
#ifndef OJX_METADATA_WHERE_H
#define OJX_METADATA_WHERE_H

#include <stdint.h>

/* [handler] */
void metadata_where_set(uint64_t number, uintptr_t method);

/* [handler] The Method; 0: unknown. */
uintptr_t metadata_where(uint64_t number);

#endif
