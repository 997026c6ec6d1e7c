/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collection_classes.h - the classes of collections, buffers and builders of which the agent can
 * tell how full an object is, and where their objects have what tells it.
 *
 * wire/wire_collections.h is the table: for each class its fields, by name, type and the class that
 * declares them. Where they are in an object comes from the JVM. A class whose fields are others
 * than in all its rows is not measured, and a note says so.
 */
#ifndef OJX_AGENT_COLLECTION_CLASSES_H
#define OJX_AGENT_COLLECTION_CLASSES_H

#include "hotspot/metadata/class_plan.h"
#include "hotspot/metadata/klass.h"

/* The first row of a class, by its JVM signature; NULL: it is not in the table. */
const struct wire_collection *collection_class(const char *signature);

/* The JNI name of class i of those that others have inside, all of the JDK; NULL: there is none. */
const char *collection_inner_name(uint32_t i);
/* At VMInit: where it has its fields, and its class word; 0: not known. */
void collection_inner(uint32_t i, const struct class_plan *plan, uint64_t word);

/*
 * Fills in what is known of a class whose fields are in the plan. False, after a note, if they are
 * others than the rows say.
 */
bool collection_of(const struct class_plan *plan, const struct wire_collection *rows,
		   struct collection *to);

#endif
