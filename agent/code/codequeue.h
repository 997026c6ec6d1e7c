/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codequeue.h - hands code that handlers could not look up to the service thread, which decodes it.
 *
 * The queue is bounded. A request that finds it full is dropped; the handler asks again when it
 * meets the code again.
 */
#ifndef OJX_CODEQUEUE_H
#define OJX_CODEQUEUE_H

#include "code/codetable.h"

#define CODE_REQUESTS 64

struct code_request {
	_Atomic uint32_t state;
	uint64_t ip;		   /* address of the code */
	uint8_t len;		   /* bytes of the code at ip */
	uint8_t bytes[CODE_BYTES]; /* the first `len` are valid */
};

struct code_queue {
	struct code_request requests[CODE_REQUESTS];
	_Atomic uint32_t waiting;
};

/*
 * [handler] Begins a request for ip, which the caller fills in and sends. NULL if one is waiting
 * already, or the queue is full.
 */
struct code_request *code_queue_begin(struct code_queue *queue, uint64_t ip);
void code_queue_send(struct code_queue *queue, struct code_request *q);

/* Service thread: calls `answer` for each waiting request, which is freed afterwards. */
void code_queue_serve(struct code_queue *queue, void (*answer)(const struct code_request *q));

#endif
