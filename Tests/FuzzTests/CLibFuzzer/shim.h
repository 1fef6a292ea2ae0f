// The entry of libFuzzer that takes its target as an argument (compiler-rt, FuzzerMain.cpp).
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *data, size_t size));
