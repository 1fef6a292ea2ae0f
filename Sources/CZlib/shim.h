#pragma once
#include <zlib.h>

/* inflateInit2 is a macro. Windows of 32 KiB, no header: the data of a zip entry. */
static inline int stressmon_inflate_begin(z_stream *stream) { return inflateInit2(stream, -15); }
