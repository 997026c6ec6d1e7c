/* SPDX-License-Identifier: Apache-2.0 */
/* find_labels.c - see find_labels.h. */
#define _GNU_SOURCE
#include "record/find_labels.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/jvmproc.h"

#define SECOND_NS 1000000000u

enum { CONTAINER_ID = 64, POD_UID = 36 /* characters */ };

/* Copies a value; one that is too long is no label. */
static void copy(char to[LABEL_ROOM], const char *value, size_t len)
{
	if (len >= LABEL_ROOM)
		len = 0;
	memcpy(to, value, len);
	to[len] = '\0';
}

/* ---- the environment --------------------------------------------------------------------- */

static int digit_of(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Replaces "%2E" by ".", in place. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from == '%' && isxdigit((unsigned char)from[1]) &&
		    isxdigit((unsigned char)from[2])) {
			*to++ = (char)(digit_of(from[1]) * 16 + digit_of(from[2]));
			from += 2;
		} else {
			*to++ = *from;
		}
	*to = '\0';
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* The length of a text that ends there, without the blanks at its end. */
static size_t trimmed(const char *text, const char *end)
{
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end > text ? (size_t)(end - text) : 0;
}

void attribute_find(char to[LABEL_ROOM], const char *attributes, const char *name)
{
	size_t name_len = strlen(name);

	to[0] = '\0';
	for (const char *at = skip_blanks(attributes); *at; at = skip_blanks(at)) {
		size_t len = strcspn(at, ",");
		bool named = strncmp(at, name, name_len) == 0;
		const char *value = named ? skip_blanks(at + name_len) : at;
		if (named && *value == '=') {
			value = skip_blanks(value + 1);
			copy(to, value, trimmed(value, at + len));
			decode(to);
			return;
		}
		at += len + (at[len] == ',');
	}
}

/* Where a label stands; of several rows of a label the first that is there counts. */
static const struct label_source {
	const char *label, *variable;
	const char *attribute; /* in the variable; NULL: all of it */
	const char *only_with; /* another variable that must be there; NULL: none */
} sources[] = {
	{ "service", "OTEL_SERVICE_NAME", NULL, NULL },
	{ "service", "OTEL_RESOURCE_ATTRIBUTES", "service.name", NULL },
	{ "service", "DD_SERVICE", NULL, NULL },
	{ "version", "OTEL_RESOURCE_ATTRIBUTES", "service.version", NULL },
	{ "version", "DD_VERSION", NULL, NULL },
	{ "pod", "POD_NAME", NULL, NULL },
	{ "pod", "MY_POD_NAME", NULL, NULL },
	{ "pod", "OTEL_RESOURCE_ATTRIBUTES", "k8s.pod.name", NULL },
	{ "pod", "HOSTNAME", NULL, "KUBERNETES_SERVICE_HOST" },
	{ "namespace", "POD_NAMESPACE", NULL, NULL },
	{ "namespace", "MY_POD_NAMESPACE", NULL, NULL },
	{ "namespace", "OTEL_RESOURCE_ATTRIBUTES", "k8s.namespace.name", NULL },
};
enum { SOURCES = sizeof sources / sizeof sources[0] };

static void find_variable(char to[LABEL_ROOM], const char *environment, size_t len,
			  const char *label)
{
	to[0] = '\0';
	for (size_t i = 0; i < SOURCES && !to[0]; i++) {
		const struct label_source *s = &sources[i];
		const char *value = strcmp(s->label, label) == 0
					    ? jvmproc_variable(environment, len, s->variable)
					    : NULL;
		if (!value || (s->only_with && !jvmproc_variable(environment, len, s->only_with)))
			continue;
		if (s->attribute)
			attribute_find(to, value, s->attribute);
		else
			copy(to, value, strlen(value));
	}
}

/* ---- control groups ---------------------------------------------------------------------- */

/* Finds `n` characters of a set with none of `around` before and behind them. */
static const char *find_run(const char *from, const char *end, const char *set, size_t n)
{
	while (from < end) {
		size_t len = strspn(from, set);
		if (len == n)
			return from;
		from += len ? len : 1;
	}
	return NULL;
}

