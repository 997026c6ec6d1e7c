/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handshake.h - finding the tool, and making sure that it is the user's own.
 */
#ifndef OJX_HANDSHAKE_H
#define OJX_HANDSHAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

/* What the tool has answered. The descriptors are the caller's. */
struct handshake {
	int sock;
	int memfd; /* of the shared memory: sealed, of `size` bytes */
	uint64_t size;
};

/*
 * Connects to the socket at `path` and says hello. False where there is nobody, where it is not a
 * process of this user's or root's, where it refuses, or does not answer within some seconds.
 */
bool handshake(const char *path, const struct wire_hello *hello, struct handshake *h);

/* Tells the user, on standard error, why the JVM is not recorded. */
void handshake_complain(const char *path, const char *why);

#endif
