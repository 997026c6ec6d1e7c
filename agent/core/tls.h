/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tls.h - whether thread-local variables can be read in handlers.
 *
 * They are reached through descriptors, which both C libraries know. musl's gives each thread its
 * variables when the agent is loaded. glibc's has room for some libraries that are loaded late, and
 * a thread's variables are there from its start. A library that finds no more room gets those of a
 * thread by malloc at the first touch, which a handler may not do.
 */
#ifndef OJX_TLS_H
#define OJX_TLS_H

#include <stdbool.h>

/* Starts a thread for a moment, if the C library is glibc. */
bool tls_is_there(void);

#endif
