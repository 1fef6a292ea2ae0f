#pragma once
#include <dbus/dbus.h>
#include <sys/eventfd.h> /* eventfd is not in Swift's Glibc module */
