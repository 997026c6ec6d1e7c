/* SPDX-License-Identifier: Apache-2.0 */
/* fields.c - see fields.h. */
#include "model/fields.h"

#include <string.h>

#include "base/javaname.h"

const struct model_field *field_at(const struct model_class *c, uint64_t position)
{
	if (!c || c->is_array || !c->fields || position >= c->nfields)
		return NULL;
	return &c->fields[position];
}

bool fields_are_final(const struct model_class *c)
{
	if (!c || c->is_array || !c->name || c->name[0] == '(') /* "(other)": nothing is known */
		return false;
	if (strcmp(c->name, "java.lang.String") == 0)
		return true;
	for (uint32_t i = 0; i < c->nfields; i++)
		if (!c->fields[i].is_final)
			return false;
	return true;
}

void field_put_name(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position, bool qualified)
{
	const struct model_field *f = field_at(c, position);

	if (f) {
		if (qualified && f->declarer && c->name && strcmp(f->declarer, c->name) != 0) {
			style_put(out, s, names_short(f->declarer));
			putc('.', out);
		}
		style_put(out, s, f->name);
	} else if (c && c->is_array) {
		fprintf(out, "[%llu]", (unsigned long long)position);
	} else {
		fprintf(out, "#%llu", (unsigned long long)position);
	}
}

void field_put_kind(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position)
{
	const struct model_field *f = field_at(c, position);
	size_t len = c && c->name ? strlen(c->name) : 0;

	if (f && names_type(f->type))
		fputs(names_type(f->type), out);
	else if (c && c->is_array && len > 2)
		utf8_put(out, c->name, len - 2, s->utf8 ? UTF8_TERMINAL : UTF8_ASCII);
	else
		putc('?', out);
}

void field_put_type(FILE *out, const struct style *s, const struct model_class *c,
		    uint64_t position)
{
	const struct model_field *f = field_at(c, position);

	if (f && f->class_name)
		style_put(out, s, names_short(f->class_name));
	else
		field_put_kind(out, s, c, position);
}

bool field_offset(const struct model_class *c, uint64_t position, uint64_t *offset)
{
	const struct model_field *f = field_at(c, position);

	if (f)
		*offset = f->offset;
	else if (c && c->is_array && c->element_size)
		*offset = position * c->element_size;
	else
		return false;
	return true;
}
