// Copies the data of ICU without the parts that stressmon does not use.
//
//   icu_data < icudt76l.dat > small.dat
//
// The format is that of "Common data" in ICU (source/common/ucmndata.h): a header whose first 16 bits are its length, the number of
// items, and for each item the offsets of its name and its content from the end of the header. Names are sorted, and each content
// begins at a multiple of 16. icupkg of Debian 12 cannot read a file with this many names.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  uint32_t name, content;
};

static void fail(const char *reason) {
  fprintf(stderr, "icu_data: %s\n", reason);
  exit(1);
}

// Whether `text` ends with `end`.
static bool ends(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

// Whether a resource bundle holds the texts of a locale such as de, de_AT or zh_Hant, and not data of all locales such as
// zoneinfo64. Codes of languages have two or three letters.
static bool is_locale(const char *file) {
  size_t letters = strspn(file, "abcdefghijklmnopqrstuvwxyz");
  return (letters == 2 || letters == 3) && (file[letters] == '_' || file[letters] == '.');
}

// Whether an item belongs to a tree of texts: currencies, languages, regions, units, names of zones, transliteration. ICU reports a
// missing tree as a missing resource.
static bool is_text(const char *name) {
  static const char *const trees[] = {"/curr/", "/lang/", "/region/", "/unit/", "/zone/", "/rbnf/", "/translit/"};
  for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
    if (strstr(name, trees[i])) return true;
  return false;
}

// Whether an item contains the boundaries of one language or style of lines, such as brkitr/line_loose_cj.brk.
static bool is_boundary_variant(const char *name, const char *file) {
  return strstr(name, "/brkitr/") && ends(file, ".brk") && strchr(file, '_');
}

// Whether an item remains. Removed are converters of character sets, profiles of string preparation, transliteration, dictionaries
// of line breaking, names of characters, and the texts of all locales except the dates and numbers of English. ICU uses those of the
// root locale instead.
static bool remains(const char *name) {
  const char *file = strrchr(name, '/');
  file = file ? file + 1 : name;
  if (ends(name, ".cnv") || ends(name, ".spp") || ends(name, ".dict") || ends(name, ".cfu")) return false;
  if (strstr(name, "/unames.icu") || strstr(name, "/cnvalias.icu")) return false;
  if (is_text(name) || is_boundary_variant(name, file)) return false;
  return !ends(name, ".res") || !is_locale(file) || strcmp(file, "en.res") == 0 || strcmp(file, "en_US.res") == 0;
}

static uint8_t *read_all(size_t *length) {
  size_t capacity = 1 << 26;
  uint8_t *bytes = malloc(capacity);
  if (!bytes) fail("no memory");
  *length = fread(bytes, 1, capacity, stdin);
  if (*length == capacity) fail("the input is larger than 64 MB");
  return bytes;
}

static void write_all(const void *bytes, size_t length) {
  if (fwrite(bytes, 1, length, stdout) != length) fail("cannot write");
}

int main(void) {
  size_t length;
  uint8_t *bytes = read_all(&length);
  if (length < 32 || bytes[2] != 0xda || bytes[3] != 0x27 || memcmp(bytes + 12, "CmnD", 4) != 0) fail("not common data of ICU");
  uint16_t header;
  memcpy(&header, bytes, sizeof header);
  const uint8_t *base = bytes + header;
  size_t size = length - header;
  uint32_t count;
  memcpy(&count, base, sizeof count);
  const struct entry *entries = (const struct entry *)(base + sizeof count);
  if (size < sizeof count + (size_t)count * sizeof *entries) fail("the table of contents is truncated");

  struct entry *kept = calloc(count, sizeof *kept);
  uint32_t *ends_at = calloc(count, sizeof *ends_at);
  if (!kept || !ends_at) fail("no memory");
  uint32_t number = 0, names = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t end = i + 1 < count ? entries[i + 1].content : (uint32_t)size;
    if (entries[i].name >= size || entries[i].content > end || end > size) fail("an offset is out of range");
    const char *name = (const char *)base + entries[i].name;
    if (!memchr(name, 0, size - entries[i].name)) fail("a name is not terminated");
    if (!remains(name)) continue;
    kept[number] = entries[i];
    ends_at[number++] = end;
    names += (uint32_t)strlen(name) + 1;
  }

  // The header, then names and contents in the order of the table.
  write_all(bytes, header);
  write_all(&number, sizeof number);
  uint32_t name_at = sizeof number + number * (uint32_t)sizeof *entries;
  uint32_t content_at = (name_at + names + 15) & ~15u, first = content_at;
  for (uint32_t i = 0; i < number; i++) {
    struct entry entry = {name_at, content_at};
    write_all(&entry, sizeof entry);
    name_at += (uint32_t)strlen((const char *)base + kept[i].name) + 1;
    content_at += (ends_at[i] - kept[i].content + 15) & ~15u;
  }
  for (uint32_t i = 0; i < number; i++) {
    const char *name = (const char *)base + kept[i].name;
    write_all(name, strlen(name) + 1);
  }
  const uint8_t zeros[16] = {0};
  write_all(zeros, first - name_at);
  for (uint32_t i = 0; i < number; i++) {
    uint32_t content = ends_at[i] - kept[i].content;
    write_all(base + kept[i].content, content);
    write_all(zeros, (16 - content % 16) % 16);
  }
  if (fflush(stdout) != 0) fail("cannot write");
  fprintf(stderr, "icu_data: %u of %u items, %.1f of %.1f MB\n", number, count, (header + content_at) / 1e6, length / 1e6);
  return 0;
}
