/* SPDX-License-Identifier: Apache-2.0 */
/* test_labels.c - labels: what the model takes, which one holds, and where ojx finds them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/labels.h"
#include "model_fixture.h"
#include "record/find_labels.h"
#include "report/filter.h"

/* "a=1 b=2", in their order. */
static const char *shown(const struct fixture *f, uint32_t jvm, bool full)
{
	static char text[4096];
	struct label_list list;
	size_t n = 0;

	labels_of(&list, f->m, jvm, full);
	text[0] = '\0';
	for (size_t i = 0; i < list.n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s=%s", i ? " " : "",
				      list.item[i].name, list.item[i].value);
	return text;
}

static void label(struct fixture *f, uint32_t jvm, uint32_t flags, const char *name,
		  const char *value)
{
	build_label(&f->b, flags, name, value);
	feed(f, jvm);
}

static void the_given_one_holds(void **state)
{
	struct fixture *f = *state;

	label(f, 0, FILE_LABEL_GIVEN, "version", "2");
	label(f, 0, FILE_LABEL_GIVEN, "empty", "");
	label(f, 0, 0, "region", "north");
	label(f, 1, 0, "version", "1");
	label(f, 1, 0, "empty", "not so");
	label(f, 1, 0, "region", "south");
	label(f, 2, 0, "service", "shop");
	assert_string_equal(shown(f, 0, false), "version=2 region=north");
	assert_string_equal(shown(f, 1, false), "version=2 region=south");
	assert_string_equal(shown(f, 2, false), "version=2 service=shop region=north");
	assert_string_equal(shown(f, 3, false), "version=2 region=north"); /* there is none */
	assert_string_equal(label_value(f->m, 1, "version"), "2");
	assert_string_equal(label_value(f->m, 1, "region"), "south");
	assert_string_equal(label_value(f->m, 2, "region"), "north");
	assert_string_equal(label_value(f->m, 1, "empty"), "");
	assert_string_equal(label_value(f->m, 1, "other"), "");
	assert_true(model_label_given(f->m, "empty"));
	assert_false(model_label_given(f->m, "region"));
}

static void the_first_of_a_name_counts(void **state)
{
	struct fixture *f = *state;

	label(f, 0, FILE_LABEL_GIVEN, "a", "first");
	const struct file_label *again = build_label(&f->b, FILE_LABEL_GIVEN, "a", "second");
	assert_int_equal(model_feed(f->m, 0, &again->rec, again->rec.len), MODEL_DROPPED);
	f->b.len = 0;
	assert_string_equal(shown(f, 0, false), "a=first");
	for (int i = 0; i < 2 * LABELS_MAX; i++) {
		char name[16];
		snprintf(name, sizeof name, "n%d", i);
		const struct file_label *l = build_label(&f->b, 0, name, "x");
		assert_int_equal(model_feed(f->m, 1, &l->rec, l->rec.len),
				 i < LABELS_MAX ? MODEL_KEEP : MODEL_DROPPED);
		f->b.len = 0;
	}
	assert_non_null(model_label(f->m, 1, LABELS_MAX - 1));
	assert_null(model_label(f->m, 1, LABELS_MAX));
}

/* Names of machines are for those who ask for all; or if somebody gave them. */
static void places_are_left_out(void **state)
{
	struct fixture *f = *state;
	struct label_list list;

	label(f, 0, 0, "host", "web-1");
	label(f, 0, FILE_LABEL_GIVEN, "pod", "mine");
	label(f, 1, 0, "container", "0123");
	label(f, 1, 0, "start", "2026-01-02T03:04:05Z");
	assert_string_equal(shown(f, 1, false), "pod=mine start=2026-01-02T03:04:05Z");
	assert_string_equal(shown(f, 1, true),
			    "pod=mine container=0123 start=2026-01-02T03:04:05Z host=web-1");
	labels_of(&list, f->m, 1, false);
	assert_int_equal(list.left_out, 2);
	/* they select all the same */
	assert_true(filter_takes_jvm(
		&(struct filter){ .labels = (const char *const[]){ "host=web-*" }, .nlabels = 1 },
		f->m, 1));
}

static bool takes(const struct fixture *f, uint32_t jvm, const char *a, const char *b)
{
	const char *labels[] = { a, b };

	return filter_takes_jvm(&(struct filter){ .labels = labels, .nlabels = b ? 2 : 1 }, f->m,
				jvm);
}

