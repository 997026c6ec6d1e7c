/* SPDX-License-Identifier: Apache-2.0 */
/*
 * platform.h - whose code a method is: the program's, or the platform's, which a reader cannot
 * change.
 *
 * The platform is what the boot and the platform loader have loaded, and what else is of a module
 * of the JDK, as the recording says for each method. Where nobody says, names decide: java.,
 * javax., jdk., sun., com.sun., org.w3c.dom., org.xml.sax. The platform also includes, by name, the
 * JDK's jrt-fs.jar, which programs load themselves, what the JVM generates (lambdas, proxies,
 * accessors), and the runtimes of Scala, Kotlin and Groovy. It includes what compilers add to a
 * program's classes. What --transparent names comes on top (model_set_transparent). Of the program,
 * --own names what is the reader's.
 */
#ifndef OJX_PLATFORM_H
#define OJX_PLATFORM_H

#include <stdbool.h>

#include "model/model.h"
#include "wire/wire.h"

/* Whether a class belongs to the platform. */
bool platform_class(const char *name, enum model_home home);

/*
 * Whether a method has no source of its own: a compiler made it for others. These are an enum's
 * values() and valueOf(), bridges, and accessors of what is private. They may have a line, that of
 * the class or the file's first, at which nobody can change what they make.
 *
 * Never true of a method that a programmer wrote; false if the recording does not say enough. The
 * texts stand behind the record, as in wire.h; the caller has checked that they are all there.
 */
bool compiler_made(const struct wire_method *method);

/*
 * Whether a frame where an object of a class was seen in use cannot itself touch the object. Then
 * the use is near the frame: compilers keep the places of calls, and not of each load. So it is if
 * no bytecode of the line loads what such an object holds (a field, or an element of an array of
 * that type), as a line that only calls, or stores. Code of the platform also reaches fields of
 * classes of other packages only by what is made for that, such as Unsafe. False if nothing is
 * known.
 */
bool frame_is_only_near(const struct model_frame *frame, const char *class_name);

#endif
