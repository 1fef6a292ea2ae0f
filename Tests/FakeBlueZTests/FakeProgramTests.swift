import DBus
import FakeBlueZ
import Glibc
import TestSupport
import Testing

@Test func theProgramServesStrapsAndLogsNotifications() throws {
  let folder = try TemporaryFolder()
  let rr = try folder.write("800\n1000\n", to: "rr.txt")
  let program = try Program(
    Program.besideTheTests("fake-bluez"),
    [
      "--strap", "C0:00:00:00:00:01=One", "--strap", "C0:00:00:00:00:02=Two", "--rate", "100",
      "--rr-file", rr, "--count", "3", "--log", folder.file("sent.jsonl"),
    ])
  let prefix = "DBUS_SYSTEM_BUS_ADDRESS="
  let address = try program.waitForLine { $0.hasPrefix(prefix) }.dropFirst(prefix.count)
  let client = try BusClient(address: String(address))
  try client.call(adapterPath, adapter1, "StartDiscovery")
  for device in [devicePath, adapterPath + "/dev_C0_00_00_00_00_02"] {
    #expect(client.waitForSignal { $0.member == "InterfacesAdded" && $0.object == device })
    try client.call(device, device1, "Connect")
    #expect(client.waitForSignal { $0.path == device && $0.change(of: "ServicesResolved") == .bool(true) })
    try client.call(device + "/service0010/char0011", characteristic1, "StartNotify")
  }
  try program.waitForLine { $0 == "SENT 3" }
  client.listen(seconds: 0.1)
  // 800 ms are 819 units of 1/1024 s (0x0333) at 75 bpm, 1000 ms are 1024 (0x0400) at 60.
  let expected: [[UInt8]] = [[0x10, 75, 0x33, 0x03], [0x10, 60, 0x00, 0x04], [0x10, 75, 0x33, 0x03]]
  let values = client.signals.filter { $0.path == measurementPath }.compactMap {
    $0.change(of: "Value")?.bytes
  }
  #expect(values == expected)
  program.signal(SIGTERM)
  #expect(try program.waitForExit() == .exited(0))

  let log = try Program("/bin/cat", [folder.file("sent.jsonl")])
  try log.waitForExit()
  #expect(log.outputLines.count == 6)
  #expect(log.outputLines.count { $0.contains(#""number":2,"#) && $0.hasSuffix(#""hex":"103c0004"}"#) } == 2)
}

@Test(arguments: [["--rate", "0"], ["--strap", "nonsense"], ["--count"], ["--unheard-of", "1"]])
func theProgramRejectsInvalidArguments(arguments: [String]) throws {
  let program = try Program(Program.besideTheTests("fake-bluez"), arguments)
  #expect(try program.waitForExit() == .exited(64))
  #expect(program.standardError.contains("usage: fake-bluez"))
}
