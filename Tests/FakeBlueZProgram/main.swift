import FakeBlueZ
import Glibc

func fail(_ message: String, code: CInt) -> Never {
  let text = "fake-bluez: \(message)\n"
  _ = write(2, text, text.utf8.count)
  exit(code)
}

func printLine(_ line: String) {
  let text = line + "\n"
  _ = write(1, text, text.utf8.count)
}

/// The RR intervals in the file at `path`, in ms, one per line.
func intervals(in path: String) -> [Double] {
  guard let file = fopen(path, "r") else { fail("cannot open \(path)", code: 1) }
  defer { fclose(file) }
  var found: [Double] = []
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, CInt(line.count), file) != nil {
    let bytes = line.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map(UInt8.init(bitPattern:))
    if let rr = Double(String(decoding: bytes, as: UTF8.self)) { found.append(rr) }
  }
  if found.isEmpty { fail("\(path) contains no RR intervals in ms", code: 1) }
  return found
}

func hex(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}

/// Writes each line immediately, so that a killed program leaves only complete lines.
func openLog(_ path: String) -> CInt {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  if descriptor < 0 { fail("cannot write \(path)", code: 1) }
  return descriptor
}

func run(_ arguments: Arguments) throws {
  let bus = arguments.address == nil ? try PrivateBus() : nil
  let address = arguments.address ?? bus?.address ?? ""
  let fake = try FakeBlueZ(address: address)
  let log = arguments.log.map(openLog)
  let straps = arguments.straps.count
  let total = arguments.count.map { $0 * straps }
  let progress = Progress()
  fake.onSent { sent in
    if let log {
      let line =
        #"{"strap":"\#(sent.strap)","number":\#(sent.number),"#
        + #""monotonic_s":\#(Double(sent.nanoseconds) / 1e9),"hex":"\#(hex(sent.payload))"}"# + "\n"
      _ = write(log, line, line.utf8.count)
    }
    if progress.add() == total { printLine("SENT \(arguments.count ?? 0)") }
  }
  // A synthetic minute at about 75 bpm with waves of 0.1 Hz.
  let synthetic = (0..<75).map { 800 + 40 * sin(2 * .pi * Double($0) / 12.5) }
  let payloads = Payloads.onePerBeat(arguments.rrFile.map(intervals) ?? synthetic)
  for strap in arguments.straps {
    fake.add(strap).stream(payloads, rate: arguments.rate, count: arguments.count)
  }
  printLine("DBUS_SYSTEM_BUS_ADDRESS=\(address)")
  waitForSignal()
  withExtendedLifetime((bus, fake)) {}
}

func waitForSignal() {
  var signals = endingSignals()
  var received: CInt = 0
  sigwait(&signals, &received)
}

func endingSignals() -> sigset_t {
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGINT)
  sigaddset(&signals, SIGTERM)
  return signals
}

// Blocked before any thread starts, so that only `waitForSignal` receives the signals.
var signals = endingSignals()
pthread_sigmask(SIG_BLOCK, &signals, nil)
if CommandLine.arguments.contains("--help") {
  print(usage)
  exit(0)
}
do {
  try run(Arguments(Array(CommandLine.arguments.dropFirst())))
} catch let mistake as Arguments.UsageError {
  fail(mistake.message + "\n" + usage, code: 64)
} catch {
  fail("\(error)", code: 1)
}
