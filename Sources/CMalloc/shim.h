#pragma once
/* Not part of the module map of Glibc. */
#include <malloc.h>
