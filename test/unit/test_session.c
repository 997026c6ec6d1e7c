/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session with well-behaved agents: handshake, order, rings, counters, the file.
 * test_session_hostile.c tests others.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "analyse/analyses.h"
#include "session_fixture.h"

/* ---- handshake --------------------------------------------------------------------------- */

static void test_join(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	assert_int_equal(f->news[SESSION_JOINED], 1);
	assert_int_equal(f->last.pid, getpid());
	assert_int_equal(session_live(f->session), 1);
	assert_int_equal(session_total(f->session), 1);

	const struct wire_shm *shm = f->jvm.shm;
	assert_int_equal(shm->magic, OJX_WIRE_MAGIC);
	assert_int_equal(shm->version, OJX_WIRE_VERSION);
	assert_int_equal(shm->layout.size, f->jvm.welcome.shm_size);
	assert_int_equal(shm->layout.rings, 3);
	assert_int_equal(shm->layout.defs_size, 64 << 10);
	assert_int_equal(shm->layout.service_slots, 16);
	assert_int_equal(shm->layout.ring_slots, 2);
	assert_int_equal(shm->layout.blocks, 20);
	assert_int_equal(shm->config.max_stack, 128);
	assert_string_equal(shm->config.class_glob, "com.acme.*");
	assert_string_equal(model_jvm(f->model, 1)->info.vm_name, "Fake VM");
}

static bool fits(const struct wire_layout *l, uint64_t size)
{
	return wire_layout_fits(l, size, sizeof(struct wire_shm), sizeof(struct wire_ring),
				sizeof(struct wire_controls));
}

/* Changes one field of a valid layout; it must not be valid any more. */
static void assert_wrong(const struct wire_layout *good, size_t field, size_t len, uint64_t value)
{
	struct wire_layout l = *good;

	memcpy((char *)&l + field, &value, len);
	if (memcmp(&l, good, sizeof l) != 0)
		assert_false(fits(&l, good->size));
}

#define WRONG(field, value)                                                         \
	assert_wrong(good, offsetof(struct wire_layout, field), sizeof good->field, \
		     (uint64_t)(value))

/* Nothing overlaps, everything lies inside; the agent detects violations. */
static void test_layout(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	const struct wire_layout *good = &f->jvm.layout;
	assert_true(fits(good, f->jvm.welcome.shm_size));
	assert_false(fits(good, good->size - 1));
	assert_true(good->rings_offset >= sizeof(struct wire_shm));
	for (unsigned bit = 12; bit < 64; bit++) {
		WRONG(rings_offset, good->rings_offset + (1ull << bit));
		WRONG(maps_offset, good->maps_offset + (1ull << bit));
		WRONG(defs_offset, good->defs_offset + (1ull << bit));
		WRONG(defs_size, good->defs_size + (1ull << bit));
		WRONG(blocks_offset, good->blocks_offset + (1ull << bit));
		WRONG(size, good->size + (1ull << bit));
	}
	WRONG(defs_offset, 0x123456789000);
	WRONG(rings_offset, 0);
	WRONG(rings_offset, -(int64_t)sizeof(struct wire_ring));
	WRONG(maps_offset, good->maps_offset + 1);
	WRONG(defs_size, 0);
	WRONG(defs_size, good->defs_size - 1);
	for (unsigned bit = 5; bit < 32; bit++) {
		WRONG(rings, 1u << bit);
		WRONG(blocks, 1u << bit);
		WRONG(service_slots, 128u << bit); /* a few more would fit behind the maps */
		WRONG(ring_slots, 128u << bit);
	}
	WRONG(rings, 0);
	WRONG(service_slots, 0);
	WRONG(ring_slots, 3);
	WRONG(blocks, 0);
}

static void test_hello_in_pieces(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();

	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, 10));
	session_step(f->session);
	assert_int_equal(session_total(f->session), 0);
	assert_int_equal(session_live(f->session), 1);
	assert_int_equal(write(f->jvm.sock, (char *)&hello + 10, sizeof hello - 10),
			 sizeof hello - 10);
	session_step(f->session);
	assert_true(fake_welcome(&f->jvm));
	assert_int_equal(session_total(f->session), 1);
}

static void test_refused(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();

	hello.refused = WIRE_NOT_HOTSPOT;
	assert_int_equal(verdict_on(f, &hello), WIRE_NOT_HOTSPOT);
	assert_int_equal(f->news[SESSION_REFUSED], 1);
	assert_int_equal(f->last.code, WIRE_NOT_HOTSPOT);

	hello = fake_hello();
	hello.version = OJX_WIRE_VERSION + 1;
	assert_int_equal(verdict_on(f, &hello), WIRE_BAD_VERSION);
	assert_int_equal(f->last.code, WIRE_BAD_VERSION);
	assert_int_equal(session_total(f->session), 0);
	assert_int_equal(session_live(f->session), 0);
}

