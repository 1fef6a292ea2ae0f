"""The radio between the strap and the adapter, which is connected to the kernel through /dev/vhci."""

import asyncio
import os

from bumble.controller import Controller
from bumble.hci import HCI_ErrorCode, LeFeatureMask
from bumble.link import LocalLink
from bumble.transport import open_transport

ADAPTER_ADDRESS = "00:AA:01:00:00:00"
BREDR_CONTROLLER = bytes([0xFF, 0x00])


class Air(LocalLink):
    def send_acl_data(self, sender_controller, destination_address, transport, data):
        """Uses the address of the link: the kernel scans with another address."""
        link = sender_controller.le_connections.get(destination_address)
        receiver = self.find_le_controller(destination_address)
        if link and receiver:
            asyncio.get_running_loop().call_soon(receiver.on_link_acl_data, link.self_address, transport, data)

    def lose_links(self, strap=None):
        """Supervision timeout at both ends of all links, or of the link of one strap."""
        for controller in self.controllers:
            for peer, link in list(controller.le_connections.items()):
                is_meant = strap is None or str(peer).startswith(strap.address) or controller.name == strap.name
                if is_meant:
                    controller.on_le_disconnected(link, HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR)


class Adapter:
    def __init__(self, air):
        self.air = air
        self.transport = self.controller = None
        self.blockers = []

    async def plug(self):
        self.transport = await open_transport("vhci")
        self.controller = Controller(
            "adapter", self.transport.source, self.transport.sink, self.air, ADAPTER_ADDRESS)
        # With either feature, the kernel waits for an event at the end of a connection attempt that bumble does not send, and
        # queues other commands, such as Disconnect, until a timeout.
        self.controller.le_features &= ~(LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING)

    async def unplug(self):
        self.air.remove_controller(self.controller)
        await self.transport.close()
        self.transport = None
        self.air.lose_links()

    def take_index(self):
        """Another controller occupies the free index. It never answers, so bluetoothd does not see it."""
        blocker = os.open("/dev/vhci", os.O_RDWR)
        os.write(blocker, BREDR_CONTROLLER)
        self.blockers.append(blocker)

    async def remove(self):
        if self.transport:
            await self.unplug()
        for blocker in self.blockers:
            os.close(blocker)
