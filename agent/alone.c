/* SPDX-License-Identifier: Apache-2.0 */
/* alone.c - see alone.h. */
#define _GNU_SOURCE
#include "alone.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone_file.h"
#include "alone_options.h"
#include "core/handshake.h"
#include "core/link.h"
#include "core/state.h"
#include "wire/secret.h"
#include "wire/shm.h"

#define FLUSH_NS     1000000000u
#define STATUS_SHARE 64 /* counters are written again after so long a part of the recording */
#define MAX_STACK    128

static struct alone_options options;
static struct alone_file file;
static struct shm *shm; /* the tool's end; NULL: there is a tool, or no recording */
static int peer;	/* the tool's end of the sockets */
static struct stat peer_as_opened;
static uint64_t flushed_ns, told_ns;
static bool full; /* the file has no room for more */
static bool said; /* that the file cannot be written */
static _Atomic bool running, stop_wanted;

bool alone_wanted(const char *text)
{
	return text[0] != '/';
}

/* ---- the beginning ----------------------------------------------------------------------- */

/*
 * Whether the process has a filter of system calls. What it does to callers is unknown, and some
 * kill.
 */
static bool is_filtered(void)
{
	return prctl(PR_GET_SECCOMP) != 0;
}

static struct wire_config config_of(const struct alone_options *o)
{
	struct wire_config c = {
		.budget = o->budget,
		.interval = o->interval,
		.max_stack = MAX_STACK,
		.delay_ms = (uint32_t)(o->delay_ns / 1000000),
		.seccomp_mode = prctl(PR_GET_SECCOMP),
		.seccomp_filters = -1,
	};

	if (o->analyses & ALONE_LIFETIME)
		c.flags |= WIRE_LIVES;
	if (!(o->analyses & ALONE_REPLICA))
		c.flags |= WIRE_NO_CONTENTS | WIRE_NO_SCAN;
	if (is_filtered())
		c.flags |=
			WIRE_NO_WATCH | WIRE_NO_PERF | WIRE_NO_PEEK | WIRE_NO_TIMER | WIRE_NO_PAGES;
	if (getrandom(&c.seed, sizeof c.seed, 0) != sizeof c.seed)
		c.seed = now_ns();
	return c;
}

/* Makes what the tool would offer. 0, or -1 with errno. */
static int offer(struct handshake *h)
{
	const struct shm_sizes sizes = SHM_SIZES_INIT;
	const struct wire_config config = config_of(&options);
	int pair[2];

	shm = shm_new(&sizes, &config);
	if (!shm)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0) {
		peer = descriptor_move_up(pair[1]);
		fstat(peer, &peer_as_opened);
		*h = (struct handshake){ .sock = descriptor_move_up(pair[0]),
					 .memfd = shm_give_fd(shm),
					 .tool = getpid(),
					 .size = shm_size(shm) };
		return 0;
	}
	int error = errno;
	shm_free(shm);
	shm = NULL;
	errno = error;
	return -1;
}

/* Gets the secret of the hashes of contents; false if there is none. */
static bool get_secret(struct wire_secret *secret)
{
	bool shared = options.secret_file[0];
	const char *why = shared ? secret_share(secret, options.secret_file) : secret_make(secret);

	if (why)
		handshake_complain(shared ? options.secret_file : "a new secret", why);
	return !why;
}

static const char *why_not(int error)
{
	switch (error) {
	case EEXIST:
		return "there is a file that is no recording";
	case EBUSY:
		return "another JVM records into it: put %p into its name";
	default:
		return strerror(error);
	}
}

bool alone_begin(const char *text, struct handshake *h)
{
	char why[ALONE_WHY];
	struct wire_secret secret;

	if (!alone_options_read(&options, text, why)) {
		handshake_complain("the agent's options", why);
		return false;
	}
	if (!get_secret(&secret))
		return false;
	if (alone_file_create(&file, options.file) < 0) {
		handshake_complain(options.file, why_not(errno));
		return false;
	}
	if (offer(h) == 0) {
		h->secret = secret;
		alone_file_put_command(&file);
		atomic_store_explicit(&running, true, memory_order_release);
		return true;
	}
	handshake_complain(options.file, strerror(errno));
	alone_file_close(&file);
	unlink(options.file);
	return false;
}

