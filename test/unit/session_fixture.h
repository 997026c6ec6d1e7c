/* SPDX-License-Identifier: Apache-2.0 */
/*
 * session_fixture.h - a session for each of its tests, with a socket, a file and a log of its news;
 * include it after cmocka.h. The test itself plays the agents (fake.h), so nothing depends on time.
 */
#ifndef OJX_TEST_SESSION_FIXTURE_H
#define OJX_TEST_SESSION_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyse/analyses.h"
#include "fake.h"
#include "record/rundir.h"
#include "record/session.h"

struct fixture {
	struct rundir rundir;
	struct model *model;
	struct datafile_writer *writer;
	struct session *session;
	struct fake jvm; /* the test's first JVM */
	struct builder b;
	unsigned news[SESSION_FULL + 1]; /* number of each kind */
	struct session_news last;	 /* its texts are in last_text */
	char last_text[WIRE_NOTE], damage[WIRE_NOTE];
	char file[RUNDIR_PATH + 16];
};

static inline void log_news(const struct session_news *news, void *arg)
{
	struct fixture *f = arg;

	f->news[news->kind]++;
	f->last = *news;
	snprintf(f->last_text, sizeof f->last_text, "%s", news->text ? news->text : "");
	if (news->kind == SESSION_DAMAGED)
		strcpy(f->damage, f->last_text);
}

static inline void open_session(struct fixture *f)
{
	struct session_setup setup = {
		.config = { .budget = 2, .max_stack = 128, .class_glob = "com.acme.*" },
		.sizes = { .defs = 64 << 10,
			   .service = 64 << 10,
			   .ring = 2 * 4096,
			   .rings = 3,
			   .blocks = 20 },
		.tell = log_news,
		.arg = f,
	};

	f->model = model_new(analyses);
	f->writer = datafile_create(f->file);
	assert_non_null(f->model);
	assert_non_null(f->writer);
	setup.model = f->model;
	setup.writer = f->writer;
	f->session = session_new(&setup);
	assert_non_null(f->session);
	const struct session_listener listener = { .fd = f->rundir.listen_fd,
						   .config = setup.config };
	assert_int_equal(session_listen(f->session, &listener), 0);
}

static inline int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);

	*state = f;
	f->jvm = (struct fake){ .sock = -1, .memfd = -1 };
	alarm(60); /* no test waits long: one that hangs fails */
	if (rundir_create(&f->rundir) < 0)
		return -1;
	snprintf(f->file, sizeof f->file, "%s/data", f->rundir.dir);
	open_session(f);
	return 0;
}

static inline void close_session(struct fixture *f)
{
	session_free(f->session);
	if (f->writer)
		datafile_close(f->writer);
	model_free(f->model);
	f->session = NULL;
	f->writer = NULL;
	f->model = NULL;
}

static inline int teardown(void **state)
{
	struct fixture *f = *state;

	fake_close(&f->jvm);
	close_session(f);
	unlink(f->file);
	rundir_remove(&f->rundir);
	builder_release(&f->b);
	free(f);
	return 0;
}

/* Connects a well-behaved agent. */
static inline void join(struct fixture *f, struct fake *jvm)
{
	struct wire_hello hello = fake_hello();

	assert_true(fake_connect(jvm, f->rundir.socket_path, &hello, sizeof hello));
	session_step(f->session);
	assert_true(fake_welcome(jvm));
}

/* Connects an agent that sends `hello`; returns the verdict. */
static inline uint32_t verdict_on(struct fixture *f, const struct wire_hello *hello)
{
	struct fake jvm;

	assert_true(fake_connect(&jvm, f->rundir.socket_path, hello, sizeof *hello));
	session_step(f->session);
	assert_false(fake_welcome(&jvm));
	uint32_t verdict = jvm.welcome.verdict;
	fake_close(&jvm);
	return verdict;
}

/*
 * Sends a context with id `id` and `n` objects of it through ring `ring`. Returns the number lost.
 */
static inline unsigned send_objects(struct fixture *f, struct fake *jvm, uint32_t ring, uint32_t id,
				    unsigned n)
{
	build_site(&f->b, id, "Lcom/acme/Point;", "Lcom/acme/Main;", "run", 12);
	for (unsigned i = 0; i < n; i++)
		build_alloc(&f->b, id, 0, 24, 2.0);
	return fake_send_all(jvm, ring, &f->b);
}

static inline const struct model_context *context(const struct model *m, uint32_t jvm, uint32_t id)
{
	for (size_t i = 0; i < model_ncontexts(m); i++)
		if (model_context(m, i)->jvm == jvm && model_context(m, i)->id == id)
			return model_context(m, i);
	return NULL;
}

static inline uint64_t sampled(const struct fixture *f, uint32_t jvm, uint32_t id)
{
	const struct model_context *c = context(f->model, jvm, id);

	return c ? c->sampled : 0;
}

#endif
