#pragma once
/// How many blocks the calling thread has asked of malloc, calloc, realloc and aligned_alloc so far.
unsigned long allocation_count(void);
