/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session with agents that send and write invalid data. The tool must not hang or crash; it keeps
 * the records of other JVMs and reports the damage.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/rundir.h"
#include "session_fixture.h"

/* The session goes on as if nothing had happened: another JVM is recorded. */
static void assert_works(struct fixture *f)
{
	struct fake other;
	uint32_t index = session_total(f->session) + 1;

	join(f, &other);
	assert_int_equal(send_objects(f, &other, 1, 1, 5), 0);
	session_step(f->session);
	assert_int_equal(sampled(f, index, 1), 5);
	fake_close(&other);
	session_step(f->session);
}

/* ---- handshake --------------------------------------------------------------------------- */

static void test_no_agent(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello;

	memset(&hello, 'x', sizeof hello);
	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
	assert_false(fake_welcome(&f->jvm));
	assert_works(f);
}

/* Unterminated texts, and an unknown verdict. */
static void test_odd_hello(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();

	memset(hello.vm_name, 'x', WIRE_TEXT);
	memset(hello.vm_version, '\033', WIRE_TEXT);
	hello.refused = -12345;
	assert_int_equal((int32_t)verdict_on(f, &hello), -12345);
	assert_int_equal(f->last.code, -12345);
	hello.refused = 0;
	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	session_step(f->session);
	assert_true(fake_welcome(&f->jvm));
	assert_int_equal(strlen(model_jvm(f->model, 1)->info.vm_name), WIRE_TEXT - 1);
	assert_works(f);
}

static void test_slow_hello(void **state)
{
	struct fixture *f = *state;
	const struct peer_expected anybody = { 0, 0 };
	struct wire_hello hello = fake_hello();
	struct peer p;

	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, 1));
	assert_int_equal(peer_accept(&p, f->rundir.listen_fd, &anybody, 1000), 0);
	assert_int_equal(p.pid, getpid());
	assert_int_equal(peer_read(&p, 2000), PEER_WAITING);
	assert_int_equal(peer_read(&p, p.deadline_ns), PEER_WAITING);
	assert_int_equal(peer_read(&p, p.deadline_ns + 1), PEER_BAD);
	peer_close(&p);
	assert_int_equal(peer_accept(&p, f->rundir.listen_fd, &anybody, 1000), -1);
	assert_int_equal(errno, EAGAIN);
}

/* Where one process is expected, no other is let in, whosever it is. */
static void test_expected(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();
	const struct peer_expected us = { getpid(), geteuid() }, other = { getppid(), geteuid() },
				   stranger = { getpid(), geteuid() + 1 };
	struct peer p;

	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	assert_int_equal(peer_accept(&p, f->rundir.listen_fd, &us, 1000), 0);
	peer_close(&p);
	fake_close(&f->jvm);
	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	assert_int_equal(peer_accept(&p, f->rundir.listen_fd, &other, 1000), -1);
	assert_int_equal(errno, EPERM);
	fake_close(&f->jvm);
	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	assert_int_equal(peer_accept(&p, f->rundir.listen_fd, &stranger, 1000), -1);
	assert_int_equal(errno, EPERM);
}

/* Many silent connections do not keep an agent out for good. */
static void test_silent_crowd(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();
	struct fake crowd[40];

	for (int i = 0; i < 40; i++)
		assert_true(fake_connect(&crowd[i], f->rundir.socket_path, &hello, 0));
	session_step(f->session);
	assert_true(session_live(f->session) < 40);
	for (int i = 0; i < 40; i++)
		fake_close(&crowd[i]);
	for (int i = 0; i < 5; i++)
		session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
	assert_works(f);
}

static void test_talks_on(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	assert_int_equal(write(f->jvm.sock, "more", 4), 4);
	session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_works(f);
}

/* ---- descriptors ------------------------------------------------------------------------- */

static void test_sealed(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	assert_int_equal(ftruncate(f->jvm.memfd, 0), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(ftruncate(f->jvm.memfd, 1 << 30), -1);
}

/* ---- memory ------------------------------------------------------------------------------ */

/*
 * After the damage the other rings are still read, the JVM's end is noticed, and the user is told
 * what was first: the text begins so.
 */
static void assert_survived(struct fixture *f, const char *first)
{
	for (int i = 0; i < 3; i++)
		session_step(f->session);
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
	assert_int_equal(f->news[SESSION_DAMAGED], 1);
	f->damage[strnlen(f->damage, strlen(first))] = '\0';
	assert_string_equal(f->damage, first);
	assert_true(model_jvm(f->model, 1)->status.lost > 0);
	assert_works(f);
}

static void test_bad_heads(void **state)
{
	static const uint64_t heads[] = { 1,	    4,		4097,		4104,
					  1u << 31, UINT64_MAX, UINT64_MAX - 7, 1ull << 63 };
	struct fixture *f = *state;

	join(f, &f->jvm);
	for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
		fake_ring(&f->jvm, 1)->head = heads[i];
		session_step(f->session);
	}
	send_objects(f, &f->jvm, 2, 1, 5);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_survived(f, "ring 1, byte 0: head 1");
}

