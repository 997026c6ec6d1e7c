/* SPDX-License-Identifier: Apache-2.0 */
/* eden_send.h - tells the tool what objects in windows (eden_windows.h) hold. */
#ifndef OJX_EDEN_SEND_H
#define OJX_EDEN_SEND_H

#include "core/part.h"

extern const struct part eden_windows_part;

#endif
