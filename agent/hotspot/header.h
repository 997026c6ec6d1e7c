/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.h - whether an address of the heap is in the header of an object, of which nobody but the
 * compiler decides when it is accessed.
 */
#ifndef OJX_HEADER_H
#define OJX_HEADER_H

#include <stdint.h>

/*
 * [handler] Which part (wire_part) of an object the `size` bytes at `address`, of the heap, are;
 * content where that is not known. Good for as long as the epoch is.
 */
uint8_t header_part(uintptr_t address, uint32_t size);

#endif
