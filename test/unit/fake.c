/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c - see fake.h. */
#define _GNU_SOURCE
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "wire/ring.h"
struct wire_hello fake_hello(void)
{
	return (struct wire_hello){ .magic = OJX_WIRE_MAGIC,
				    .version = OJX_WIRE_VERSION,
				    .pid = getpid(),
				    .vm_name = "Fake VM",
				    .vm_version = "1.2.3" };
}

bool fake_connect(struct fake *f, const char *path, const struct wire_hello *hello, size_t len)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	*f = (struct fake){ .sock = -1, .memfd = -1 };
	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	f->sock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return f->sock >= 0 && connect(f->sock, (struct sockaddr *)&address, sizeof address) == 0 &&
	       send(f->sock, hello, len, MSG_NOSIGNAL) == (ssize_t)len;
}

/*
 * Each ring has as many blocks as slots and uses them in turn, so nothing needs to be given back. A
 * real agent has fewer blocks than slots.
 */
static const struct ring_writer *sender;
static uint32_t sender_first, all_blocks;

static void use_blocks(const struct fake *f, uint32_t ring)
{
	const struct wire_layout *l = &f->layout;

	sender = &f->rings[ring];
	sender_first = ring == 0 ? 0 : l->service_slots + (ring - 1) * l->ring_slots;
	all_blocks = l->blocks;
}

static int take_block(void)
{
	return (int)((sender_first + sender->head / sender->block % sender->slots) % all_blocks);
}

static void give_block(uint32_t block)
{
	(void)block;
}

static const struct ring_pool pool = { take_block, give_block };

static bool make_writers(struct fake *f)
{
	const struct wire_layout *l = &f->layout;
	uint64_t first = l->maps_offset;

	f->own = calloc(1, wire_layout_map(l, l->rings) - first);
	f->rings = calloc(l->rings, sizeof *f->rings);
	if (!f->own || !f->rings)
		return false;
	for (uint32_t i = 0; i < l->rings; i++) {
		uint64_t map = wire_layout_map(l, i);
		f->rings[i].ring = fake_ring(f, i);
		f->rings[i].map = (_Atomic uint16_t *)(f->base + map);
		f->rings[i].own = f->own + (map - first) / sizeof *f->own;
		f->rings[i].blocks = f->base + l->blocks_offset;
		f->rings[i].slots = wire_layout_slots(l, i);
		f->rings[i].block = wire_layout_block(l);
	}
	return true;
}

bool fake_welcome(struct fake *f)
{
	union {
		char space[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = &f->welcome, .iov_len = sizeof f->welcome };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof control };
	if (recvmsg(f->sock, &msg, MSG_CMSG_CLOEXEC | MSG_WAITALL) != sizeof f->welcome)
		return false;
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	if (!c || c->cmsg_type != SCM_RIGHTS || c->cmsg_len != CMSG_LEN(sizeof f->memfd))
		return false;
	memcpy(&f->memfd, CMSG_DATA(c), sizeof f->memfd);
	void *p = mmap(NULL, f->welcome.shm_size, PROT_READ | PROT_WRITE, MAP_SHARED, f->memfd, 0);
	if (p == MAP_FAILED)
		return false;
	f->base = p;
	f->shm = p;
	f->layout = f->shm->layout;
	return make_writers(f);
}

void fake_close(struct fake *f)
{
	if (f->base)
		munmap(f->base, f->welcome.shm_size);
	if (f->sock >= 0)
		close(f->sock);
	if (f->memfd >= 0)
		close(f->memfd);
	free(f->rings);
	free((void *)f->own);
	*f = (struct fake){ .sock = -1, .memfd = -1 };
}

struct wire_ring *fake_ring(const struct fake *f, uint32_t i)
{
	return (struct wire_ring *)(f->base + f->layout.rings_offset) + i;
}

unsigned char *fake_head(const struct fake *f, uint32_t ring)
{
	const struct ring_writer *w = &f->rings[ring];

	return (w->open ? w->open : w->blocks) + w->head % w->block;
}

bool fake_send(const struct fake *f, uint32_t ring, const struct wire_rec *rec)
{
	struct ring_writer *w = &f->rings[ring];

	use_blocks(f, ring);
	struct wire_rec *to = ring_reserve(w, rec->len, rec->type, &pool);
	if (!to)
		return false;
	memcpy(to + 1, rec + 1, rec->len - sizeof *rec);
	ring_commit(w);
	return true;
}

struct wire_rec *fake_reserve(const struct fake *f, const struct wire_rec *rec)
{
	uint64_t at = atomic_fetch_add(&f->shm->defs_tail, rec->len);
	struct wire_rec *to = (struct wire_rec *)(f->base + f->layout.defs_offset + at);

	memcpy(to + 1, rec + 1, rec->len - sizeof *rec);
	to->len = rec->len;
	return to;
}

void fake_publish(struct wire_rec *reserved, uint16_t type)
{
	atomic_store_explicit(&reserved->type, type, memory_order_release);
}

unsigned fake_send_all(const struct fake *f, uint32_t ring, struct builder *b)
{
	unsigned lost = 0;

	for (const struct wire_rec *r = builder_next(b, NULL); r; r = builder_next(b, r)) {
		if (r->type <= WIRE_LAST_DEFINITION)
			fake_publish(fake_reserve(f, r), r->type);
		else
			lost += !fake_send(f, ring, r);
	}
	b->len = 0;
	return lost;
}

void fake_state(const struct fake *f, enum wire_state state)
{
	atomic_store(&f->shm->status.state, state);
}

void fake_note(const struct fake *f, const char *text)
{
	struct wire_status *s = &f->shm->status;

	snprintf(s->note[s->notes], WIRE_NOTE, "%s", text);
	atomic_fetch_add(&s->notes, 1);
}
