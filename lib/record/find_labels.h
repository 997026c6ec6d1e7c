/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find_labels.h - finds out the labels (model/labels.h) of a JVM that is recorded: its service and
 * version, pod and container, and when it started. They are in its environment, where
 * OpenTelemetry, Datadog and Kubernetes put them, and in the names of its control groups.
 */
#ifndef OJX_FIND_LABELS_H
#define OJX_FIND_LABELS_H

#include <stddef.h>
#include <sys/types.h>

#include "wire/wire_file.h"

/* Receives a label; the texts are valid during the call. Each name comes once at most. */
typedef void found_label_fn(const char *name, const char *value, void *arg);

/* What cannot be seen of the process is left out. */
void find_labels(pid_t pid, found_label_fn *found, void *arg);

/* The name of this machine. */
void find_host_label(found_label_fn *found, void *arg);

/* ---- parts of it, for tests: each writes "" if there is nothing. */

enum { LABEL_ROOM = FILE_LABEL_VALUE + 1 };

/* The value of an attribute in a text such as "service.name=shop,service.version=1%2E2". */
void attribute_find(char to[LABEL_ROOM], const char *attributes, const char *name);

/* What a text like /proc/PID/cgroup names. */
struct cgroup_names {
	char container[LABEL_ROOM]; /* its id */
	char pod[LABEL_ROOM];	    /* the pod's uid */
	char service[LABEL_ROOM];   /* the unit of systemd without its suffix; not in a container */
};

void cgroup_names_find(struct cgroup_names *to, const char *text);

#endif
