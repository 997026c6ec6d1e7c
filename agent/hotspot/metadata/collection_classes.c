/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collection_classes.c - see collection_classes.h.
 *
 * An object's class counts if it is in the table, or if it is the subclass of one that is and
 * declares no field of its own: then it has no place for elements but its superclass's. Properties
 * inherits from Hashtable, but has a map of its own.
 *
 * Rows of one class stand together, those of newer versions first. Of each count of changes here it
 * was made sure in the source that what takes elements out adds to it. So if the count and the size
 * are 0, no element was ever there: a constructor, clone() and readObject leave a size. Classes
 * that take elements out without counting that have a row without `changes`. test/t_fills.sh tries
 * those of the JDK on objects in all states, test/fills_libraries.py the others.
 */
#include "hotspot/metadata/collection_classes.h"

#include <string.h>

#include "core/link.h"
#include "wire/wire.h"

struct field {
	const char *name, *type;
	const char *declarer; /* NULL: the class of the row */
};

struct collection_class {
	const char *class;
	uint16_t kind;
	uint8_t rules;
	struct field inner, size, changes, from, unless, first, coder, table[COLLECTION_TABLES];
};

/* clang-format off */
#define UTIL	"Ljava/util/"
#define CONC	UTIL "concurrent/"
#define LIST	UTIL "AbstractList;"
#define BUILDER "Ljava/lang/AbstractStringBuilder;"
#define SCALA	"Lscala/collection/mutable/"
#define KOTLIN	"Lkotlin/collections/"
#define GUAVA	"Lcom/google/common/collect/"
#define FAST	"Lit/unimi/dsi/fastutil/"
#define ECLIPSE	"Lorg/eclipse/collections/impl/"
#define OBJECTS "[Ljava/lang/Object;"

#define SIZE	  .size = { "size", "I" }
#define CHANGES	  .changes = { "modCount", "I" }
#define TABLE(...) .table = { { __VA_ARGS__ } }

#define TEXT_BUILDER(signature)                                                        \
	{ signature, WIRE_FILL_BUFFER, .size = { "count", "I", BUILDER },              \
	  .coder = { "coder", "B", BUILDER }, TABLE("value", "[B", BUILDER) }
#define FAST_LIST(type, element)                                                       \
	{ FAST type "ArrayList;", WIRE_FILL_LIST, SIZE, TABLE("a", element) }
#define FAST_SET(type, element)                                                        \
	{ FAST type "OpenHashSet;", WIRE_FILL_HASH, SIZE, TABLE("key", element) }
#define FAST_MAP(type, keys, values)                                                   \
	{ FAST type "OpenHashMap;", WIRE_FILL_HASH, SIZE,                              \
	  .table = { { "key", keys }, { "value", values } } }
#define ECLIPSE_LIST(type, element)                                                    \
	{ ECLIPSE "list/mutable/primitive/" type "ArrayList;", WIRE_FILL_BUFFER, SIZE, \
	  TABLE("items", element) }

