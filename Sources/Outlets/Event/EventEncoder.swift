package import HeartRate
import JSONLines
import LiveSession
import Stress

/// Events as JSON objects, for webhooks and programs. `docs/reference/json.md` has their keys.
package struct EventEncoder: OutletEncoder {
  package enum Kind: String, CaseIterable, Sendable {
    /// The live values, at an interval.
    case values
    /// A new category.
    case category
    /// The beginning or the end of a session, of the connection to the strap, or of live values.
    case session
    /// A mark, and an interruption of the data with the text `gap`.
    case mark
  }

  package struct Message: Equatable, Sendable {
    package let kind: Kind
    /// One JSON object without a line feed.
    package let body: [UInt8]
  }

  package struct Options: Equatable, Sendable {
    package var kinds = Set(Kind.allCases)
    /// Time between two messages with values in s.
    package var interval = 10

    package init() {}

    /// Sets an option of a target. Returns false for an unknown option and an invalid value.
    mutating func set(_ option: String, _ value: String) -> Bool {
      switch option {
      case "events":
        let names = value.split(separator: ",").map { Kind(rawValue: String($0)) }
        guard !names.isEmpty, !names.contains(nil) else { return false }
        kinds = Set(names.compactMap(\.self))
      case "interval":
        guard let seconds = Int(value), (1...3600).contains(seconds) else { return false }
        interval = seconds
      default: return false
      }
      return true
    }
  }

  private let options: Options
  private let wallTime: @Sendable () -> WallTime
  private var values = LiveValues.withdrawn
  private var nextValues: Int64?

  /// - Parameter wallTime: the current time.
  package init(_ options: Options, wallTime: @escaping @Sendable () -> WallTime) {
    (self.options, self.wallTime) = (options, wallTime)
  }

  package mutating func encode(_ event: TimedEvent, at now: Int64) -> [Message] {
    switch event.event {
    case .values(let new):
      let old = values
      values = new
      return changes(from: old) + (values.isLive ? due(at: now) : stop())
    case .marker(let text): return message(.mark) { $0.put("text", text) }
    case .beat, .ecg: return []
    }
  }

  /// Events have no state to repeat.
  package mutating func connected(at now: Int64) -> [Message] { [] }

  package var nextDeadline: Int64? { nextValues }

  package mutating func due(at now: Int64) -> [Message] {
    guard values.isLive, now >= nextValues ?? now else { return [] }
    nextValues = now + Int64(options.interval) * 1_000_000_000
    return message(.values)
  }

  private mutating func stop() -> [Message] {
    nextValues = nil
    return []
  }

  private func changes(from old: LiveValues) -> [Message] {
    let isSameSession =
      old.session?.id == values.session?.id && old.session?.isConnected == values.session?.isConnected
      && old.isLive == values.isLive
    let session = isSameSession ? [] : message(.session)
    guard let category = values.category, category != old.category else { return session }
    return session + message(.category)
  }

  private func message(_ kind: Kind, _ more: (inout JSONLine) -> Void = { _ in }) -> [Message] {
    guard options.kinds.contains(kind) else { return [] }
    var line = JSONLine()
    line.line { line in
      line.put("type", kind.rawValue)
      line.put("time", wallTime().rfc3339)
      line.put("profile", values.session?.profile)
      line.put("session", values.session?.id)
      line.put("simulated", values.session?.isSimulated)
      line.put("connected", values.session?.isConnected ?? false)
      line.put("live", values.isLive)
      more(&line)
      line.put("hr_bpm", values.heartRate)
      line.put("rmssd_ms", values.rmssd)
      line.put("sdnn_ms", values.sdnn)
      line.put("stress", values.stress)
      line.put("category", values.category?.rawValue)
      line.put("confidence", values.confidence)
      line.put("battery_percent", values.battery)
    }
    return [Message(kind: kind, body: line.bytes.dropLast())]
  }
}
