import LiveSession
import Session

/// Draws a session in its block of the screen.
struct ScreenPresenter: FinishingSink {
  let screen: Screen
  /// Index of the block.
  let place: Int
  let notices: NoticeDisplay

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    screen.update(place) { $0.update(update) }
    switch update {
    case .event, .measurement: return .stopping(onErrorOf: { try screen.draw(always: false) })
    case .notice(let notice): return .stopping(onErrorOf: { try notices.show(notice, on: screen) })
    case .upcoming, .part, .sensorClass, .motion, .ecg, .processed: return .proceed
    }
  }

  func finish() async throws { try screen.finish(place) }
}
