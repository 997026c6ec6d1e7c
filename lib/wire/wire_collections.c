/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_collections.c - see wire_collections.h.
 *
 * Rows of one class stand together, those of newer versions first. Of each count of changes here it
 * was made sure in the source that what takes elements out adds to it. So if the count and the size
 * are 0, no element was ever there: a constructor, clone() and readObject leave a size. Classes
 * that take elements out without counting that have a row without `changes`. test/t_fills.sh tries
 * those of the JDK on objects in all states, test/fills_libraries.py the others.
 */
#include "wire/wire_collections.h"

#include <stddef.h>

#include "wire/wire_fill.h"

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

#define SIZE	  .size = { .name = "size", "I" }
#define CHANGES	  .changes = { .name = "modCount", "I" }
#define TABLE(...) .table = { { .name = __VA_ARGS__ } }

#define TEXT_BUILDER(signature)                                                        \
	{ signature, WIRE_FILL_BUFFER, .size = { .name = "count", "I", BUILDER },              \
	  .coder = { .name = "coder", "B", BUILDER }, TABLE("value", "[B", BUILDER) }
#define FAST_LIST(type, element)                                                       \
	{ FAST type "ArrayList;", WIRE_FILL_LIST, SIZE, TABLE("a", element) }
#define FAST_SET(type, element)                                                        \
	{ FAST type "OpenHashSet;", WIRE_FILL_HASH, SIZE, TABLE("key", element) }
#define FAST_MAP(type, keys, values)                                                   \
	{ FAST type "OpenHashMap;", WIRE_FILL_HASH, SIZE,                              \
	  .table = { { .name = "key", keys }, { .name = "value", values } } }
#define ECLIPSE_LIST(type, element)                                                    \
	{ ECLIPSE "list/mutable/primitive/" type "ArrayList;", WIRE_FILL_BUFFER, SIZE, \
	  TABLE("items", element) }