/* An agent that is refused need not wait for the answer. */
static void test_refused_and_gone(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();

	hello.refused = WIRE_TOO_OLD;
	assert_true(fake_connect(&f->jvm, f->rundir.socket_path, &hello, sizeof hello));
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(f->news[SESSION_REFUSED], 1);
	assert_int_equal(f->last.pid, getpid());
}

static void test_too_many(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();
	static struct fake jvms[64];

	for (int i = 0; i < 64; i++)
		join(f, &jvms[i]);
	assert_int_equal(verdict_on(f, &hello), WIRE_TOO_MANY);
	/* there is room again once one has left */
	fake_close(&jvms[7]);
	session_step(f->session);
	assert_int_equal(f->news[SESSION_LEFT], 1);
	join(f, &jvms[7]);
	assert_int_equal(session_total(f->session), 65);
	for (int i = 0; i < 64; i++)
		fake_close(&jvms[i]);
	session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
}

/* ---- records ----------------------------------------------------------------------------- */

static void test_objects(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	assert_int_equal(send_objects(f, &f->jvm, 0, 1, 10), 0);
	assert_int_equal(send_objects(f, &f->jvm, 2, 2, 20), 0);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 10);
	assert_int_equal(sampled(f, 1, 2), 20);
	assert_string_equal(context(f->model, 1, 2)->class->name, "com.acme.Point");
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 10);
}

/* Much more than a ring holds, in portions that fit: everything arrives once. */
static void test_wrap_around(void **state)
{
	struct fixture *f = *state;
	unsigned sent = 0;

	join(f, &f->jvm);
	for (unsigned round = 0; round < 500; round++) {
		unsigned n = round * 7 % 120;
		assert_int_equal(send_objects(f, &f->jvm, 1, 1, n), 0);
		sent += n;
		if (round == 0)
			continue;
		session_step(f->session);
		assert_int_equal(sampled(f, 1, 1), sent);
		/* the table of definitions is not tested here */
		if (f->jvm.shm->defs_tail > (60 << 10))
			break;
	}
	assert_true(sent * sizeof(struct wire_alloc) > 10 * 4096);
}

static void test_full_ring(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	unsigned lost = send_objects(f, &f->jvm, 1, 1, 1000);
	assert_int_equal(lost, 1000 - 2 * 4096 / sizeof(struct wire_alloc));
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 1000 - lost);
	assert_int_equal(send_objects(f, &f->jvm, 1, 1, 50), 0);
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 1050 - lost);
	assert_int_equal(model_jvm(f->model, 1)->status.lost, lost);
}

/* An event waits while a definition that it may name is incomplete. */
static void test_gap(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	build_class(&f->b, 9, "Lcom/acme/Slow;", NULL, 0);
	struct wire_rec *slow = fake_reserve(&f->jvm, builder_next(&f->b, NULL));
	f->b.len = 0;
	send_objects(f, &f->jvm, 1, 1, 5);
	session_step(f->session);
	session_step(f->session);
	assert_null(context(f->model, 1, 1));
	fake_publish(slow, WIRE_CLASS);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_string_equal(context(f->model, 1, 1)->class->name, "com.acme.Point");
}

/* A thread is killed while it writes a definition: events of others are not lost. */
static void test_gap_of_the_dead(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	build_class(&f->b, 9, "Lcom/acme/Slow;", NULL, 0);
	fake_reserve(&f->jvm, builder_next(&f->b, NULL));
	f->b.len = 0;
	send_objects(f, &f->jvm, 1, 2, 6);
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_int_equal(sampled(f, 1, 2), 6);
	assert_string_equal(context(f->model, 1, 1)->class->name, "com.acme.Point");
}

/* ---- ends -------------------------------------------------------------------------------- */

static void test_last_words(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	fake_close(&f->jvm);
	session_step(f->session);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_int_equal(f->news[SESSION_LEFT], 1);
	assert_int_equal(session_live(f->session), 0);
}

static void test_stop(void **state)
{
	struct fixture *f = *state;
	struct wire_hello hello = fake_hello();
	struct fake late;

	join(f, &f->jvm);
	session_step(f->session);
	assert_int_equal(f->news[SESSION_RECORDING], 0);
	fake_state(&f->jvm, WIRE_RECORDING);
	session_step(f->session);
	session_step(f->session);
	assert_int_equal(f->news[SESSION_RECORDING], 1);
	session_stop(f->session);
	assert_int_equal(f->jvm.shm->stop, 1);
	char woken[2]; /* by one byte, as the agent may sleep */
	assert_int_equal(recv(f->jvm.sock, woken, sizeof woken, MSG_DONTWAIT), 1);
	session_step(f->session);
	assert_int_equal(session_live(f->session), 1);
	send_objects(f, &f->jvm, 1, 1, 5);
	fake_state(&f->jvm, WIRE_STOPPED);
	/* a JVM that connects now is not accepted */
	assert_true(fake_connect(&late, f->rundir.socket_path, &hello, sizeof hello));
	session_step(f->session);
	assert_int_equal(session_live(f->session), 0);
	assert_int_equal(sampled(f, 1, 1), 5);
	assert_int_equal(session_total(f->session), 1);
	fake_close(&late);
}