static const struct collection_class rows[] = {
	{ UTIL "ArrayList;", WIRE_FILL_LIST, SIZE, .changes = { "modCount", "I", LIST },
	  TABLE("elementData", OBJECTS) },
	{ UTIL "Vector;", WIRE_FILL_LIST, .size = { "elementCount", "I" },
	  .changes = { "modCount", "I", LIST }, TABLE("elementData", OBJECTS) },
	{ UTIL "LinkedList;", WIRE_FILL_LINKED, SIZE, .changes = { "modCount", "I", LIST } },
	{ UTIL "HashMap;", WIRE_FILL_HASH, COLLECTION_EACH, SIZE, CHANGES,
	  TABLE("table", "[" UTIL "HashMap$Node;") },
	{ UTIL "LinkedHashMap;", WIRE_FILL_HASH, COLLECTION_EACH,
	  .size = { "size", "I", UTIL "HashMap;" }, .changes = { "modCount", "I", UTIL "HashMap;" },
	  TABLE("table", "[" UTIL "HashMap$Node;", UTIL "HashMap;") },
	{ UTIL "HashSet;", WIRE_FILL_HASH, .inner = { "map", UTIL "HashMap;" } },
	{ UTIL "TreeMap;", WIRE_FILL_LINKED, SIZE, CHANGES },
	{ UTIL "TreeSet;", WIRE_FILL_LINKED, .inner = { "m", UTIL "NavigableMap;" } },
	{ UTIL "Hashtable;", WIRE_FILL_HASH, .size = { "count", "I" }, CHANGES,
	  TABLE("table", "[" UTIL "Hashtable$Entry;") },
	{ UTIL "IdentityHashMap;", WIRE_FILL_IDENTITY, SIZE, CHANGES, TABLE("table", OBJECTS) },
	{ UTIL "WeakHashMap;", WIRE_FILL_HASH, SIZE, CHANGES,
	  TABLE("table", "[" UTIL "WeakHashMap$Entry;") },
	{ UTIL "PriorityQueue;", WIRE_FILL_LIST, SIZE, CHANGES, TABLE("queue", OBJECTS) },
	{ UTIL "ArrayDeque;", WIRE_FILL_LIST, .size = { "tail", "I" }, .from = { "head", "I" },
	  TABLE("elements", OBJECTS) },
	{ UTIL "EnumMap;", WIRE_FILL_LINKED, SIZE },
	{ UTIL "BitSet;", WIRE_FILL_BUFFER, .size = { "wordsInUse", "I" }, TABLE("words", "[J") },
	{ CONC "ConcurrentHashMap;", WIRE_FILL_HASH, COLLECTION_LAZY, .size = { "baseCount", "J" },
	  .unless = { "counterCells", "[" CONC "ConcurrentHashMap$CounterCell;" },
	  TABLE("table", "[" CONC "ConcurrentHashMap$Node;") },
	/* before JDK 12 its head is there from the start */
	{ CONC "ConcurrentSkipListMap;", WIRE_FILL_LINKED, COLLECTION_LAZY,
	  .first = { "head", CONC "ConcurrentSkipListMap$Index;" } },
	{ CONC "ConcurrentSkipListMap;", WIRE_FILL_LINKED, .rules = 0 },
	{ CONC "ArrayBlockingQueue;", WIRE_FILL_LIST, .size = { "count", "I" },
	  TABLE("items", OBJECTS) },
	{ CONC "PriorityBlockingQueue;", WIRE_FILL_LIST, SIZE, TABLE("queue", OBJECTS) },
	{ CONC "LinkedBlockingDeque;", WIRE_FILL_LINKED, .size = { "count", "I" } },
	TEXT_BUILDER("Ljava/lang/StringBuilder;"),
	TEXT_BUILDER("Ljava/lang/StringBuffer;"),
	{ "Ljava/io/StringWriter;", WIRE_FILL_BUFFER,
	  .inner = { "buf", "Ljava/lang/StringBuffer;" } },
	{ "Ljava/io/ByteArrayOutputStream;", WIRE_FILL_BUFFER, .size = { "count", "I" },
	  TABLE("buf", "[B") },
	{ "Ljava/io/CharArrayWriter;", WIRE_FILL_BUFFER, .size = { "count", "I" },
	  TABLE("buf", "[C") },

	/* Scala 2.13, and 2.12 */
	{ SCALA "ArrayBuffer;", WIRE_FILL_LIST, .size = { "size0", "I" },
	  .changes = { "mutationCount", "I" }, TABLE("array", OBJECTS) },
	{ SCALA "ArrayBuffer;", WIRE_FILL_LIST, .size = { "size0", "I" }, TABLE("array", OBJECTS) },
	{ SCALA "ListBuffer;", WIRE_FILL_LINKED, .size = { "len", "I" },
	  .changes = { "mutationCount", "I" } },
	{ SCALA "ListBuffer;", WIRE_FILL_LINKED, .size = { "len", "I" } },
	{ SCALA "HashMap;", WIRE_FILL_HASH, .size = { "contentSize", "I" },
	  TABLE("scala$collection$mutable$HashMap$$table", "[" SCALA "HashMap$Node;") },
	{ SCALA "HashMap;", WIRE_FILL_HASH, .size = { "tableSize", "I" },
	  TABLE("table", "[" SCALA "HashEntry;") },
	{ SCALA "HashSet;", WIRE_FILL_HASH, .size = { "contentSize", "I" },
	  TABLE("scala$collection$mutable$HashSet$$table", "[" SCALA "HashSet$Node;") },
	{ SCALA "HashSet;", WIRE_FILL_HASH, .size = { "tableSize", "I" }, TABLE("table", OBJECTS) },
	{ SCALA "LinkedHashMap;", WIRE_FILL_HASH, .size = { "contentSize", "I" },
	  TABLE("scala$collection$mutable$LinkedHashMap$$table",
		"[" SCALA "LinkedHashMap$LinkedEntry;") },
	{ SCALA "LinkedHashMap;", WIRE_FILL_HASH, .size = { "tableSize", "I" },
	  TABLE("table", "[" SCALA "HashEntry;") },
	{ SCALA "ArrayDeque;", WIRE_FILL_LIST,
	  .size = { "scala$collection$mutable$ArrayDeque$$end", "I" },
	  .from = { "scala$collection$mutable$ArrayDeque$$start", "I" }, TABLE("array", OBJECTS) },

	{ KOTLIN "ArrayDeque;", WIRE_FILL_LIST, SIZE, TABLE("elementData", OBJECTS) },
	{ KOTLIN "builders/ListBuilder;", WIRE_FILL_LIST, .size = { "length", "I" },
	  TABLE("array", OBJECTS) },
	{ KOTLIN "builders/MapBuilder;", WIRE_FILL_HASH, SIZE,
	  .table = { { "keysArray", OBJECTS }, { "valuesArray", OBJECTS },
		     { "presenceArray", "[I" }, { "hashArray", "[I" } } },

	{ GUAVA "ArrayListMultimap;", WIRE_FILL_LINKED,
	  .size = { "totalSize", "I", GUAVA "AbstractMapBasedMultimap;" } },
	{ GUAVA "HashMultimap;", WIRE_FILL_LINKED,
	  .size = { "totalSize", "I", GUAVA "AbstractMapBasedMultimap;" } },
	{ GUAVA "LinkedListMultimap;", WIRE_FILL_LINKED, SIZE, CHANGES },
	{ GUAVA "HashBiMap;", WIRE_FILL_HASH, SIZE, CHANGES,
	  .table = { { "hashTableKToV", "[" GUAVA "HashBiMap$BiEntry;" },
		     { "hashTableVToK", "[" GUAVA "HashBiMap$BiEntry;" } } },
	{ GUAVA "MinMaxPriorityQueue;", WIRE_FILL_LIST, SIZE, CHANGES, TABLE("queue", OBJECTS) },
	{ GUAVA "CompactHashMap;", WIRE_FILL_HASH, SIZE,
	  .table = { { "keys", OBJECTS }, { "values", OBJECTS }, { "entries", "[I" } } },
	{ GUAVA "CompactHashMap;", WIRE_FILL_HASH, SIZE,
	  .table = { { "keys", OBJECTS }, { "values", OBJECTS }, { "entries", "[J" } } },
	{ GUAVA "CompactHashSet;", WIRE_FILL_HASH, SIZE,
	  .table = { { "elements", OBJECTS }, { "entries", "[I" } } },
	{ GUAVA "CompactHashSet;", WIRE_FILL_HASH, SIZE,
	  .table = { { "elements", OBJECTS }, { "entries", "[J" } } },

	FAST_LIST("ints/Int", "[I"),
	FAST_LIST("longs/Long", "[J"),
	FAST_LIST("doubles/Double", "[D"),
	FAST_LIST("objects/Object", OBJECTS),
	FAST_LIST("objects/Reference", OBJECTS),
	FAST_SET("ints/Int", "[I"),
	FAST_SET("longs/Long", "[J"),
	FAST_SET("objects/Object", OBJECTS),
	FAST_SET("objects/Reference", OBJECTS),
	FAST_MAP("ints/Int2Int", "[I", "[I"),
	FAST_MAP("ints/Int2Object", "[I", OBJECTS),
	FAST_MAP("longs/Long2Long", "[J", "[J"),
	FAST_MAP("longs/Long2Object", "[J", OBJECTS),
	FAST_MAP("objects/Object2Int", OBJECTS, "[I"),
	FAST_MAP("objects/Object2Long", OBJECTS, "[J"),
	FAST_MAP("objects/Object2Object", OBJECTS, OBJECTS),
	FAST_MAP("objects/Reference2Object", OBJECTS, OBJECTS),

	{ ECLIPSE "list/mutable/FastList;", WIRE_FILL_LIST, SIZE, TABLE("items", OBJECTS) },
	{ ECLIPSE "map/mutable/UnifiedMap;", WIRE_FILL_IDENTITY, .size = { "occupied", "I" },
	  TABLE("table", OBJECTS) },
	{ ECLIPSE "set/mutable/UnifiedSet;", WIRE_FILL_HASH, .size = { "occupied", "I" },
	  TABLE("table", OBJECTS) },
	ECLIPSE_LIST("Int", "[I"),
	ECLIPSE_LIST("Long", "[J"),
	ECLIPSE_LIST("Double", "[D"),
};
/* clang-format on */

