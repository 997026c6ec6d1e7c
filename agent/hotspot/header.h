/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.h - whether an address of the heap is in an object's header. Compilers alone decide when a
 * header is accessed, not the program.
 */
#ifndef OJX_HEADER_H
#define OJX_HEADER_H

#include <stdint.h>

/*
 * [handler] The part (wire_part) of an object at `address` (in the heap, `size` bytes); content if
 * unknown. Valid in the current epoch.
 */
uint8_t header_part(uintptr_t address, uint32_t size);

#endif