static void test_status(void **state)
{
	struct fixture *f = *state;

	join(f, &f->jvm);
	struct wire_status *s = &f->jvm.shm->status;
	s->sampled = 11;
	s->scanned = 12;
	s->used = 13;
	s->refused[WIRE_LIMIT_STACKS] = 2;
	s->refused[WIRE_LIMIT_RINGS] = 3;
	s->refused[WIRE_LIMIT_DESCRIPTORS] = 7; /* nothing is lost by that */
	fake_ring(&f->jvm, 1)->lost = 4;
	fake_ring(&f->jvm, 2)->lost = 5;
	s->cost.cpu_ns = 1000000;
	s->epoch = 7;
	s->engines = WIRE_ENGINE_SCAN;
	snprintf(s->gc, sizeof s->gc, "G1");
	fake_note(&f->jvm, "watch off: because");
	fake_note(&f->jvm, "scan off: because");
	session_step(f->session);
	/* what the tool takes: the agent keeps it within the budget */
	assert_true(f->jvm.shm->tool_ns > 0);
	fake_close(&f->jvm);
	session_step(f->session);

	const struct model_jvm *jvm = model_jvm(f->model, 1);
	assert_int_equal(jvm->status.sampled, 11);
	assert_int_equal(jvm->status.scanned, 12);
	assert_int_equal(jvm->status.used, 13);
	assert_int_equal(jvm->status.lost, 2 + 3 + 4 + 5);
	assert_int_equal(jvm->status.cpu_ns, 1000000);
	assert_int_equal(jvm->status.epochs, 7);
	assert_true(jvm->status.tool_ns > 0);
	assert_int_equal(jvm->info.engines, WIRE_ENGINE_SCAN);
	assert_string_equal(jvm->info.gc, "G1");
	assert_string_equal(jvm->info.vm_version, "1.2.3");
	assert_int_equal(f->news[SESSION_NOTE], 2);
}

/* ---- the file ---------------------------------------------------------------------------- */

static int feed_record(uint32_t jvm, uint64_t time_ns, const struct wire_rec *rec, uint32_t len,
		       void *arg)
{
	(void)time_ns;
	return model_feed(arg, jvm, rec, len) == MODEL_BAD ? -1 : 0;
}

static void test_file(void **state)
{
	struct fixture *f = *state;
	char *argv[] = { "java", "-cp", "a b", "Main", NULL };
	struct file_header header;
	struct file_end end;
	uint64_t end_ns;

	assert_int_equal(session_command(f->session, argv), 0);
	join(f, &f->jvm);
	send_objects(f, &f->jvm, 1, 1, 5);
	session_step(f->session);
	send_objects(f, &f->jvm, 2, 2, 6);
	assert_int_equal(session_finish(f->session, 3 << 8), 0);
	close_session(f);

	struct model *m = model_new(analyses);
	assert_int_equal(datafile_read(f->file, &header, &end_ns, feed_record, m), DATAFILE_OK);
	assert_int_equal(model_argc(m), 4);
	assert_string_equal(model_argv(m, 2), "a b");
	assert_int_equal(context(m, 1, 1)->sampled, 5);
	assert_int_equal(context(m, 1, 2)->sampled, 6);
	assert_true(context(m, 1, 2)->objects == 12);
	assert_true(model_ended(m, &end));
	assert_int_equal(end.wait_status, 3 << 8);
	assert_true(end.duration_ns > 0);
	model_free(m);
}

/* Like a full disk: the program is not disturbed, and the user is told once. */
static void test_unwritable(void **state)
{
	struct fixture *f = *state;
	struct rlimit limit, old;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	limit = old;
	limit.rlim_cur = 1000;
	signal(SIGXFSZ, SIG_IGN);
	join(f, &f->jvm);
	for (uint32_t i = 1; i < 100; i++)
		send_objects(f, &f->jvm, 1, i, 1);
	session_step(f->session);
	setrlimit(RLIMIT_FSIZE, &limit);
	int result = session_finish(f->session, 0);
	int error = errno;
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(result, -1);
	assert_int_equal(error, EFBIG);
	assert_int_equal(f->news[SESSION_UNWRITTEN], 1);
	assert_int_equal(f->jvm.shm->stop, 1);
	assert_int_equal(sampled(f, 1, 99), 1);
}

int unit_session(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_join, setup, teardown),
		cmocka_unit_test_setup_teardown(test_layout, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hello_in_pieces, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refused_and_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_many, setup, teardown),
		cmocka_unit_test_setup_teardown(test_objects, setup, teardown),
		cmocka_unit_test_setup_teardown(test_wrap_around, setup, teardown),
		cmocka_unit_test_setup_teardown(test_full_ring, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gap_of_the_dead, setup, teardown),
		cmocka_unit_test_setup_teardown(test_last_words, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stop, setup, teardown),
		cmocka_unit_test_setup_teardown(test_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unwritable, setup, teardown),
	};

	return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
