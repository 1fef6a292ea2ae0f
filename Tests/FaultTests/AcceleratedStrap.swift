import HeartRate

@testable import Strap

/// A strap at ``rate`` times real time: waits are divided by the rate, and event times are multiplied by it, so that the
/// session receives beats at a normal heart rate.
struct AcceleratedStrap: HeartRateSource {
  typealias Events = AsyncMapSequence<BlueZStrap.Events, SessionEvent>

  /// Seconds of session time per second of the test.
  static let rate = 50

  var strap: BlueZStrap

  init(_ strap: BlueZStrap) {
    self.strap = strap
    self.strap.timing = LinkTiming().shortened(by: Self.rate)
    self.strap.sensorTiming.backoff /= Self.rate
    self.strap.sensorTiming.response /= Self.rate
  }

  func withEvents<Result>(_ body: (Events) async throws -> Result) async throws -> Result {
    try await strap.withEvents { events in
      try await body(
        events.map { event in
          SessionEvent(
            at: SessionTime(ticks: event.at.ticks * Int64(Self.rate)), wall: event.wall, event.kind)
        })
    }
  }
}

extension LinkTiming {
  fileprivate func shortened(by rate: Int) -> LinkTiming {
    var timing = self
    timing.search = nil
    for wait in [
      \LinkTiming.settle, \.narrowScan, \.scanWindow, \.adapterGrace, \.link, \.resolve, \.confirm,
      \.disconnect, \.firstBackoff, \.longestBackoff, \.stale, \.silence,
    ] {
      timing[keyPath: wait] /= rate
    }
    return timing
  }
}
