#pragma once
#include <zlib.h>

/* inflateInit2 and deflateInit2 are macros. */

/* Windows of 32 KiB, no header: the data of a zip entry. */
static inline int stressmon_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }

/* Windows of 32 KiB, with a gzip header. */
static inline int stressmon_gunzip_begin(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

static inline int stressmon_gzip_begin(z_stream *stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
