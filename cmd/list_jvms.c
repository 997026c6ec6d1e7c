/* SPDX-License-Identifier: Apache-2.0 */
/* list_jvms.c - see list_jvms.h. */
#define _GNU_SOURCE
#include "list_jvms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attach/jvms.h"
#include "attach/obstacles.h"
#include "base/json_put.h"
#include "base/table.h"
#include "host/users.h"
#include "say.h"

static const char *text(const char *s)
{
	return s && *s ? s : "?";
}

static void put_json(const struct target *t, const struct check_result *why, bool first)
{
	char user[USERS_NAME];

	printf("%s{\"pid\":%d,\"user\":", first ? "" : ",\n", (int)t->process.pid);
	json_put_text(stdout, users_name(t->uid, user));
	fputs(",\"jdk\":", stdout);
	json_put_text(stdout, t->version[0] ? t->version : NULL);
	fputs(",\"main\":", stdout);
	json_put_text(stdout, t->main);
	printf(",\"attachable\":%s,\"why_not\":", why ? "false" : "true");
	json_put_text(stdout, why ? why->found : NULL);
	fputs(",\"advice\":", stdout);
	json_put_text(stdout, why ? why->advice : NULL);
	putchar('}');
}

/* Other users chose these words. */
static char *clean(const char *s, const struct style *style)
{
	return style_clean(style, s, strlen(s));
}

static void add(struct table *table, const struct style *s, const struct target *t,
		const struct check_result *why)
{
	char user[USERS_NAME], *pid = NULL;

	if (asprintf(&pid, "%d", (int)t->process.pid) < 0)
		pid = NULL;
	table_add(table, pid, INK_BOLD);
	table_add(table, strdup(users_name(t->uid, user)), INK_PLAIN);
	table_add(table, clean(text(t->version), s), INK_PLAIN);
	table_add(table, clean(why ? why->found : "yes", s), why ? INK_YELLOW : INK_GREEN);
	table_add(table, clean(text(t->main), s), INK_PLAIN);
}

static int put_all(const struct jvms *all, const struct simple_output *out, struct table *table)
{
	static const char *const headings[] = { "pid", "user", "JDK", "attach", "main" };
	static const unsigned flags[] = { TABLE_RIGHT, 0, 0, TABLE_HEAD, TABLE_TAIL };

	for (size_t i = 0; i < 5; i++)
		table_add_column(table, flags[i], 0);
	for (size_t i = 0; i < 5; i++)
		table_add(table, strdup(headings[i]), INK_BOLD);
	for (size_t i = 0; i < all->n; i++) {
		struct check_result r;
		bool obstacle = obstacles_find(&all->jvm[i], true, &r);
		if (out->json)
			put_json(&all->jvm[i], obstacle ? &r : NULL, i == 0);
		else
			add(table, &out->style, &all->jvm[i], obstacle ? &r : NULL);
	}
	if (out->json)
		return 0;
	return table_put(table, stdout, &out->style) < 0 ? say_error("out of memory") : 0;
}

int list_jvms(const struct simple_output *out)
{
	struct table table = TABLE_INIT;
	struct jvms *all = jvms_find();

	if (!all)
		return say_error("out of memory");
	if (all->n == 0 && !out->json)
		say("no JVM runs that ojx can see");
	if (out->json)
		fputs("{\"jvms\":[\n", stdout);
	int result = all->n > 0 ? put_all(all, out, &table) : 0;
	if (out->json)
		fputs("\n]}\n", stdout);
	table_release(&table);
	jvms_free(all);
	return result;
}
