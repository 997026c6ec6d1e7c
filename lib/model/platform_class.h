/* SPDX-License-Identifier: Apache-2.0 */
/* platform_class.h - whether a class belongs to the platform, by the rules of platform.h. */
#ifndef OJX_PLATFORM_CLASS_H
#define OJX_PLATFORM_CLASS_H

#include "model/model.h"

bool platform_class(const char *name, enum model_home home);

#endif
