/* SPDX-License-Identifier: Apache-2.0 */
/* handshake.h - finds the tool and makes sure that it belongs to this user. */
#ifndef OJX_HANDSHAKE_H
#define OJX_HANDSHAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* The tool's answer. The caller owns the descriptors. */
struct handshake {
	int sock;
	int memfd;    /* the shared memory: sealed, `size` bytes */
	int32_t tool; /* its pid, as this process sees it; 0: unknown */
	uint64_t size;
	struct wire_secret secret;
};

/*
 * Connects to the socket at `path` and says hello. False if nobody listens there, if the process
 * there is neither this user's nor root's, if it refuses, or if it does not answer within some
 * seconds.
 */
bool handshake(const char *path, const struct wire_hello *hello, struct handshake *h);

/* Says to the tool at `path` that this JVM cannot be profiled, and why. */
void handshake_refuse(const char *path, const struct wire_hello *hello);

/* Tells the user, on standard error, why the JVM is not recorded. */
void handshake_complain(const char *path, const char *why);

/* ---- the agent's file descriptors in the program's table. */

/*
 * [handler] Moves a new descriptor to a high number, out of the way of programs that count
 * descriptors or loop over the low ones. Returns the new one, or the old one on failure.
 */
int descriptor_move_up(int fd);

#endif