#define ROWS (sizeof rows / sizeof rows[0])

/* Those that others have inside, all of the JDK. */
static struct inner {
	const char *signature, *name;
	bool exact; /* the field can have objects of other classes, too */
	bool known;
	uint64_t word;
	struct collection is;
} inners[] = {
	{ .signature = UTIL "HashMap;", .name = "java/util/HashMap" },
	{ .signature = "Ljava/lang/StringBuffer;", .name = "java/lang/StringBuffer" },
	{ .signature = UTIL "NavigableMap;", .name = "java/util/TreeMap", .exact = true },
};

#define INNERS (sizeof inners / sizeof inners[0])

const struct collection_class *collection_class(const char *signature)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].class, signature) == 0)
			return &rows[i];
	return NULL;
}

/* Finds a field that the row names; false if the class has no such field. */
static bool place(const struct class_plan *plan, const struct collection_class *row,
		  const struct field *f, struct collection *to, struct collection_place *at)
{
	const char *declarer = f->declarer ? f->declarer : row->class;

	*at = (struct collection_place){ 0 };
	if (!f->name)
		return true;
	for (size_t i = 0; i < plan->n; i++) {
		const struct class_field *own = &plan->fields[i];
		if (strcmp(own->name, f->name) != 0 || strcmp(own->signature, f->type) != 0 ||
		    strcmp(own->declarer, declarer) != 0)
			continue;
		*at = (struct collection_place){ own->offset, own->size };
		if (to->end < at->offset + at->size)
			to->end = at->offset + at->size;
		return true;
	}
	return false;
}

