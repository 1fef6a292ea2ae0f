#pragma once
#include <sys/types.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>

/* The ioctl numbers are macros over structures, which Swift cannot import. */
enum {
  stressmon_HCIGETDEVLIST = (int)HCIGETDEVLIST,
  stressmon_HCIGETDEVINFO = (int)HCIGETDEVINFO,
};
