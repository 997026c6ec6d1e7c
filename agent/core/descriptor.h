/* SPDX-License-Identifier: Apache-2.0 */
/* descriptor.h - the agent's file descriptors in the program's table. */
#ifndef OJX_DESCRIPTOR_H
#define OJX_DESCRIPTOR_H

/*
 * [handler] Moves a new descriptor to a high number, out of the way of programs that count
 * descriptors or loop over the low ones. Returns the new one, or the old one on failure.
 */
int descriptor_move_up(int fd);

#endif
