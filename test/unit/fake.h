/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fake.h - the agent's end of the connection, for tests: well-behaved, unless the test is not.
 *
 * It implements docs/wire.md without the agent's code. A test may write anything through `shm` and
 * `base`; the tool must survive it.
 */
#ifndef OJX_TEST_FAKE_H
#define OJX_TEST_FAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "builder.h"
#include "wire/ring.h"
#include "wire/wire.h"

struct fake {
	int sock, memfd;
	struct wire_welcome welcome;
	struct wire_shm *shm;
	unsigned char *base; /* shm as bytes */
	struct wire_layout layout;
	struct ring_writer *rings;
	_Atomic uint16_t *own; /* of all rings */
};

/* A hello that is accepted. */
struct wire_hello fake_hello(void);

/* Connects to the socket at `path` and sends `len` bytes of `hello`. */
bool fake_connect(struct fake *f, const char *path, const struct wire_hello *hello, size_t len);

/* Receives the welcome (waits for it) and maps the memory; false if it is a refusal. */
bool fake_welcome(struct fake *f);

/* The address of the first byte behind the ring's head, as if there were a block. */
unsigned char *fake_head(const struct fake *f, uint32_t ring);

/* Unmaps and closes; the tool sees a JVM that has gone. */
void fake_close(struct fake *f);

struct wire_ring *fake_ring(const struct fake *f, uint32_t i);

/* Copies a record into a ring; false if it is full (counted as lost). */
bool fake_send(const struct fake *f, uint32_t ring, const struct wire_rec *rec);

/* Reserves room in the table of definitions and fills in the record, except its type. */
struct wire_rec *fake_reserve(const struct fake *f, const struct wire_rec *rec);
void fake_publish(struct wire_rec *reserved, uint16_t type);

/*
 * Empties the builder: definitions go to the table, events to the ring. Returns the number of
 * events that found no room.
 */
unsigned fake_send_all(const struct fake *f, uint32_t ring, struct builder *b);

void fake_state(const struct fake *f, enum wire_state state);
void fake_note(const struct fake *f, const char *text);

#endif
