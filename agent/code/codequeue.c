/* SPDX-License-Identifier: Apache-2.0 */
/* codequeue.c - see codequeue.h. */
#include "code/codequeue.h"

enum request_state { REQUEST_FREE, REQUEST_FILLING, REQUEST_READY };

struct code_request *code_queue_begin(struct code_queue *queue, uint64_t ip)
{
	for (uint32_t i = 0; i < CODE_REQUESTS; i++)
		if (atomic_load(&queue->requests[i].state) == REQUEST_READY &&
		    queue->requests[i].ip == ip)
			return NULL;
	for (uint32_t i = 0; i < CODE_REQUESTS; i++) {
		struct code_request *q = &queue->requests[i];
		uint32_t free = REQUEST_FREE;
		if (!atomic_compare_exchange_strong(&q->state, &free, REQUEST_FILLING))
			continue;
		q->ip = ip;
		return q;
	}
	return NULL;
}

void code_queue_send(struct code_queue *queue, struct code_request *q)
{
	atomic_store(&q->state, REQUEST_READY);
	atomic_fetch_add(&queue->waiting, 1);
}

void code_queue_serve(struct code_queue *queue, void (*answer)(const struct code_request *q))
{
	if (atomic_load(&queue->waiting) == 0)
		return;
	for (uint32_t i = 0; i < CODE_REQUESTS; i++) {
		struct code_request *q = &queue->requests[i];
		if (atomic_load(&q->state) != REQUEST_READY)
			continue;
		answer(q);
		atomic_fetch_sub(&queue->waiting, 1);
		atomic_store(&q->state, REQUEST_FREE);
	}
}
