/* SPDX-License-Identifier: Apache-2.0 */
/* source_path.h - which file a frame is in, as a path of the program's sources. */
#ifndef OJX_SOURCE_PATH_H
#define OJX_SOURCE_PATH_H

#include "model/model.h"
#include "report/sources.h"

/*
 * *path receives the path of the frame's file, with '/', which the caller frees. If a folder of
 * `sources` (may be NULL) has the file, it is that folder as the user named it, without "./" in
 * front, and the name below it. Otherwise it is package and file name, "com/acme/Shop.java". NULL
 * if the frame is NULL, tells no file, or tells a name with a directory. 0, or -1 if out of memory.
 */
int source_path_of(char **path, const struct sources *sources, const struct model_frame *frame);

#endif