/* The class that a row has inside. */
static bool take_inner(const char *signature, struct collection *to)
{
	struct collection_place inner = to->inner;

	for (size_t i = 0; i < INNERS; i++)
		if (inners[i].known && strcmp(inners[i].signature, signature) == 0) {
			*to = inners[i].is;
			to->inner = inner;
			to->word = inners[i].exact ? inners[i].word : 0;
			return true;
		}
	return false;
}

static bool fits(const struct class_plan *plan, const struct collection_class *row,
		 struct collection *to)
{
	*to = (struct collection){ .kind = row->kind, .rules = row->rules };
	bool ok = place(plan, row, &row->inner, to, &to->inner) &&
		  place(plan, row, &row->size, to, &to->size) &&
		  place(plan, row, &row->changes, to, &to->changes) &&
		  place(plan, row, &row->from, to, &to->from) &&
		  place(plan, row, &row->unless, to, &to->unless) &&
		  place(plan, row, &row->first, to, &to->first) &&
		  place(plan, row, &row->coder, to, &to->coder);

	for (uint32_t i = 0; ok && i < COLLECTION_TABLES; i++)
		ok = place(plan, row, &row->table[i], to, &to->table[i]);
	return ok && (!row->inner.name || take_inner(row->inner.type, to));
}

bool collection_of(const struct class_plan *plan, const struct collection_class *first,
		   struct collection *to)
{
	for (const struct collection_class *row = first;
	     row < rows + ROWS && strcmp(row->class, first->class) == 0; row++)
		if (fits(plan, row, to))
			return true;
	link_note("how full objects are is not told of %.*s: its fields are others than known",
		  (int)strlen(first->class) - 2, first->class + 1);
	return false;
}

const char *collection_inner_name(uint32_t i)
{
	return i < INNERS ? inners[i].name : NULL;
}

void collection_inner(uint32_t i, const struct class_plan *plan, uint64_t word)
{
	inners[i].word = word;
	inners[i].known = plan->collection && (word || !inners[i].exact) &&
			  collection_of(plan, plan->collection, &inners[i].is);
}
