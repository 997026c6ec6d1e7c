/* SPDX-License-Identifier: Apache-2.0 */
/*
 * render_otlp.c - a ProfilesData message of OpenTelemetry, of which an export request has the same
 * bytes (github.com/open-telemetry/opentelemetry-proto, version 1.10.0, profiles/v1development).
 *
 * A JVM is a resource, with its labels as attributes under the names of OpenTelemetry. It has a
 * profile for each metric. All share one dictionary of strings, functions, locations and stacks,
 * each with an empty first element, so an index of 0 means none. A message's length precedes it, so
 * all is put together in memory.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memtext.h"
#include "base/utf8.h"
#include "base/xmalloc.h"
#include "render/export.h"
#include "render/fleet/identity.h"
#include "render/metrics.h"

/* Numbers of the fields, by message. */
enum {
	DATA_RESOURCE_PROFILES = 1,
	DATA_DICTIONARY = 2,

	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION = 2,
	DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4,
	DICTIONARY_STRING = 5,
	DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,

	RESOURCE_PROFILES_RESOURCE = 1,
	RESOURCE_PROFILES_SCOPE_PROFILES = 2,
	RESOURCE_ATTRIBUTES = 1,
	SCOPE_PROFILES_SCOPE = 1,
	SCOPE_PROFILES_PROFILES = 2,
	SCOPE_NAME = 1,
	SCOPE_VERSION = 2,

	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLES = 2,
	PROFILE_TIME_UNIX_NANO = 3,
	PROFILE_DURATION_NANO = 4,
	PROFILE_PROFILE_ID = 7,

	VALUE_TYPE_TYPE = 1,
	VALUE_TYPE_UNIT = 2,
	SAMPLE_STACK = 1,
	SAMPLE_VALUES = 4,
	STACK_LOCATIONS = 1,
	LOCATION_LINES = 3,
	LOCATION_ATTRIBUTES = 4,
	LINE_FUNCTION = 1,
	LINE_LINE = 2,
	FUNCTION_NAME = 1,
	FUNCTION_FILENAME = 3,

	ATTRIBUTE_KEY = 1, /* of the dictionary: an index */
	ATTRIBUTE_VALUE = 2,
	KEY_VALUE_KEY = 1,
	KEY_VALUE_VALUE = 2,
	ANY_STRING = 1,
	ANY_INT = 3,
};

enum { FRAME_TYPE = 1 /* the only attribute of locations */ };

/* The samples of a JVM, a metric each. */
struct resource {
	struct bytes samples[METRICS_MAX];
};

/* Buffers are reused from message to message. */
struct otlp {
	const struct report *report;
	struct identity identity;
	struct bytes dictionary, message, inner, ids;
	struct hash_numbers strings, stacks;
	struct export_numbers functions, locations;
	struct resource *resources; /* by JVM */
};

/* ---- the dictionary ---------------------------------------------------------------------- */

/* The index of a clean text; a new text is added. */
static uint32_t string_index(struct otlp *p, const char *text, size_t len)
{
	bool is_new;
	uint32_t i = xhash_numbers_of(&p->strings, XXH3_128bits(text, len), &is_new);

	if (is_new)
		proto_text(&p->dictionary, DICTIONARY_STRING, text, len);
	return i;
}

static uint32_t word_index(struct otlp *p, const char *word)
{
	return string_index(p, word, strlen(word));
}

static uint32_t name_index(struct otlp *p, const struct export_frame *f)
{
	struct memtext text;

	export_put_name(memtext_begin(&text), f);
	memtext_end(&text);
	uint32_t i = string_index(p, text.text, text.len);
	free(text.text);
	return i;
}

static uint32_t clean_index(struct otlp *p, const char *text)
{
	char *clean = memtext_clean(text, strlen(text), UTF8_TERMINAL);
	uint32_t i = word_index(p, clean);

	free(clean);
	return i;
}

static uint32_t function_index(struct otlp *p, const struct export_frame *frame)
{
	struct export_frame f = *frame;
	bool is_new;

	if (f.kind == EXPORT_METHOD)
		f.number = 0; /* the same for all lines */
	uint32_t i = export_number(&p->functions, &f, &is_new) + 1;
	if (!is_new)
		return i;
	bytes_clear(&p->inner);
	proto_number(&p->inner, FUNCTION_NAME, name_index(p, &f));
	if (f.file)
		proto_number(&p->inner, FUNCTION_FILENAME, clean_index(p, f.file));
	proto_message(&p->dictionary, DICTIONARY_FUNCTION, &p->inner);
	return i;
}

static uint32_t location_index(struct otlp *p, const struct export_frame *f)
{
	bool is_new;
	uint32_t i = export_number(&p->locations, f, &is_new) + 1;

	if (!is_new)
		return i;
	uint32_t function = function_index(p, f);
	bytes_clear(&p->inner);
	proto_number(&p->inner, LINE_FUNCTION, function);
	if (f->kind == EXPORT_METHOD)
		proto_number(&p->inner, LINE_LINE, f->number);
	bytes_clear(&p->message);
	proto_message(&p->message, LOCATION_LINES, &p->inner);
	bytes_clear(&p->inner);
	proto_packed(&p->inner, FRAME_TYPE);
	proto_message(&p->message, LOCATION_ATTRIBUTES, &p->inner);
	proto_message(&p->dictionary, DICTIONARY_LOCATION, &p->message);
	return i;
}

