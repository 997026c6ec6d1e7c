/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codequeue.h - code that handlers met and could not look up, on its way to the service thread,
 * which decodes it.
 *
 * Bounded: what finds the queue full asks again when it comes by the next time.
 */
#ifndef OJX_CODEQUEUE_H
#define OJX_CODEQUEUE_H

#include "code/codetable.h"

#define CODE_REQUESTS 64

struct code_request {
	_Atomic uint32_t state;
	uint64_t ip;		   /* what is asked about */
	uint8_t len;		   /* of the code at ip */
	uint8_t bytes[CODE_BYTES]; /* `len` of them */
};

struct code_queue {
	struct code_request requests[CODE_REQUESTS];
	_Atomic uint32_t waiting;
};

/* [handler] A request about ip, to be filled in and sent; NULL where one is waiting already, or the
 * queue is full. */
struct code_request *code_queue_begin(struct code_queue *queue, uint64_t ip);
void code_queue_send(struct code_queue *queue, struct code_request *q);

/* Service thread: calls `answer` for each request that is waiting, which is forgotten then. */
void code_queue_serve(struct code_queue *queue, void (*answer)(const struct code_request *q));

#endif