/* A head that is too far ahead of valid records: these must not be read again and again. */
static void test_head_too_far(void **state)
{
	const unsigned full = 4096 / sizeof(struct wire_alloc);
	struct fixture *f = *state;

	join(f, &f->jvm);
	assert_int_equal(send_objects(f, &f->jvm, 1, 1, full), 0);
	fake_ring(&f->jvm, 1)->head = 3 * 4096;
	session_step(f->session);
	fake_ring(&f->jvm, 1)->head = 1ull << 62;
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 0);
	assert_survived(f, "ring 1, byte 0: head 12288");
}

static void test_bad_lengths(void **state)
{
	static const uint32_t lengths[] = { 0,	      1,	  7,
					    9,	      40,	  4096,
					    1u << 31, UINT32_MAX, UINT32_MAX - 7 };
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 2, 1, 1);
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		build_alloc(&f->b, 1, 0, 24, 1.0);
		fake_send_all(&f->jvm, 1, &f->b);
		struct wire_rec *rec =
			(struct wire_rec *)(fake_head(&f->jvm, 1) - sizeof(struct wire_alloc));
		rec->len = lengths[i];
		session_step(f->session);
	}
	assert_int_equal(sampled(f, 1, 1), 1);
	/* the ring was skipped to its head each time, so it works again */
	assert_int_equal(send_objects(f, &f->jvm, 1, 1, 3), 0);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 4);
	assert_survived(f, "ring 1, byte 0: length 0");
}

/* The shared memory no longer contains the layout that the tool wrote. */
static void test_changed_layout(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	memset(&f->jvm.shm->layout, 0xff, sizeof f->jvm.shm->layout);
	fake_ring(&f->jvm, 1)->tail = UINT64_MAX;
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 5);
	fake_ring(&f->jvm, 1)->tail = UINT64_MAX;
	send_objects(f, &f->jvm, 1, 1, 5); /* the writer does not believe such a tail */
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 10);
	assert_int_equal(f->news[SESSION_DAMAGED], 0);
	assert_works(f);
}

/* Blocks that do not exist, and blocks of another ring. */
static void test_bad_blocks(void **state)
{
	static const uint16_t blocks[] = { 20, 255, 32768, UINT16_MAX };
	struct fixture *f = *state;

	join(f, &f->jvm);
	for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
		send_objects(f, &f->jvm, 1, 1, 1);
		f->jvm.rings[1].map[0] = blocks[i];
		session_step(f->session);
	}
	assert_int_equal(sampled(f, 1, 1), 0);
	for (uint16_t block = 0; block < 20; block++) {
		send_objects(f, &f->jvm, 1, 1, 1);
		f->jvm.rings[1].map[0] = block;
		session_step(f->session);
	}
	assert_survived(f, "ring 1, byte 0: block 20");
}

static void test_bad_table(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	session_step(f->session);
	build_class(&f->b, 2, "Lcom/acme/Bad;", NULL, 0);
	struct wire_rec *rec = fake_reserve(&f->jvm, builder_next(&f->b, NULL));
	f->b.len = 0;
	rec->len = 12;
	fake_publish(rec, WIRE_CLASS);
	session_step(f->session);
	/* events that name known definitions are still read */
	build_alloc(&f->b, 1, 0, 24, 1.0);
	fake_send_all(&f->jvm, 1, &f->b);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 6);
	assert_survived(f, "definitions, byte ");
}

/* A definition that is longer than the table, whatever the table's tail says. */
static void test_long_definition(void **state)
{
	static const uint32_t lengths[] = { UINT32_MAX - 7, 1 << 20, (64 << 10) + 8 };
	static const uint64_t tails[] = { UINT64_MAX, 1ull << 40, 65537, 3 };
	struct fixture *f = *state;

	for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
		join(f, &f->jvm);
		build_class(&f->b, 2, "Lcom/acme/Bad;", NULL, 0);
		struct wire_rec *rec = fake_reserve(&f->jvm, builder_next(&f->b, NULL));
		f->b.len = 0;
		rec->len = lengths[l];
		fake_publish(rec, WIRE_CLASS);
		for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
			f->jvm.shm->defs_tail = tails[i];
			session_step(f->session);
		}
		fake_close(&f->jvm);
		session_step(f->session);
		assert_int_equal(f->news[SESSION_DAMAGED], l + 1);
	}
	assert_works(f);
}

