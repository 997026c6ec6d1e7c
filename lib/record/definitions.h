/* SPDX-License-Identifier: Apache-2.0 */
/*
 * definitions.h - what a JVM has defined (classes, methods, stacks, contexts, threads), kept for
 * recordings of several files.
 *
 * An agent sends a definition once, and each file must be readable alone. So the definitions are
 * kept as they came, and a file gets those that its records name, just before the first record that
 * does. What is kept is at most what the agent's table of definitions has room for. Which fields
 * name definitions follows from the fields' names in record_table.h.
 */
#ifndef OJX_DEFINITIONS_H
#define OJX_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct definitions;

/* NULL if out of memory. Release with definitions_free. */
struct definitions *definitions_new(void);
void definitions_free(struct definitions *d);

typedef void definitions_take(const struct wire_rec *rec, uint32_t len, void *arg);

/*
 * A record of the agent that is about to be written to the present file. Passes on the definitions
 * that it names, and that the file does not have yet, those that others name first. A definition is
 * kept, and the file has it from now on. A record of impossible form is left alone.
 */
void definitions_before(struct definitions *d, const struct wire_rec *rec, uint32_t len,
			definitions_take *take, void *arg);

/*
 * The next file begins, which has none. The one before, its tail, may still lack methods: an agent
 * names them some milliseconds after it has sent the stack.
 */
void definitions_next_file(struct definitions *d);

/* Whether the tail still lacks a method. After definitions_give_up it does not wait any more. */
bool definitions_lacks(const struct definitions *d);
void definitions_give_up(struct definitions *d);

/* Bytes of the records that are kept. */
uint64_t definitions_bytes(const struct definitions *d);

/*
 * Asked at the end of a file: whether the agent had better begin anew. Either its tables
 * (docs/wire.md has their bounds) are so full that soon not everything has a name of its own; or
 * most of what they have is of classes, stacks and threads that do not come any more, as this file
 * and the two before it name only a quarter of it, and it is enough for their memory to be of use.
 * One file may be short, or the program idle.
 */
bool definitions_worn(const struct definitions *d);

#endif
