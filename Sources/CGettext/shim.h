#pragma once
/* Part of glibc, but not of Swift's module of it. */
#include <libintl.h>