/* "0f1e2d3c-0000-1111-2222-333344445555", where systemd's names have '_' in place of '-'. */
static bool is_uid(const char *text)
{
	for (int i = 0; i < POD_UID; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;
		if (dash ? text[i] != '-' && text[i] != '_' : !isxdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

static void find_pod(char to[LABEL_ROOM], const char *from, const char *end)
{
	while ((from = strstr(from, "pod")) && from < end) {
		from += 3;
		if (!is_uid(from))
			continue;
		copy(to, from, POD_UID);
		for (char *c = to; *c; c++)
			*c = *c == '_' ? '-' : *c;
		return;
	}
}

/* The last part of a path that ends in ".service", without that and without an instance. */
static void find_unit(char to[LABEL_ROOM], const char *path, const char *end)
{
	static const char suffix[] = ".service";
	enum { SUFFIX = sizeof suffix - 1 };

	for (const char *part = path; part < end;) {
		size_t len = strcspn(part, "/\n");
		if (len > SUFFIX && strncmp(part + len - SUFFIX, suffix, SUFFIX) == 0 &&
		    strncmp(part, "user@", 5) != 0) {
			size_t name = strcspn(part, "@");
			copy(to, part, name < len - SUFFIX ? name : len - SUFFIX);
		}
		part += len + 1;
	}
}

/* A line is "4:memory:/path", or "0::/path". */
void cgroup_names_find(struct cgroup_names *to, const char *text)
{
	*to = (struct cgroup_names){ .container = "" };
	while (*text) {
		const char *end = strchrnul(text, '\n');
		const char *path = memchr(text, '/', (size_t)(end - text));
		const char *id =
			path ? find_run(path, end, "0123456789abcdef", CONTAINER_ID) : NULL;
		if (id && !to->container[0])
			copy(to->container, id, CONTAINER_ID);
		if (path && !to->pod[0])
			find_pod(to->pod, path, end);
		if (path && !to->service[0])
			find_unit(to->service, path, end);
		text = end + (*end == '\n');
	}
	if (to->container[0]) /* the unit is that of the engine which runs the containers */
		to->service[0] = '\0';
}

/* ---- the start --------------------------------------------------------------------------- */

static void find_start(char to[LABEL_ROOM], pid_t pid)
{
	uint64_t ticks = jvmproc_of(pid).start;
	long rate = sysconf(_SC_CLK_TCK);
	struct timespec up, now;
	struct tm utc;

	to[0] = '\0';
	if (!ticks || rate <= 0 || clock_gettime(CLOCK_BOOTTIME, &up) < 0 ||
	    clock_gettime(CLOCK_REALTIME, &now) < 0)
		return;
	uint64_t boot_ns = (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec -
			   ((uint64_t)up.tv_sec * SECOND_NS + (uint64_t)up.tv_nsec);
	time_t start = (time_t)((boot_ns + ticks * (SECOND_NS / (uint64_t)rate)) / SECOND_NS);
	if (gmtime_r(&start, &utc))
		strftime(to, LABEL_ROOM, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* ---- all of them ------------------------------------------------------------------------- */

static void pass_on(const char *name, const char *value, found_label_fn *found, void *arg)
{
	if (value[0])
		found(name, value, arg);
}

void find_labels(pid_t pid, found_label_fn *found, void *arg)
{
	char service[LABEL_ROOM], version[LABEL_ROOM], pod[LABEL_ROOM], namespace[LABEL_ROOM],
		start[LABEL_ROOM];
	struct cgroup_names cgroup = { .container = "" };
	size_t len, text_len;
	char *environment = jvmproc_strings(pid, "environ", &len);
	char *text = jvmproc_strings(pid, "cgroup", &text_len);

	if (text)
		cgroup_names_find(&cgroup, text);
	find_variable(service, environment, len, "service");
	find_variable(version, environment, len, "version");
	find_variable(pod, environment, len, "pod");
	find_variable(namespace, environment, len, "namespace");
	find_start(start, pid);
	free(environment);
	free(text);
	pass_on("service", service[0] ? service : cgroup.service, found, arg);
	pass_on("version", version, found, arg);
	pass_on("namespace", namespace, found, arg);
	pass_on("pod", pod[0] ? pod : cgroup.pod, found, arg);
	pass_on("container", cgroup.container, found, arg);
	pass_on("start", start, found, arg);
}

void find_host_label(found_label_fn *found, void *arg)
{
	char name[LABEL_ROOM];

	if (gethostname(name, sizeof name) < 0)
		return;
	name[sizeof name - 1] = '\0';
	pass_on("host", name, found, arg);
}
