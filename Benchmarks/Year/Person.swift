import HeartRate
import History
import Stress
import TestSupport

/// A simulated person who wears a strap for twelve hours a day.
struct Person {
  let name: String
  let seed: UInt64

  private static let hours: Int64 = 12
  private static let strap = StrapIdentity(address: "C0:00:00:00:00:01", name: "Chest strap")

  /// Stores the session of one day as a live session does.
  func wear(on day: LocalDay, storingAt location: StoreLocation) async throws {
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(bitPattern: day.number))
    let baseline = try HistoryReader(location)?.baseline(of: name) ?? .populationDefault
    let info = SessionInfo(
      id: SessionID(started: day.morning, using: &random), profile: name, source: .strap, strap: Self.strap,
      started: day.morning, zone: "local", utcOffset: day.utcOffset, monotonicNanoseconds: 0,
      settings: StressEngine.Settings(), baseline: baseline, programVersion: "0.1.0")
    let writer = SessionWriter(info, at: location)
    var engine = StressEngine(settings: info.settings, baseline: baseline)
    var heart = Heart(day: day, random: random)
    writer.append(event(0, info, .link(LinkChange(.connected, strap: Self.strap))))
    for second in 1...Self.hours * 3600 {
      let event = event(second, info, .notification(payload: heart.notification(upTo: Double(second))))
      writer.append(event)
      engine.update(event) { writer.append($0) }
    }
    let end = SessionTime(ticks: Self.hours * 3600 * RRInterval.ticksPerSecond)
    if let unsaved = await writer.finish(at: end) { throw unsaved.error }
  }

  private func event(_ second: Int64, _ info: SessionInfo, _ kind: SessionEvent.Kind) -> SessionEvent {
    let at = SessionTime(ticks: second * RRInterval.ticksPerSecond)
    return SessionEvent(at: at, wall: info.started.advanced(ticks: at.ticks), kind)
  }
}
