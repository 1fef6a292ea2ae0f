#pragma once
#include <expat.h>
#include <malloc.h> /* malloc_usable_size is not in Swift's Glibc module */