/* The innermost frame comes first. The JVM, where there are several, is the resource. */
static uint32_t stack_index(struct otlp *p, const struct export_sample *s)
{
	bool is_new;

	bytes_clear(&p->ids);
	for (size_t i = s->n; i-- > 0;)
		if (s->frames[i].kind != EXPORT_JVM)
			proto_packed(&p->ids, location_index(p, &s->frames[i]));
	uint32_t i = xhash_numbers_of(&p->stacks, XXH3_128bits(p->ids.data, p->ids.len), &is_new);
	if (is_new) {
		bytes_clear(&p->message);
		proto_message(&p->message, STACK_LOCATIONS, &p->ids);
		proto_message(&p->dictionary, DICTIONARY_STACK, &p->message);
	}
	return i + 1;
}

/* Adds the first elements, which stand for none, and the attribute of locations. */
static void begin_dictionary(struct otlp *p)
{
	static const unsigned tables[] = { DICTIONARY_MAPPING,	 DICTIONARY_LOCATION,
					   DICTIONARY_FUNCTION,	 DICTIONARY_LINK,
					   DICTIONARY_ATTRIBUTE, DICTIONARY_STACK };

	bytes_clear(&p->message);
	for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
		proto_message(&p->dictionary, tables[i], &p->message);
	string_index(p, "", 0);
	bytes_clear(&p->inner);
	proto_text(&p->inner, ANY_STRING, "jvm", 3);
	proto_number(&p->message, ATTRIBUTE_KEY, word_index(p, "profile.frame.type"));
	proto_message(&p->message, ATTRIBUTE_VALUE, &p->inner);
	proto_message(&p->dictionary, DICTIONARY_ATTRIBUTE, &p->message);
}

/* ---- samples ----------------------------------------------------------------------------- */

static void put_sample(const struct export_sample *s, void *arg)
{
	struct otlp *p = arg;
	const struct metrics *metrics = p->report->metrics;
	struct resource *to = &p->resources[s->jvm - 1];
	uint32_t stack = 0;

	for (size_t i = 0; i < metrics->n; i++) {
		int64_t value = metric_value(&metrics->item[i], s);
		if (!value)
			continue;
		if (!stack)
			stack = stack_index(p, s);
		bytes_clear(&p->message);
		proto_number(&p->message, SAMPLE_STACK, stack);
		bytes_clear(&p->inner);
		proto_packed(&p->inner, value);
		proto_message(&p->message, SAMPLE_VALUES, &p->inner);
		proto_message(&to->samples[i], PROFILE_SAMPLES, &p->message);
	}
}

/* ---- resources --------------------------------------------------------------------------- */

/* What OpenTelemetry calls a label. */
static const char *attribute_of(const char *label)
{
	static const struct {
		const char *label, *attribute;
	} names[] = {
		{ "service", "service.name" },
		{ "version", "service.version" },
		{ "host", "host.name" },
		{ "container", "container.id" },
		{ "pod", "k8s.pod.name" },
		{ "namespace", "k8s.namespace.name" },
		{ "start", "process.creation.time" },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i].label, label) == 0)
			return names[i].attribute;
	return label;
}

/* Adds an attribute whose value is in p->inner. */
static void put_attribute(struct otlp *p, struct bytes *to, const char *key)
{
	bytes_clear(&p->message);
	proto_text(&p->message, KEY_VALUE_KEY, key, strlen(key));
	proto_message(&p->message, KEY_VALUE_VALUE, &p->inner);
	proto_message(to, RESOURCE_ATTRIBUTES, &p->message);
}

static void put_text(struct otlp *p, struct bytes *to, const char *key, const char *value)
{
	char *clean = memtext_clean(value, strlen(value), UTF8_TERMINAL);

	bytes_clear(&p->inner);
	proto_text(&p->inner, ANY_STRING, clean, strlen(clean));
	put_attribute(p, to, key);
	free(clean);
}

static char *attribute_name(const char *label)
{
	return xstrdup(attribute_of(label));
}

static void put_resource(struct otlp *p, struct bytes *to, uint32_t jvm)
{
	static const char *const ours[] = { "process.runtime.name", "process.runtime.version",
					    "process.pid", NULL };
	const struct recording *r = p->report->recording;
	const struct model_jvm *known = model_jvm(r->model, jvm);
	struct label_list labels;
	struct label_names names;
	bool named = false;

	labels_of(&labels, r->model, jvm, r->full);
	label_names_of(&names, &labels, attribute_name, ours, "label.");
	for (size_t i = 0; i < labels.n; i++) {
		named |= strcmp(names.name[i], "service.name") == 0;
		put_text(p, to, names.name[i], labels.item[i].value);
	}
	label_names_release(&names);
	if (!named && r->command.program)
		put_text(p, to, "service.name", r->command.program);
	if (!known)
		return;
	put_text(p, to, ours[0], known->info.vm_name);
	put_text(p, to, ours[1], known->info.vm_version);
	bytes_clear(&p->inner);
	proto_number(&p->inner, ANY_INT, known->info.pid);
	put_attribute(p, to, ours[2]);
}

