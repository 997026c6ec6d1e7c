/* SPDX-License-Identifier: Apache-2.0 */
/* record_table.c - see record_table.h. */
#include "file/record_table.h"

/* A field as the compiler knows it. */
#define AT(s, f) (((struct s *)NULL)->f)
#define KIND(x) \
	_Generic((x),                                                                        \
		int16_t: RECORD_INT,                                                         \
		int32_t: RECORD_INT,                                                         \
		double: RECORD_REAL,                                                         \
		char *: RECORD_TEXT,                                                         \
		char(*)[WIRE_NOTE]: RECORD_TEXT,                                             \
		default: RECORD_UINT)
#define WIDTH(x)                                                                            \
	_Generic((x), uint8_t * : 1, uint8_t(*)[16] : 1, uint64_t * : 8, char(*)[WIRE_NOTE] \
		 : WIRE_NOTE, default                                                       \
		 : sizeof(x))
#define ROW(s, f, kind)                                           \
	{                                                         \
#f, kind, offsetof(struct s, f), WIDTH(AT(s, f)), \
			sizeof AT(s, f) / WIDTH(AT(s, f))         \
	}
#define FIELD(s, f)  ROW(s, f, KIND(AT(s, f)))
#define COUNT(s, f)  ROW(s, f, RECORD_COUNT)
#define PAD(s, f)    ROW(s, f, RECORD_PAD)
#define MOMENT(s, f) FIELD(s, f.ns), FIELD(s, f.bytes), FIELD(s, f.collections), PAD(s, f.pad)
#define EXACT(s, f)  FIELD(s, f.low), FIELD(s, f.high)
#define FIELDS(...)                   \
	(const struct record_field[]) \
	{                             \
		__VA_ARGS__,          \
		{                     \
			.name = NULL  \
		}                     \
	}
#define PARTS(...)                   \
	(const struct record_part[]) \
	{                            \
		__VA_ARGS__,         \
		{                    \
			.name = NULL \
		}                    \
	}

static const struct record_layout field_layout = {
	sizeof(struct wire_field),
	FIELDS(FIELD(wire_field, offset), FIELD(wire_field, size), FIELD(wire_field, type),
	       FIELD(wire_field, flags), COUNT(wire_field, name_len),
	       COUNT(wire_field, declarer_len), COUNT(wire_field, signature_len),
	       PAD(wire_field, pad2)),
	PARTS({ .name = "name", .count = COUNT(wire_field, name_len) },
	      { .name = "declarer", .count = COUNT(wire_field, declarer_len) },
	      { .name = "signature", .count = COUNT(wire_field, signature_len), .pad = true }),
};

static const struct record_layout line_layout = {
	sizeof(struct wire_line),
	FIELDS(FIELD(wire_line, bci), FIELD(wire_line, line)),
	NULL,
};

static const struct record_layout load_layout = {
	sizeof(struct wire_load),
	FIELDS(FIELD(wire_load, loaded)),
	NULL,
};

static const struct record_layout frame_layout = {
	sizeof(struct wire_frame),
	FIELDS(FIELD(wire_frame, method), FIELD(wire_frame, bci), PAD(wire_frame, pad)),
	NULL,
};

static const struct record_layout content_layout = {
	sizeof(struct wire_window_content),
	FIELDS(FIELD(wire_window_content, key), FIELD(wire_window_content, bytes),
	       FIELD(wire_window_content, class_id), FIELD(wire_window_content, objects),
	       FIELD(wire_window_content, hashed), FIELD(wire_window_content, locked),
	       FIELD(wire_window_content, flags), PAD(wire_window_content, pad)),
	NULL,
};

static const struct record_layout fill_layout = {
	sizeof(struct wire_fill),
	FIELDS(FIELD(wire_fill, size), FIELD(wire_fill, changes), FIELD(wire_fill, capacity),
	       FIELD(wire_fill, table_bytes), FIELD(wire_fill, kind), FIELD(wire_fill, flags),
	       PAD(wire_fill, pad)),
	NULL,
};

/* Layouts that two types have. */
#define ALLOC                                                                               \
	{                                                                                   \
		sizeof(struct wire_alloc),                                                  \
			FIELDS(FIELD(wire_alloc, context), FIELD(wire_alloc, array_length), \
			       FIELD(wire_alloc, size), FIELD(wire_alloc, weight)),         \
			NULL                                                                \
	}
