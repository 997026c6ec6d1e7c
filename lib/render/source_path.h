/* SPDX-License-Identifier: Apache-2.0 */
/* source_path.h - which file a frame is in, as a path of the program's sources. */
#ifndef OJX_SOURCE_PATH_H
#define OJX_SOURCE_PATH_H

#include "model/model.h"
#include "report/sources.h"

/*
 * The path of the frame's file, with '/', to be freed: where `sources` (may be NULL) have it in a
 * folder, the folder as it was named and the name below it, without "./" in front; else package and
 * file name, "com/acme/Shop.java". NULL if the frame is (may be) NULL, or tells no file, or one
 * that is no name. 0, or -1 if out of memory.
 */
int source_path_of(char **path, const struct sources *sources, const struct model_frame *frame);

#endif