/* ---- writing ----------------------------------------------------------------------------- */

static void set_header(struct wire_rec *rec, uint16_t type, uint32_t len)
{
	atomic_store_explicit(&rec->type, type, memory_order_relaxed);
	rec->len = len;
}

/* Whether the file has no room for `len` bytes and what is written at the end. */
static bool is_full(uint32_t len)
{
	const size_t end = 2 * (sizeof(struct file_jvm) + sizeof(struct file_status)) +
			   sizeof(struct file_end) + 4 * sizeof(struct file_chunk);

	return file.size + file.len + len + end > options.size;
}

/*
 * Keeps a record. The first one that does not fit ends the recording: it and all later ones are
 * dropped.
 */
static void keep_record(const struct wire_rec *rec, uint32_t len, void *arg)
{
	(void)arg;
	full |= is_full(len);
	if (full)
		return;
	uint16_t type = atomic_load_explicit(&rec->type, memory_order_relaxed);

	if ((type >= WIRE_CLASS && type <= WIRE_LAST_DEFINITION) ||
	    (type >= WIRE_ALLOC && type <= WIRE_LAST_EVENT))
		alone_file_put(&file, 1, rec);
}

/* What the JVM is, and the counters so far. */
static void put_status(void)
{
	struct file_jvm jvm = { .pid = getpid() };
	struct file_status status = { .nnotes = 0 };

	set_header(&jvm.rec, FILE_JVM, sizeof jvm);
	shm_describe(shm, &jvm);
	alone_file_put(&file, 1, &jvm.rec);
	set_header(&status.rec, FILE_STATUS, sizeof status);
	shm_status(shm, &status);
	status.lost += shm_damage(shm) + file.left_out;
	alone_file_put(&file, 1, &status.rec);
	told_ns = now_ns();
	full |= is_full(0);
}

static bool is_over(uint64_t now)
{
	bool long_enough = options.duration_ns &&
			   now - file.start_ns >= options.delay_ns + options.duration_ns;

	return full || long_enough || file.error ||
	       atomic_load_explicit(&stop_wanted, memory_order_acquire);
}

void alone_serve(void)
{
	uint64_t now = now_ns();

	if (!shm)
		return;
	shm_drain(shm, false, now, keep_record, NULL);
	if (now - flushed_ns >= FLUSH_NS) {
		if (now - told_ns >= (now - file.start_ns) / STATUS_SHARE)
			put_status();
		alone_file_flush(&file);
		flushed_ns = now;
	}
	if (file.error && !said)
		dprintf(STDERR_FILENO, "ojx: the recording ends: %s: %s\n", options.file,
			strerror(file.error));
	said = file.error != 0;
	if (is_over(now))
		shm_stop(shm);
}

/* ---- the end ----------------------------------------------------------------------------- */

bool alone_stop(void)
{
	if (!atomic_load_explicit(&running, memory_order_acquire))
		return false;
	atomic_store_explicit(&stop_wanted, true, memory_order_release);
	return true;
}

static void put_end(void)
{
	struct file_end end = { .duration_ns = now_ns() - file.start_ns, .wait_status = -1 };

	set_header(&end.rec, FILE_END, sizeof end);
	alone_file_put(&file, 0, &end.rec);
}

/*
 * From now on the link is as if the tool had gone. A child that the program has forked may still
 * have the descriptor, and in the program it may be another file by now.
 */
static void close_peer(void)
{
	struct stat now;

	if (fstat(peer, &now) < 0 || now.st_dev != peer_as_opened.st_dev ||
	    now.st_ino != peer_as_opened.st_ino)
		return;
	shutdown(peer, SHUT_RDWR);
	close(peer);
}

void alone_end(void)
{
	if (!shm)
		return;
	atomic_store_explicit(&running, false, memory_order_release);
	shm_drain(shm, true, now_ns(), keep_record, NULL);
	put_status();
	put_end();
	alone_file_close(&file);
	shm_free(shm);
	shm = NULL;
	close_peer();
}