#define SNAPSHOT                                                                                  \
	{                                                                                         \
		sizeof(struct wire_snapshot),                                                     \
			FIELDS(FIELD(wire_snapshot, context), FIELD(wire_snapshot, array_length), \
			       FIELD(wire_snapshot, epoch), FIELD(wire_snapshot, flags),          \
			       COUNT(wire_snapshot, nslots), FIELD(wire_snapshot, exponent),      \
			       FIELD(wire_snapshot, content), FIELD(wire_snapshot, weight),       \
			       FIELD(wire_snapshot, deep), FIELD(wire_snapshot, ticket),          \
			       FIELD(wire_snapshot, nodes), FIELD(wire_snapshot, deep_bytes),     \
			       FIELD(wire_snapshot, zeros)),                                      \
			PARTS({ .name = "slot",                                                   \
				.count = COUNT(wire_snapshot, nslots),                            \
				.width = 4,                                                       \
				.pad = true },                                                    \
			      { .name = "fixed",                                                  \
				.count = FIELD(wire_snapshot, flags),                             \
				.flag = WIRE_FIXED,                                               \
				.width = 8 },                                                     \
			      { .name = "fill",                                                   \
				.count = FIELD(wire_snapshot, flags),                             \
				.flag = WIRE_FILLED,                                              \
				.of = &fill_layout })                                             \
	}
#define LIFE                                                                        \
	{                                                                           \
		sizeof(struct wire_life),                                           \
			FIELDS(FIELD(wire_life, context), FIELD(wire_life, ticket), \
			       FIELD(wire_life, size), FIELD(wire_life, weight),    \
			       MOMENT(wire_life, birth), MOMENT(wire_life, before), \
			       MOMENT(wire_life, alive), MOMENT(wire_life, dead)),  \
			NULL                                                        \
	}

