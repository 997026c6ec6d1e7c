/* SPDX-License-Identifier: Apache-2.0 */
/*
 * windows.h - the population that sampled objects come from: copies of stretches of eden.
 *
 * When a collection begins, a *window* of fixed size is copied from each of some sampled objects
 * on (young.h says how far that goes). What is in it is found out later, on the service thread
 * (population.h). An object is in a window as likely as bytes before it are sampled, whatever it
 * holds; so the windows that are taken in a pause are thinned to one rate for all bytes.
 */
#ifndef OJX_WINDOWS_H
#define OJX_WINDOWS_H

#include "core/state.h"

#define WINDOWS	      64u
#define WINDOW_BYTES  16384u
#define WINDOW_LARGE  4096u /* bytes; larger objects begin no window, but others may follow them */
#define WINDOW_CHECKS 4u

/* A sampled object that must be found where it is. */
struct window_check {
	uint32_t offset; /* from the window's start */
	uint32_t class_id;
};

struct window {
	_Atomic uint32_t state; /* window_state */
	uint32_t pause;		/* number of the pause that it is from, from 1 on */
	uintptr_t at;
	uint32_t bytes;
	bool whole;   /* WINDOW_BYTES of it */
	bool sampled; /* its first object is the sampled one */
	uint32_t context, class_id, array_length, ticket;
	uint16_t thread;
	double weight;	/* objects like its first one that it stands for */
	double spacing; /* bytes allocated from window to window, where it was taken */
	uint32_t nchecks;
	struct window_check checks[WINDOW_CHECKS];
	unsigned char *copy;
};

enum window_state { WINDOW_FREE, WINDOW_FULL };

/* At VMInit, if the young generation is understood. False where memory lacks. */
bool windows_init(void);

/* What reading windows may cost on the service thread until the next call, ns. */
void windows_grant(uint64_t ns);

/* What reading one has cost, ns: so many are taken as can be paid. Service thread. */
void windows_cost(uint64_t ns);

/* [pause] Takes windows of objects of `epoch` that were allocated before `youngest`, until
 * `deadline`. */
void windows_gc_start(uint64_t epoch, uint64_t youngest, uint64_t deadline);

/* No more windows are taken. */
void windows_stop(void);

/* Window i of WINDOWS. */
struct window *windows_get(uint32_t i);

#endif