/* ---- profiles ---------------------------------------------------------------------------- */

static void put_profile(struct otlp *p, struct bytes *to, uint32_t jvm, const struct metric *m,
			const struct bytes *samples)
{
	const struct recording *r = p->report->recording;
	uint64_t from_ns = r->is_part ? (uint64_t)llround(r->from_s * 1e9) : 0;
	struct memtext text;

	fprintf(memtext_begin(&text), "%s %u %s", p->identity.id, (unsigned)jvm, m->name);
	memtext_end(&text);
	XXH128_canonical_t id;
	XXH128_canonicalFromHash(&id, XXH3_128bits(text.text, text.len));
	free(text.text);
	bytes_clear(to);
	bytes_clear(&p->inner);
	proto_number(&p->inner, VALUE_TYPE_TYPE, word_index(p, m->name));
	proto_number(&p->inner, VALUE_TYPE_UNIT,
		     word_index(p, strcmp(m->unit, "bytes") == 0 ? "By" : "{count}"));
	proto_message(to, PROFILE_SAMPLE_TYPE, &p->inner);
	bytes_append(to, samples);
	proto_fixed64(to, PROFILE_TIME_UNIX_NANO, r->start_unix_ns + from_ns);
	proto_number(to, PROFILE_DURATION_NANO, llround(r->duration_s * 1e9));
	proto_text(to, PROFILE_PROFILE_ID, id.digest, sizeof id.digest);
}

/* The profiles of a JVM, which are the contents of its ScopeProfiles; false: it has none. */
static bool put_profiles(struct otlp *p, struct bytes *to, uint32_t jvm)
{
	const struct metrics *metrics = p->report->metrics;
	struct bytes profile = { .len = 0 };
	bool any = false;

	for (size_t i = 0; i < metrics->n; i++) {
		const struct bytes *samples = &p->resources[jvm - 1].samples[i];
		if (samples->len == 0)
			continue;
		put_profile(p, &profile, jvm, &metrics->item[i], samples);
		proto_message(to, SCOPE_PROFILES_PROFILES, &profile);
		any = true;
	}
	bytes_release(&profile);
	return any;
}

static void put_jvm(struct otlp *p, struct bytes *data, uint32_t jvm)
{
	struct bytes resource = { .len = 0 }, scope = { .len = 0 }, all = { .len = 0 };
	const char *version = p->report->version;

	bytes_clear(&p->message);
	proto_text(&p->message, SCOPE_NAME, "ojx", 3);
	proto_text(&p->message, SCOPE_VERSION, version, strlen(version));
	proto_message(&scope, SCOPE_PROFILES_SCOPE, &p->message);
	if (put_profiles(p, &scope, jvm)) {
		put_resource(p, &resource, jvm);
		proto_message(&all, RESOURCE_PROFILES_RESOURCE, &resource);
		proto_message(&all, RESOURCE_PROFILES_SCOPE_PROFILES, &scope);
		proto_message(data, DATA_RESOURCE_PROFILES, &all);
	}
	bytes_release(&resource);
	bytes_release(&scope);
	bytes_release(&all);
}

static void release(struct otlp *p, size_t njvms)
{
	for (size_t i = 0; i < njvms; i++)
		for (size_t k = 0; k < METRICS_MAX; k++)
			bytes_release(&p->resources[i].samples[k]);
	free(p->resources);
	bytes_release(&p->dictionary);
	bytes_release(&p->message);
	bytes_release(&p->inner);
	bytes_release(&p->ids);
	hash_numbers_release(&p->strings);
	hash_numbers_release(&p->stacks);
	export_numbers_release(&p->functions);
	export_numbers_release(&p->locations);
}

int render_otlp(FILE *out, const struct report *r)
{
	size_t njvms = model_njvms(r->recording->model);
	size_t room = njvms ? njvms : 1;
	struct otlp p = { .report = r, .resources = xcalloc(room, sizeof *p.resources) };
	struct bytes data = { .len = 0 };

	identity_of(&p.identity, r->recording);
	begin_dictionary(&p);
	export_samples(r, EXPORT_ALLOCATIONS | EXPORT_ACCESSES | EXPORT_FINDINGS | EXPORT_FIXES,
		       put_sample, &p);
	for (uint32_t i = 1; i <= room; i++)
		put_jvm(&p, &data, i);
	proto_message(&data, DATA_DICTIONARY, &p.dictionary);
	fwrite(data.data, 1, data.len, out);
	bytes_release(&data);
	release(&p, room);
	return ferror(out) ? -1 : 0;
}