static void they_select(void **state)
{
	struct fixture *f = *state;

	label(f, 1, 0, "version", "1.2");
	label(f, 2, 0, "version", "1.3");
	label(f, 2, 0, "service", "shop");
	assert_true(takes(f, 1, "version=1.2", NULL));
	assert_false(takes(f, 2, "version=1.2", NULL));
	assert_true(takes(f, 2, "version=1.[23]", "service=sh*"));
	assert_false(takes(f, 1, "version=1.[23]", "service=sh*"));
	assert_true(takes(f, 1, "service=", NULL)); /* it has none */
	assert_false(takes(f, 2, "service=", NULL));
	assert_false(takes(f, 1, "no equals sign", NULL));
	const struct filter one = { .labels = (const char *const[]){ "version=1.2" },
				    .nlabels = 1 };
	assert_false(filter_is_empty(&one));
}

static void bad_records(void **state)
{
	static const struct {
		const char *name, *value;
		uint16_t name_len, value_len; /* what the record says */
	} bad[] = {
		{ "", "x", 0, 1 },	{ "1a", "x", 2, 1 },	 { "a b", "x", 3, 1 },
		{ "ab", "x", 2, 9 },	{ "ab", "x", 60000, 1 }, { "ab", "x", 2, 65535 },
		{ "ab", "x\0y", 2, 3 }, { "a=b", "", 3, 0 },	 { "a\n", "", 2, 0 },
	};
	struct fixture *f = *state;

	for (uint32_t jvm = 0; jvm < 2; jvm++)
		for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
			struct file_label *l = build_label(&f->b, 0, bad[i].name, bad[i].value);
			l->name_len = bad[i].name_len;
			l->value_len = bad[i].value_len;
			assert_int_equal(model_feed(f->m, jvm, &l->rec, l->rec.len), MODEL_BAD);
			f->b.len = 0;
		}
	char longest[FILE_LABEL_VALUE + 2];
	memset(longest, 'v', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	const struct file_label *l = build_label(&f->b, 0, "long", longest);
	assert_int_equal(model_feed(f->m, 0, &l->rec, l->rec.len), MODEL_BAD);
	f->b.len = 0;
	label(f, 0, 0, "long", longest + 1);
	assert_string_equal(shown(f, 0, true) + strlen("long="), longest + 1);
}

/* ---- where they are found ---------------------------------------------------------------- */

static void attributes(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "service.version=1.2", "1.2" },
		{ "a=b, service.version = 1%2E2%20b ,c=d", "1.2 b" },
		{ "service.version=1.2 \t,c=d", "1.2" },
		{ "service.version=1.2%20 ", "1.2 " }, /* that blank is meant */
		{ "service.version= \t ,c=d", "" },
		{ "service.versions=1,service.version=2", "2" },
		{ "xservice.version=1", "" },
		{ "service.version=", "" },
		{ "service.version", "" },
		{ "service.version,service.version=3", "3" },
		{ "service.version=%", "%" },
		{ "", "" },
		{ ",,", "" },
	};
	char got[LABEL_ROOM];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		attribute_find(got, cases[i].text, "service.version");
		assert_string_equal(got, cases[i].want);
	}
}

#define ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void control_groups(void **state)
{
	static const struct {
		const char *text, *container, *pod, *service;
	} cases[] = {
		{ "0::/\n", "", "", "" },
		{ "0::/system.slice/shop.service\n", "", "", "shop" },
		{ "0::/system.slice/system-shop.slice/shop@eu.service/child", "", "", "shop" },
		{ "0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.scope", "", "",
		  "" },
		{ "0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.service", "", "",
		  "a" },
		{ "0::/system.slice/docker-" ID ".scope\n", ID, "", "" },
		{ "12:memory:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", ID, "", "" },
		{ "0::/system.slice/containerd.service/kubepods-burstable-pod0a1b2c3d_0000_1111_"
		  "2222_333344445555.slice:cri-containerd:" ID,
		  ID, "0a1b2c3d-0000-1111-2222-333344445555", "" },
		{ "11:cpu:/kubepods/besteffort/pod0a1b2c3d-0000-1111-2222-333344445555/" ID, ID,
		  "0a1b2c3d-0000-1111-2222-333344445555", "" },
		{ "0::/podman/pod-of-mine/" ID "0\n", "", "", "" }, /* 65 digits are no id */
		{ "no path at all", "", "", "" },
		{ "", "", "", "" },
	};
	struct cgroup_names names;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cgroup_names_find(&names, cases[i].text);
		assert_string_equal(names.container, cases[i].container);
		assert_string_equal(names.pod, cases[i].pod);
		assert_string_equal(names.service, cases[i].service);
	}
}

int unit_labels(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_given_one_holds, setup, teardown),
		cmocka_unit_test_setup_teardown(the_first_of_a_name_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(places_are_left_out, setup, teardown),
		cmocka_unit_test_setup_teardown(they_select, setup, teardown),
		cmocka_unit_test_setup_teardown(bad_records, setup, teardown),
		cmocka_unit_test(attributes),
		cmocka_unit_test(control_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
