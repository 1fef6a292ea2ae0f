import HeartRate

/// Compares the sensor frames that bluetoothd sent while the session was subscribed with the stored ones: each is stored once
/// and in the sent order.
///
/// A bus that stops drops the messages in transit, and so does the end of the session: the last frames of such a
/// subscription may be missing, and are counted.
struct FrameAccount {
  private(set) var expected = 0
  private(set) var inTransit = 0
  private(set) var complaints: [String] = []

  init(sent log: SentLog, stored: [SessionEvent]) {
    let sent = log.frames
    var rest = Self.frames(stored)[...]
    expected = sent.count
    if rest.isEmpty { complaints.append("no sensor frame is stored") }
    var missing: [SentLog.Item] = []
    for item in sent {
      if rest.first == item.payload {
        rest.removeFirst()
        add(missing.filter { $0.subscription == item.subscription }, before: item)
        missing.removeAll { $0.subscription == item.subscription }
      } else {
        missing.append(item)
      }
    }
    add(missing.filter { !log.cutSubscriptions.contains($0.subscription) })
    inTransit = missing.count { log.cutSubscriptions.contains($0.subscription) }
    if !rest.isEmpty {
      complaints.append("\(rest.count) stored sensor frames are duplicates or out of order")
    }
  }

  private mutating func add(_ missing: [SentLog.Item], before next: SentLog.Item? = nil) {
    guard let first = missing.first else { return }
    complaints.append(
      "\(missing.count) sensor frames of \(first.subscription) from number \(first.number) after: "
        + "\(first.after?.rawValue ?? "the beginning"), are missing; stored next: "
        + (next.map { "number \($0.number) of \($0.subscription)" } ?? "none"))
  }

  private static func frames(_ stored: [SessionEvent]) -> [[UInt8]] {
    stored.compactMap { if case .sensorFrame(let payload) = $0.kind { payload } else { nil } }
  }
}
