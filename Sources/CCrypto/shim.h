#pragma once
/* The functions of SHA-256 itself, as declared since OpenSSL 1.1. Those that OpenSSL 3 recommends load its list of algorithms,
   several megabytes of a static program. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>
