#pragma once
#include <sys/types.h> /* sha2.h uses its types */
#include <sha2.h>
