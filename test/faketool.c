/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faketool HOW SOCKET [UID] - listens at SOCKET in ojx's place, of the user UID, and answers one
 * agent in a way that no tool does. When the agent has gone it prints one line: how many bytes the
 * agent said. HOW:
 *
 *	good		as the tool does; then prints as well whether events came
 *	silent		nothing is answered
 *	offset		the table of definitions lies somewhere else in the JVM's memory
 *	rings		more rings than there is memory for
 *	events		a configuration with more events than there can be
 *	unsealed	the memory can shrink; soon it does
 *	small		there is less memory than is said
 *	tiny		there is less memory than a header takes
 *	file		a file that is no memory
 *	nothing		no descriptor comes along
 *	later		the layout changes as soon as the agent has it
 *	heads		heads, tails, maps and definitions are nonsense, again and again
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/rundir.h"
#include "unit/builder.h"
#include "wire/shm.h"

static const char *how;
static size_t events;

static bool is(const char *name)
{
	return strcmp(how, name) == 0;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int listen_at(const char *path, uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0)
		fail("bind");
	/* whoever listens is whom the agent sees */
	if (setresuid(uid, uid, uid) < 0 || listen(fd, 1) < 0)
		fail("listen");
	return fd;
}

/* A copy of the memory's header that ends after `size` bytes. */
static int copy_of(const void *base, size_t len, off_t size, unsigned seals)
{
	int fd = memfd_create("fake", MFD_ALLOW_SEALING);

	if (fd < 0 || write(fd, base, len) != (ssize_t)len || ftruncate(fd, size) < 0 ||
	    fcntl(fd, F_ADD_SEALS, seals) < 0)
		fail("memfd");
	return fd;
}

/* Changes the memory before it is offered; returns the descriptor to offer. */
static int prepare(struct shm *shm, struct wire_shm *h)
{
	const unsigned seals = F_SEAL_SHRINK | F_SEAL_GROW;
	const off_t size = (off_t)shm_size(shm);

	if (is("offset"))
		h->layout.defs_offset = 0x123456789000;
	else if (is("rings"))
		h->layout.rings = UINT32_MAX;
	else if (is("events"))
		h->config.nevents = 1000;
	else if (is("unsealed"))
		return copy_of(h, sizeof *h, size, 0);
	else if (is("small"))
		return copy_of(h, sizeof *h, size / 2, seals);
	else if (is("tiny"))
		return copy_of(h, 64, 64, seals);
	else if (is("file"))
		return open("/dev/zero", O_RDWR);
	else if (is("nothing"))
		return -1;
	return shm_fd(shm);
}

/* Says yes, without a descriptor. */
static void say_yes(const struct peer *p)
{
	const struct wire_welcome yes = { .magic = OJX_WIRE_MAGIC,
					  .version = OJX_WIRE_VERSION,
					  .shm_size = 1 << 20 };

	if (send(p->fd, &yes, sizeof yes, MSG_NOSIGNAL) != sizeof yes)
		fail("send");
}

static void answer(const struct peer *p, struct shm *shm, struct wire_shm *h)
{
	int fd = prepare(shm, h);

	if (fd < 0)
		say_yes(p);
	else if (!is("silent"))
		peer_accepted(p, fd, is("tiny") ? 64 : shm_size(shm),
			      &(struct wire_secret){ { 1, 2 } });
	usleep(100000);
	if (is("unsealed") && ftruncate(fd, 0) < 0)
		fail("ftruncate");
	if (is("later"))
		memset(h, 0xff, offsetof(struct wire_shm, stop));
}

static void take(const struct wire_rec *rec, uint32_t len, void *arg)
{
	(void)rec;
	(void)len;
	(void)arg;
	events++;
}

/* Nonsense into all that the agent and the tool tell each other by. */
static void scribble(unsigned char *base, const struct wire_layout *l)
{
	static uint64_t n;

	for (int i = 0; i < 10000; i++, n += 3) {
		uint64_t at = build_random(n) % (l->defs_offset - l->rings_offset);
		uint64_t value = build_random(n + 1) >> (build_random(n + 2) & 63);
		memcpy(base + l->rings_offset + (at & ~7ull), &value, sizeof value);
		struct wire_shm *h = (struct wire_shm *)base;
		atomic_store(&h->defs_tail, value);
		memset(h, (int)value, offsetof(struct wire_shm, stop));
		/* not `state`, which is the agent's alone: a stop is a stop */
		memset(h->status.gc, (int)value | 1, sizeof h->status.gc + sizeof h->status.note);
		memset(base + l->defs_offset + (value & 0xffff), (int)value, 64);
	}
}

/* Goes on until the agent has gone. */
static void serve(const struct peer *p, struct shm *shm, unsigned char *base,
		  const struct wire_layout *l)
{
	struct pollfd fd = { .fd = p->fd, .events = POLLRDHUP };

	while (poll(&fd, 1, 5) == 0) {
		if (is("heads"))
			scribble(base, l);
		else if (is("good"))
			shm_drain(shm, false, 1, take, NULL);
	}
	/* what came while this process had no processor */
	if (is("good"))
		shm_drain(shm, true, 1, take, NULL);
}

int main(int argc, char **argv)
{
	const struct shm_sizes sizes = SHM_SIZES_INIT;
	const struct wire_config config = {
		.budget = 100, .interval = 4096, .max_stack = 64, .flags = WIRE_VALUES
	};
	struct peer p;

	if (argc < 3)
		return 2;
	how = argv[1];
	alarm(120);
	int fd = listen_at(argv[2], argc > 3 ? (uid_t)atoi(argv[3]) : geteuid());
	struct shm *shm = shm_new(&sizes, &config);
	if (!shm)
		fail("shm_new");
	unsigned char *base =
		mmap(NULL, shm_size(shm), PROT_READ | PROT_WRITE, MAP_SHARED, shm_fd(shm), 0);
	if (base == MAP_FAILED)
		fail("mmap");
	const struct wire_layout l = ((struct wire_shm *)base)->layout;
	p.fd = accept(fd, NULL, NULL);
	p.got = 0;
	p.got = (size_t)recv(p.fd, &p.hello, sizeof p.hello, MSG_WAITALL);
	if (p.got == sizeof p.hello) {
		answer(&p, shm, (struct wire_shm *)base);
		serve(&p, shm, base, &l);
	}
	printf("%zd%s\n", (ssize_t)p.got, is("good") ? (events ? " events" : " none") : "");
	shm_free(shm);
	return 0;
}
