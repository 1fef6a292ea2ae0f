import FakeBlueZ
import Simulator

let usage = """
  usage: fake-bluez [--address unix:path=SOCKET] [--strap ADDRESS=NAME]... [--rate N] [--rr-file FILE] [--count N]
                    [--log FILE] [--motion ACTIVITIES] [--battery PERCENT]

  A fake bluetoothd with heart-rate straps, for benchmarks and manual tests. Runs until SIGINT or SIGTERM.

    --address A       an existing bus (default: a new private bus, whose address is printed)
    --strap ADDR=NAME a strap in range (default C0:00:00:00:00:01=Polar H10 TEST)
    --rate N          notifications per second to a subscriber (default 1)
    --rr-file FILE    RR intervals in ms, one per line and notification, repeated (default: a synthetic minute)
    --count N         stop after N notifications of each strap, and print "SENT N"
    --motion SCRIPT   straps also send acceleration, such as walking or breathing:60,walking:60
    --battery PERCENT the charge that straps report (default 90)
    --log FILE        one JSON line per notification sent: strap, number, monotonic_s, hex

  """

struct Arguments {
  var address: String?
  var straps: [FakeStrap] = []
  var rate = 1.0
  var rrFile: String?
  var count: Int?
  var log: String?
  var motion: MotionScript?
  var battery: UInt8?

  struct UsageError: Error { let message: String }

  init(_ words: [String]) throws(UsageError) {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else {
        throw UsageError(message: "\(option): unknown option, or missing value")
      }
      try parse(option, value)
    }
    if straps.isEmpty { straps = [FakeStrap(address: "C0:00:00:00:00:01", name: "Polar H10 TEST")] }
    if let battery { for index in straps.indices { straps[index].battery = battery } }
    if let motion { for index in straps.indices { straps[index].sensors = FakeSensors(script: motion) } }
  }

  private mutating func parse(_ option: String, _ value: String) throws(UsageError) {
    switch option {
    case "--address": address = value
    case "--strap": straps.append(try strap(value))
    case "--rate": rate = try positive(Double(value), option, value)
    case "--rr-file": rrFile = value
    case "--count": count = try positive(Int(value), option, value)
    case "--log": log = value
    case "--battery": battery = try positive(UInt8(value), option, value)
    case "--motion":
      guard let script = MotionScript(value) else {
        throw UsageError(message: "--motion \(value): unknown activity")
      }
      motion = script
    default: throw UsageError(message: "\(option): unknown option")
    }
  }

  private func strap(_ text: String) throws(UsageError) -> FakeStrap {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].utf8.count == 17 else {
      throw UsageError(message: "--strap \(text): expected ADDRESS=NAME, for example C0:00:00:00:00:01=Polar")
    }
    return FakeStrap(address: parts[0], name: parts[1])
  }

  private func positive<Number: Comparable & Numeric>(
    _ number: Number?, _ option: String, _ value: String
  ) throws(UsageError) -> Number {
    guard let number, number > 0 else {
      throw UsageError(message: "\(option) \(value): expected a number above 0")
    }
    return number
  }
}
