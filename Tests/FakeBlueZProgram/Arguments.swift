import FakeBlueZ
import Simulator

let usage = """
  usage: fake-bluez [--address unix:path=SOCKET] [--strap ADDRESS=NAME]... [--rate N] [--rr-file FILE] [--count N]
                    [--log FILE] [--motion ACTIVITIES]

  A bluetoothd with heart-rate straps, for benchmarks and tries by hand. Until SIGINT or SIGTERM.

    --address A       an existing bus; without it one is started, and its address printed
    --strap ADDR=NAME a strap on the air (default C0:00:00:00:00:01=Polar H10 TEST)
    --rate N          notifications per second while somebody is subscribed (default 1)
    --rr-file FILE    RR in ms, one a line and notification, over and over (default: a made-up minute)
    --count N         stop sending after N notifications of each strap, and say "SENT N" once all have
    --motion SCRIPT   straps also send acceleration, such as walking or breathing:60,walking:60
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

  struct Mistake: Error { let message: String }

  init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    while let option = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Mistake(message: "\(option): no value, or unknown") }
      try take(option, value)
    }
    if straps.isEmpty { straps = [FakeStrap(address: "C0:00:00:00:00:01", name: "Polar H10 TEST")] }
    if let motion { for index in straps.indices { straps[index].sensors = FakeSensors(script: motion) } }
  }

  private mutating func take(_ option: String, _ value: String) throws(Mistake) {
    switch option {
    case "--address": address = value
    case "--strap": straps.append(try strap(value))
    case "--rate": rate = try positive(Double(value), option, value)
    case "--rr-file": rrFile = value
    case "--count": count = try positive(Int(value), option, value)
    case "--log": log = value
    case "--motion":
      guard let script = MotionScript(value) else { throw Mistake(message: "--motion \(value): unknown") }
      motion = script
    default: throw Mistake(message: "\(option): unknown")
    }
  }

  private func strap(_ text: String) throws(Mistake) -> FakeStrap {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].utf8.count == 17 else {
      throw Mistake(message: "--strap \(text): not ADDRESS=NAME, as C0:00:00:00:00:01=Polar")
    }
    return FakeStrap(address: parts[0], name: parts[1])
  }

  private func positive<Number: Comparable & Numeric>(
    _ number: Number?, _ option: String, _ value: String
  ) throws(Mistake) -> Number {
    guard let number, number > 0 else { throw Mistake(message: "\(option) \(value): not a number above 0") }
    return number
  }
}
