/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_limits.h - a part of wire.h: what bounds a recording. Nothing in a JVM grows without end, so
 * each table refuses what it has no room for. The agent counts that by table; lib/model/limits.c
 * says what it means, and what to do.
 */
#ifndef OJX_WIRE_LIMITS_H
#define OJX_WIRE_LIMITS_H

/* What the agent's tables hold. */
#define WIRE_MOST_THREADS      1024u
#define WIRE_MOST_CLASSES      65536u
#define WIRE_MOST_CLASS_NAMES  8192u
#define WIRE_MOST_METHODS      65536u
#define WIRE_MOST_STACKS       65536u
#define WIRE_MOST_CONTEXTS     87040u
#define WIRE_MOST_SIZES	       16384u
#define WIRE_MOST_THREAD_NAMES 255u
#define WIRE_MOST_EVENTS       1024u

enum wire_limit {
	/* events that are lost */
	WIRE_LIMIT_RINGS,   /* their thread had no ring */
	WIRE_LIMIT_UNREAD,  /* their ring was full: the tool had not read it */
	WIRE_LIMIT_THREADS, /* their thread had no structure in the agent */
	WIRE_LIMIT_WAITING, /* samples of accesses that were to wait for the service thread */
	/* definitions that are lost */
	WIRE_LIMIT_DEFINITIONS, /* the table of all of them was full */
	WIRE_LIMIT_CLASSES,	/* counted by samples */
	WIRE_LIMIT_CLASS_NAMES, /* the same, of classes of which only the name is sent */
	WIRE_LIMIT_METHODS,
	WIRE_LIMIT_STACKS,
	WIRE_LIMIT_CONTEXTS,
	/* what is not looked at */
	WIRE_LIMIT_THREAD_NAMES,
	WIRE_LIMIT_SIZES,	/* samples of another size of a context: no watch */
	WIRE_LIMIT_DESCRIPTORS, /* perf events that were not opened for want of descriptors */
	WIRE_LIMIT_MEMORY,	/* memory that the agent asked for and did not get */
	WIRE_LIMITS
};

/* Those before it count what is lost. */
#define WIRE_LIMIT_LOST WIRE_LIMIT_THREAD_NAMES

#endif
