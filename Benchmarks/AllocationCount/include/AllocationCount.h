#pragma once
/// The number of blocks that the calling thread has requested from malloc, calloc, realloc and aligned_alloc.
unsigned long allocation_count(void);