const struct record_type record_types[] = {
	{ WIRE_CLASS,
	  "class",
	  "a class and its fields",
	  { sizeof(struct wire_class),
	    FIELDS(FIELD(wire_class, id), COUNT(wire_class, nfields),
		   COUNT(wire_class, signature_len), FIELD(wire_class, flags),
		   FIELD(wire_class, element_size)),
	    PARTS({ .name = "signature", .count = COUNT(wire_class, signature_len), .pad = true },
		  { .name = "field",
		    .count = COUNT(wire_class, nfields),
		    .of = &field_layout }) } },
	{ WIRE_METHOD,
	  "method",
	  "a method and its lines",
	  { sizeof(struct wire_method),
	    FIELDS(FIELD(wire_method, method), COUNT(wire_method, class_len),
		   COUNT(wire_method, name_len), COUNT(wire_method, descriptor_len),
		   COUNT(wire_method, file_len), COUNT(wire_method, nlines),
		   FIELD(wire_method, flags)),
	    PARTS({ .name = "class", .count = COUNT(wire_method, class_len) },
		  { .name = "name", .count = COUNT(wire_method, name_len) },
		  { .name = "descriptor", .count = COUNT(wire_method, descriptor_len) },
		  { .name = "file", .count = COUNT(wire_method, file_len), .pad = true },
		  { .name = "line",
		    .count = COUNT(wire_method, nlines),
		    .of = &line_layout,
		    .pad = true }) } },
	{ WIRE_LOADS,
	  "loads",
	  "what the lines of a method load",
	  { sizeof(struct wire_loads),
	    FIELDS(FIELD(wire_loads, method), COUNT(wire_loads, n), PAD(wire_loads, pad)),
	    PARTS({ .name = "load",
		    .count = COUNT(wire_loads, n),
		    .of = &load_layout,
		    .pad = true }) } },
	{ WIRE_STACK,
	  "stack",
	  "a calling context, innermost frame first",
	  { sizeof(struct wire_stack),
	    FIELDS(FIELD(wire_stack, id), COUNT(wire_stack, nframes), FIELD(wire_stack, flags)),
	    PARTS({ .name = "frame",
		    .count = COUNT(wire_stack, nframes),
		    .of = &frame_layout }) } },
	{ WIRE_CONTEXT,
	  "context",
	  "a class that is allocated at a stack",
	  { sizeof(struct wire_context),
	    FIELDS(FIELD(wire_context, id), FIELD(wire_context, class_id),
		   FIELD(wire_context, stack_id), PAD(wire_context, pad)),
	    NULL } },
	{ WIRE_THREAD,
	  "thread",
	  "the name of a thread",
	  { sizeof(struct wire_thread),
	    FIELDS(FIELD(wire_thread, number), COUNT(wire_thread, name_len)),
	    PARTS({ .name = "name", .count = COUNT(wire_thread, name_len), .pad = true }) } },
	{ WIRE_ALLOC, "alloc", "a sampled allocation", ALLOC },
	{ WIRE_ALLOC_COUNTED, "alloc-counted", "one whose object is not looked at", ALLOC },
	{ WIRE_CALLERS,
	  "callers",
	  "how much its callers stand for",
	  { sizeof(struct wire_callers),
	    FIELDS(FIELD(wire_callers, context), PAD(wire_callers, pad),
		   FIELD(wire_callers, bytes)),
	    NULL } },
	{ WIRE_SNAPSHOT, "snapshot", "the content of an object", SNAPSHOT },
	{ WIRE_ALIVE, "alive", "an object in a view of what is alive", SNAPSHOT },
	{ WIRE_VIEW,
	  "view",
	  "the end of such a view",
	  { sizeof(struct wire_view),
	    FIELDS(FIELD(wire_view, objects), FIELD(wire_view, leaves), FIELD(wire_view, interval),
		   FIELD(wire_view, age_ms)),
	    NULL } },
	{ WIRE_USE,
	  "use",
	  "what a load of a watched object found",
	  { sizeof(struct wire_use),
	    FIELDS(FIELD(wire_use, context), FIELD(wire_use, array_length), FIELD(wire_use, epoch),
		   FIELD(wire_use, flags), FIELD(wire_use, size), FIELD(wire_use, access),
		   FIELD(wire_use, position), FIELD(wire_use, value), FIELD(wire_use, content),
		   FIELD(wire_use, weight), FIELD(wire_use, ticket), PAD(wire_use, pad)),
	    PARTS({ .name = "deep",
		    .count = FIELD(wire_use, flags),
		    .flag = WIRE_DEEP,
		    .width = 8 }) } },
	{ WIRE_UNUSED,
	  "unused",
	  "a watch that ended without a use",
	  { sizeof(struct wire_unused),
	    FIELDS(FIELD(wire_unused, context), FIELD(wire_unused, reason)), NULL } },
	{ WIRE_VALUE,
	  "value",
	  "the text of a string",
	  { sizeof(struct wire_value),
	    FIELDS(FIELD(wire_value, context), COUNT(wire_value, len), FIELD(wire_value, deep),
		   FIELD(wire_value, chars), PAD(wire_value, pad)),
	    PARTS({ .name = "text", .count = COUNT(wire_value, len), .pad = true }) } },
	{ WIRE_WASTE,
	  "waste",
	  "a pair of accesses, the first of them perhaps wasted",
	  { sizeof(struct wire_waste),
	    FIELDS(FIELD(wire_waste, watched), FIELD(wire_waste, trapped),
		   FIELD(wire_waste, class_id), FIELD(wire_waste, bytes), FIELD(wire_waste, kind),
		   FIELD(wire_waste, wasted), FIELD(wire_waste, insn_len), FIELD(wire_waste, part),
		   FIELD(wire_waste, left_out), FIELD(wire_waste, drawn), PAD(wire_waste, pad),
		   FIELD(wire_waste, insn)),
	    NULL } },
	{ WIRE_ACCESS,
	  "access",
	  "a sampled access to the heap",
	  { sizeof(struct wire_access),
	    FIELDS(FIELD(wire_access, context), FIELD(wire_access, class_id),
		   FIELD(wire_access, stack), FIELD(wire_access, hit), FIELD(wire_access, weight),
		   FIELD(wire_access, offset), FIELD(wire_access, data_src),
		   FIELD(wire_access, latency), FIELD(wire_access, flags),
		   FIELD(wire_access, bytes), FIELD(wire_access, cpu_node),
		   FIELD(wire_access, page_node), FIELD(wire_access, left_out)),
	    NULL } },
	{ WIRE_LIFE, "life", "the life of an object that was found dead", LIFE },
	{ WIRE_LIVING, "living", "an object in a census", LIFE },
	{ WIRE_CENSUS,
	  "census",
	  "the end of a census",
	  { sizeof(struct wire_census),
	    FIELDS(FIELD(wire_census, objects), PAD(wire_census, pad), MOMENT(wire_census, now),
		   MOMENT(wire_census, collected), MOMENT(wire_census, marked)),
	    NULL } },
	{ WIRE_NEXT_USE,
	  "next-use",
	  "how long it took until an object was used",
	  { sizeof(struct wire_next_use),
	    FIELDS(FIELD(wire_next_use, context), FIELD(wire_next_use, ticket),
		   FIELD(wire_next_use, size), FIELD(wire_next_use, weight),
		   FIELD(wire_next_use, birth_ns), FIELD(wire_next_use, start_ns),
		   FIELD(wire_next_use, end_ns), FIELD(wire_next_use, outcome),
		   FIELD(wire_next_use, flags), PAD(wire_next_use, pad)),
	    NULL } },
	{ WIRE_WINDOW,
	  "window",
	  "what the new objects behind a sampled one hold",
	  { sizeof(struct wire_window),
	    FIELDS(FIELD(wire_window, window), FIELD(wire_window, context),
		   FIELD(wire_window, scale), FIELD(wire_window, own),
		   FIELD(wire_window, own_class), COUNT(wire_window, ncontents),
		   FIELD(wire_window, near), PAD(wire_window, pad)),
	    PARTS({ .name = "content",
		    .count = COUNT(wire_window, ncontents),
		    .of = &content_layout }) } },
	{ FILE_COMMAND,
	  "command",
	  "the command, its arguments ended by \\x00",
	  { sizeof(struct file_command),
	    FIELDS(FIELD(file_command, argc), COUNT(file_command, len)),
	    PARTS({ .name = "arguments", .count = COUNT(file_command, len), .pad = true }) } },
	{ FILE_OWN,
	  "own",
	  "the globs of 'record --own', each ended by \\x00",
	  { sizeof(struct file_command),
	    FIELDS(FIELD(file_command, argc), COUNT(file_command, len)),
	    PARTS({ .name = "arguments", .count = COUNT(file_command, len), .pad = true }) } },
	{ FILE_LABEL,
	  "label",
	  "a label of the recording or of a JVM",
	  { sizeof(struct file_label),
	    FIELDS(FIELD(file_label, flags), COUNT(file_label, name_len),
		   COUNT(file_label, value_len)),
	    PARTS({ .name = "name", .count = COUNT(file_label, name_len) },
		  { .name = "value", .count = COUNT(file_label, value_len), .pad = true }) } },
	{ FILE_JVM,
	  "jvm",
	  "what is known of a JVM",
	  { sizeof(struct file_jvm),
	    FIELDS(FIELD(file_jvm, pid), FIELD(file_jvm, engines), FIELD(file_jvm, flags),
		   PAD(file_jvm, pad), FIELD(file_jvm, vm_name), FIELD(file_jvm, vm_version),
		   FIELD(file_jvm, gc)),
	    NULL } },
	{ FILE_STATUS,
	  "status",
	  "the agent's counters",
	  { sizeof(struct file_status),
	    FIELDS(FIELD(file_status, sampled), FIELD(file_status, scanned),
		   FIELD(file_status, skipped), FIELD(file_status, armed), FIELD(file_status, used),
		   FIELD(file_status, traps), FIELD(file_status, stack_errors),
		   FIELD(file_status, ticks), FIELD(file_status, located),
		   FIELD(file_status, wasted), FIELD(file_status, lost),
		   FIELD(file_status, refused), FIELD(file_status, callback_ns),
		   FIELD(file_status, trap_ns), FIELD(file_status, tick_ns),
		   FIELD(file_status, service_ns), FIELD(file_status, pause_ns),
		   FIELD(file_status, cpu_ns), FIELD(file_status, wall_ns),
		   FIELD(file_status, max_pause_ns), FIELD(file_status, max_pause_work_ns),
		   FIELD(file_status, tool_ns), FIELD(file_status, interval),
		   FIELD(file_status, epochs), FIELD(file_status, collections),
		   FIELD(file_status, paused_ns), FIELD(file_status, nnotes), PAD(file_status, pad),
		   FIELD(file_status, note), FIELD(file_status, trapped),
		   FIELD(file_status, predicted), FIELD(file_status, undecoded),
		   FIELD(file_status, counted), FIELD(file_status, counted_ns)),
	    NULL } },
	{ FILE_COUNT,
	  "count",
	  "allocations of a context and size, added up",
	  { sizeof(struct file_count),
	    FIELDS(FIELD(file_count, context), FIELD(file_count, array_length),
		   FIELD(file_count, size), FIELD(file_count, count), FIELD(file_count, weight),
		   FIELD(file_count, squares)),
	    NULL } },
	{ FILE_TALLY,
	  "tally",
	  "dropped observations of a context, counted",
	  { sizeof(struct file_tally),
	    FIELDS(FIELD(file_tally, context), PAD(file_tally, pad), FIELD(file_tally, snapshots),
		   FIELD(file_tally, uses), FIELD(file_tally, unused)),
	    NULL } },
	{ FILE_WASTE,
	  "waste-sum",
	  "pairs of accesses at two stacks, added up",
	  { sizeof(struct file_waste),
	    FIELDS(FIELD(file_waste, watched), FIELD(file_waste, trapped), FIELD(file_waste, kind),
		   FIELD(file_waste, insn_len), FIELD(file_waste, part), FIELD(file_waste, place),
		   FIELD(file_waste, count), FIELD(file_waste, wasted_count),
		   FIELD(file_waste, bytes), FIELD(file_waste, wasted_bytes),
		   FIELD(file_waste, squares), FIELD(file_waste, insn)),
	    NULL } },
	{ FILE_ACCESS,
	  "access-sum",
	  "accesses of a stack to a context's objects, added up",
	  { sizeof(struct file_access),
	    FIELDS(FIELD(file_access, context), FIELD(file_access, class_id),
		   FIELD(file_access, stack), FIELD(file_access, flags), PAD(file_access, pad),
		   FIELD(file_access, sums.count), FIELD(file_access, sums.objects),
		   FIELD(file_access, sums.weight), FIELD(file_access, sums.variance),
		   FIELD(file_access, sums.tlb), FIELD(file_access, sums.walk),
		   FIELD(file_access, sums.latency), FIELD(file_access, sums.latencies),
		   FIELD(file_access, sums.local), FIELD(file_access, sums.remote),
		   FIELD(file_access, sums.level), FIELD(file_access, sums.left_out),
		   FIELD(file_access, sums.squares)),
	    NULL } },
	{ FILE_THIN,
	  "thin",
	  "from here on fewer tickets are kept",
	  { sizeof(struct file_thin), FIELDS(FIELD(file_thin, halvings), PAD(file_thin, pad)),
	    NULL } },
	{ FILE_PART,
	  "part",
	  "a process of a recording that was merged; the evidence behind it is of it",
	  { sizeof(struct file_part),
	    FIELDS(FIELD(file_part, number), FIELD(file_part, pid), FIELD(file_part, id),
		   FIELD(file_part, recording), FIELD(file_part, process),
		   FIELD(file_part, start_unix_ns), FIELD(file_part, duration_ns)),
	    NULL } },
	{ FILE_SUM,
	  "sum",
	  "allocations of one context and size in all parts, added up",
	  { sizeof(struct file_sum),
	    FIELDS(FIELD(file_sum, context), FIELD(file_sum, array_length), FIELD(file_sum, size),
		   FIELD(file_sum, count), EXACT(file_sum, weight), EXACT(file_sum, squares)),
	    NULL } },
	{ FILE_POOLED,
	  "pooled",
	  "what else is summed up of a context in all parts",
	  { sizeof(struct file_pooled),
	    FIELDS(FIELD(file_pooled, context), PAD(file_pooled, pad), FIELD(file_pooled, below),
		   FIELD(file_pooled, pieces), FIELD(file_pooled, snapshots),
		   FIELD(file_pooled, uses), FIELD(file_pooled, kept_snapshots),
		   FIELD(file_pooled, kept_uses), FIELD(file_pooled, unused),
		   EXACT(file_pooled, others), EXACT(file_pooled, others_squares)),
	    NULL } },
	{ FILE_SEEN,
	  "seen",
	  "how much evidence of a context a pool had",
	  { sizeof(struct file_seen),
	    FIELDS(FIELD(file_seen, context), FIELD(file_seen, pieces), FIELD(file_seen, snapshots),
		   FIELD(file_seen, uses), FIELD(file_seen, snapshot_factor),
		   FIELD(file_seen, use_factor)),
	    NULL } },
	{ FILE_SECRET,
	  "secret",
	  "by which recordings with one secret are known; of the parts that follow",
	  { sizeof(struct file_secret), FIELDS(FIELD(file_secret, fingerprint)), NULL } },
	{ FILE_SIFTED,
	  "sifted",
	  "of a context, fewer tickets of a pool are here",
	  { sizeof(struct file_sifted),
	    FIELDS(FIELD(file_sifted, context), FIELD(file_sifted, halvings),
		   FIELD(file_sifted, snapshots), FIELD(file_sifted, uses)),
	    NULL } },
	{ FILE_END,
	  "end",
	  "the recording ended in order",
	  { sizeof(struct file_end),
	    FIELDS(FIELD(file_end, duration_ns), FIELD(file_end, wait_status), PAD(file_end, pad)),
	    NULL } },
};

const size_t record_ntypes = sizeof record_types / sizeof record_types[0];

_Static_assert(sizeof record_types / sizeof record_types[0] <= RECORD_TYPES_MAX, "too many");
