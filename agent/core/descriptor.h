/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descriptor.h - descriptors of ours among those of the program.
 */
#ifndef OJX_DESCRIPTOR_H
#define OJX_DESCRIPTOR_H

/*
 * Moves a descriptor that was opened just now out of the way of programs that count descriptors,
 * or go through the first ones. Returns the new one, or the old one where that fails.
 */
int descriptor_move_up(int fd);

#endif