/* Record types that only the tool may write to the file; and unknown types. */
static void test_foreign_types(void **state)
{
	static const struct {
		uint16_t type;
		size_t len;
	} foreign[] = {
		{ FILE_COMMAND, sizeof(struct file_command) },
		{ FILE_JVM, sizeof(struct file_jvm) },
		{ FILE_STATUS, sizeof(struct file_status) },
		{ FILE_COUNT, sizeof(struct file_count) },
		{ FILE_TALLY, sizeof(struct file_tally) },
		{ FILE_END, sizeof(struct file_end) },
		{ 0, 8 },
		{ 2, 16 },
		{ 31, 16 },
		{ 36, 16 },
		{ WIRE_LAST_EVENT + 1, 16 },
		{ UINT16_MAX, 16 },
	};
	struct fixture *f = *state;
	struct file_end end;

	join(f, &f->jvm);
	for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
		build_record(&f->b, foreign[i].type, (uint32_t)foreign[i].len);
		assert_true(fake_send(&f->jvm, 0, builder_next(&f->b, NULL)));
		f->b.len = 0;
	}
	session_step(f->session);
	assert_false(model_ended(f->model, &end));
	assert_int_equal(model_ncontexts(f->model), 0);
	assert_int_equal(model_jvm(f->model, 1)->info.pid, getpid());
	assert_survived(f, "command jvm=1 ");
}

static void test_bad_status(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	memset(&f->jvm.shm->status, 0xff, sizeof f->jvm.shm->status);
	session_step(f->session);
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(f->news[SESSION_NOTE], WIRE_NOTES);
	assert_int_equal(model_jvm(f->model, 1)->status.nnotes, WIRE_NOTES);
	assert_true(strlen(model_jvm(f->model, 1)->info.gc) < WIRE_TEXT);
	assert_works(f);
}

/* Overwrites 8 bytes somewhere: in the header, among the heads and tails of rings, or anywhere. */
static void scribble(const struct fake *jvm, uint64_t rings_offset, uint64_t *n)
{
	const uint64_t start[] = { 0, rings_offset, 0 };
	const uint64_t size[] = { 8192, 3 * sizeof(struct wire_ring), jvm->welcome.shm_size };
	unsigned where = build_random((*n)++) % 3;
	uint64_t at = start[where] + (build_random((*n)++) % size[where] & ~7ull);
	uint64_t bits = build_random((*n)++) & 63;
	uint64_t value = build_random((*n)++) >> bits;

	memcpy(jvm->base + at, &value, sizeof value);
}

static void test_noise(void **state)
{
	struct fixture *f = *state;
	uint64_t n = 0;

	for (int round = 0; round < 60; round++) {
		join(f, &f->jvm);
		uint64_t rings_offset = f->jvm.layout.rings_offset;
		send_objects(f, &f->jvm, 1, 1, 20);
		for (int step = 0; step < 5; step++) {
			for (int i = 0; i < 300; i++)
				scribble(&f->jvm, rings_offset, &n);
			f->jvm.shm->defs_tail = build_random(n++) % 70000;
			f->jvm.shm->status.state = WIRE_RECORDING;
			session_step(f->session);
		}
		fake_close(&f->jvm);
		session_step(f->session);
	}
	assert_int_equal(session_live(f->session), 0);
	assert_works(f);
}

int unit_session_hostile(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_no_agent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_odd_hello, setup, teardown),
		cmocka_unit_test_setup_teardown(test_slow_hello, setup, teardown),
		cmocka_unit_test_setup_teardown(test_expected, setup, teardown),
		cmocka_unit_test_setup_teardown(test_silent_crowd, setup, teardown),
		cmocka_unit_test_setup_teardown(test_talks_on, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sealed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_heads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_head_too_far, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_lengths, setup, teardown),
		cmocka_unit_test_setup_teardown(test_changed_layout, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_blocks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_table, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_definition, setup, teardown),
		cmocka_unit_test_setup_teardown(test_foreign_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_noise, setup, teardown),
	};

	return cmocka_run_group_tests_name("session_hostile", tests, NULL, NULL);
}