const struct wire_collection wire_collections[] = {
	{ UTIL "ArrayList;", WIRE_FILL_LIST, SIZE, .changes = { .name = "modCount", "I", LIST },
	  TABLE("elementData", OBJECTS) },
	{ UTIL "Vector;", WIRE_FILL_LIST, .size = { .name = "elementCount", "I" },
	  .changes = { .name = "modCount", "I", LIST }, TABLE("elementData", OBJECTS) },
	{ UTIL "LinkedList;", WIRE_FILL_LINKED, SIZE,
	  .changes = { .name = "modCount", "I", LIST } },
	{ UTIL "HashMap;", WIRE_FILL_HASH, WIRE_COLLECTION_EACH, SIZE, CHANGES,
	  TABLE("table", "[" UTIL "HashMap$Node;") },
	{ UTIL "LinkedHashMap;", WIRE_FILL_HASH, WIRE_COLLECTION_EACH,
	  .size = { .name = "size", "I", UTIL "HashMap;" },
	  .changes = { .name = "modCount", "I", UTIL "HashMap;" },
	  TABLE("table", "[" UTIL "HashMap$Node;", UTIL "HashMap;") },
	{ UTIL "HashSet;", WIRE_FILL_HASH, .inner = { .name = "map", UTIL "HashMap;" } },
	{ UTIL "TreeMap;", WIRE_FILL_LINKED, SIZE, CHANGES },
	{ UTIL "TreeSet;", WIRE_FILL_LINKED, .inner = { .name = "m", UTIL "NavigableMap;" } },
	{ UTIL "Hashtable;", WIRE_FILL_HASH, .size = { .name = "count", "I" }, CHANGES,
	  TABLE("table", "[" UTIL "Hashtable$Entry;") },
	{ UTIL "IdentityHashMap;", WIRE_FILL_IDENTITY, SIZE, CHANGES, TABLE("table", OBJECTS) },
	{ UTIL "WeakHashMap;", WIRE_FILL_HASH, SIZE, CHANGES,
	  TABLE("table", "[" UTIL "WeakHashMap$Entry;") },
	{ UTIL "PriorityQueue;", WIRE_FILL_LIST, SIZE, CHANGES, TABLE("queue", OBJECTS) },
	{ UTIL "ArrayDeque;", WIRE_FILL_LIST, .size = { .name = "tail", "I" },
	  .from = { .name = "head", "I" },
	  TABLE("elements", OBJECTS) },
	{ UTIL "EnumMap;", WIRE_FILL_LINKED, SIZE },
	{ UTIL "BitSet;", WIRE_FILL_BUFFER, .size = { .name = "wordsInUse", "I" },
	  TABLE("words", "[J") },
	{ CONC "ConcurrentHashMap;", WIRE_FILL_HASH, WIRE_COLLECTION_LAZY,
	  .size = { .name = "baseCount", "J" },
	  .unless = { .name = "counterCells", "[" CONC "ConcurrentHashMap$CounterCell;" },
	  TABLE("table", "[" CONC "ConcurrentHashMap$Node;") },
	/* before JDK 12 its head is there from the start */
	{ CONC "ConcurrentSkipListMap;", WIRE_FILL_LINKED, WIRE_COLLECTION_LAZY,
	  .first = { .name = "head", CONC "ConcurrentSkipListMap$Index;" } },
	{ CONC "ConcurrentSkipListMap;", WIRE_FILL_LINKED, .rules = 0 },
	{ CONC "ArrayBlockingQueue;", WIRE_FILL_LIST, .size = { .name = "count", "I" },
	  TABLE("items", OBJECTS) },
	{ CONC "PriorityBlockingQueue;", WIRE_FILL_LIST, SIZE, TABLE("queue", OBJECTS) },
	{ CONC "LinkedBlockingDeque;", WIRE_FILL_LINKED, .size = { .name = "count", "I" } },
	TEXT_BUILDER("Ljava/lang/StringBuilder;"),
	TEXT_BUILDER("Ljava/lang/StringBuffer;"),
	{ "Ljava/io/StringWriter;", WIRE_FILL_BUFFER,
	  .inner = { .name = "buf", "Ljava/lang/StringBuffer;" } },
	{ "Ljava/io/ByteArrayOutputStream;", WIRE_FILL_BUFFER, .size = { .name = "count", "I" },
	  TABLE("buf", "[B") },
	{ "Ljava/io/CharArrayWriter;", WIRE_FILL_BUFFER, .size = { .name = "count", "I" },
	  TABLE("buf", "[C") },

	/* Scala 2.13, and 2.12 */
	{ SCALA "ArrayBuffer;", WIRE_FILL_LIST, .size = { .name = "size0", "I" },
	  .changes = { .name = "mutationCount", "I" }, TABLE("array", OBJECTS) },
	{ SCALA "ArrayBuffer;", WIRE_FILL_LIST, .size = { .name = "size0", "I" },
	  TABLE("array", OBJECTS) },
	{ SCALA "ListBuffer;", WIRE_FILL_LINKED, .size = { .name = "len", "I" },
	  .changes = { .name = "mutationCount", "I" } },
	{ SCALA "ListBuffer;", WIRE_FILL_LINKED, .size = { .name = "len", "I" } },
	{ SCALA "HashMap;", WIRE_FILL_HASH, .size = { .name = "contentSize", "I" },
	  TABLE("scala$collection$mutable$HashMap$$table", "[" SCALA "HashMap$Node;") },
	{ SCALA "HashMap;", WIRE_FILL_HASH, .size = { .name = "tableSize", "I" },
	  TABLE("table", "[" SCALA "HashEntry;") },
	{ SCALA "HashSet;", WIRE_FILL_HASH, .size = { .name = "contentSize", "I" },
	  TABLE("scala$collection$mutable$HashSet$$table", "[" SCALA "HashSet$Node;") },
	{ SCALA "HashSet;", WIRE_FILL_HASH, .size = { .name = "tableSize", "I" },
	  TABLE("table", OBJECTS) },
	{ SCALA "LinkedHashMap;", WIRE_FILL_HASH, .size = { .name = "contentSize", "I" },
	  TABLE("scala$collection$mutable$LinkedHashMap$$table",
		"[" SCALA "LinkedHashMap$LinkedEntry;") },
	{ SCALA "LinkedHashMap;", WIRE_FILL_HASH, .size = { .name = "tableSize", "I" },
	  TABLE("table", "[" SCALA "HashEntry;") },
	{ SCALA "ArrayDeque;", WIRE_FILL_LIST,
	  .size = { .name = "scala$collection$mutable$ArrayDeque$$end", "I" },
	  .from = { .name = "scala$collection$mutable$ArrayDeque$$start", "I" },
	  TABLE("array", OBJECTS) },

	{ KOTLIN "ArrayDeque;", WIRE_FILL_LIST, SIZE, TABLE("elementData", OBJECTS) },
	/* Kotlin 2, and 1 */
	{ KOTLIN "builders/ListBuilder;", WIRE_FILL_LIST, .size = { .name = "length", "I" },
	  TABLE("backing", OBJECTS) },
	{ KOTLIN "builders/ListBuilder;", WIRE_FILL_LIST, .size = { .name = "length", "I" },
	  TABLE("array", OBJECTS) },
	{ KOTLIN "builders/MapBuilder;", WIRE_FILL_HASH, SIZE,
	  .table = { { .name = "keysArray", OBJECTS }, { .name = "valuesArray", OBJECTS },
		     { .name = "presenceArray", "[I" }, { .name = "hashArray", "[I" } } },

	{ GUAVA "ArrayListMultimap;", WIRE_FILL_LINKED,
	  .size = { .name = "totalSize", "I", GUAVA "AbstractMapBasedMultimap;" } },
	{ GUAVA "HashMultimap;", WIRE_FILL_LINKED,
	  .size = { .name = "totalSize", "I", GUAVA "AbstractMapBasedMultimap;" } },
	{ GUAVA "LinkedListMultimap;", WIRE_FILL_LINKED, SIZE, CHANGES },
	{ GUAVA "HashBiMap;", WIRE_FILL_HASH, SIZE, CHANGES,
	  .table = { { .name = "hashTableKToV", "[" GUAVA "HashBiMap$Node;" },
		     { .name = "hashTableVToK", "[" GUAVA "HashBiMap$Node;" } } },
	/* before Guava 33.6 */
	{ GUAVA "HashBiMap;", WIRE_FILL_HASH, SIZE, CHANGES,
	  .table = { { .name = "hashTableKToV", "[" GUAVA "HashBiMap$BiEntry;" },
		     { .name = "hashTableVToK", "[" GUAVA "HashBiMap$BiEntry;" } } },
	{ GUAVA "MinMaxPriorityQueue;", WIRE_FILL_LIST, SIZE, CHANGES, TABLE("queue", OBJECTS) },
	{ GUAVA "CompactHashMap;", WIRE_FILL_HASH, SIZE,
	  .table = { { .name = "keys", OBJECTS },
		     { .name = "values", OBJECTS },
		     { .name = "entries", "[I" } } },
	{ GUAVA "CompactHashMap;", WIRE_FILL_HASH, SIZE,
	  .table = { { .name = "keys", OBJECTS },
		     { .name = "values", OBJECTS },
		     { .name = "entries", "[J" } } },
	{ GUAVA "CompactHashSet;", WIRE_FILL_HASH, SIZE,
	  .table = { { .name = "elements", OBJECTS }, { .name = "entries", "[I" } } },
	{ GUAVA "CompactHashSet;", WIRE_FILL_HASH, SIZE,
	  .table = { { .name = "elements", OBJECTS }, { .name = "entries", "[J" } } },

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
	{ ECLIPSE "map/mutable/UnifiedMap;", WIRE_FILL_IDENTITY,
	  .size = { .name = "occupied", "I" },
	  TABLE("table", OBJECTS) },
	{ ECLIPSE "set/mutable/UnifiedSet;", WIRE_FILL_HASH, .size = { .name = "occupied", "I" },
	  TABLE("table", OBJECTS) },
	ECLIPSE_LIST("Int", "[I"),
	ECLIPSE_LIST("Long", "[J"),
	ECLIPSE_LIST("Double", "[D"),
	{ .class = NULL },
};
/* clang-format on */
