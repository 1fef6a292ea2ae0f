import HeartRate
import LiveSession
import Session
import Terminal

/// Prints a session as lines of text.
struct LinePresenter: FinishingSink {
  private let output: NonblockingOutput
  private var state = LiveState()
  private var lines: LiveLine
  private let notices: NoticeDisplay

  init(
    style: TerminalStyle, label: String? = nil, normal: NormalPosition? = nil,
    notices: NoticeDisplay = NoticeDisplay(NoticeText(style: .plain)), to output: NonblockingOutput
  ) {
    (self.output, self.notices) = (output, notices)
    lines = LiveLine(style: style, label: label, normal: normal)
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    if case .notice(let notice) = update {
      return .stopping(onErrorOf: { try notices.print(notice, to: output) })
    }
    guard let line = line(for: update) else { return .proceed }
    return .stopping(onErrorOf: { try output.line(line) })
  }

  private mutating func line(for update: SessionUpdate) -> String? {
    if case .event(let event) = update, case .link = event.kind { return linkLine(event) }
    let hadWarned = state.battery.hasWarned
    state.update(update)
    switch update {
    case .event where state.battery.hasWarned && !hadWarned: return lines.batteryLine(state)
    case .measurement: return lines.measurementLine(state)
    case .sensorClass: return lines.sensorLine(state)
    case .upcoming, .event, .part, .motion, .ecg, .notice, .processed: return nil
    }
  }

  private mutating func linkLine(_ event: SessionEvent) -> String? {
    let before = lines.linkLine(state)
    state.update(event)
    let line = lines.linkLine(state)
    return line == before ? nil : line
  }

  func finish() async throws { try output.finish() }
}

extension LiveState {
  mutating func update(_ update: SessionUpdate) {
    switch update {
    case .event(let event): self.update(event)
    case .part(let part): self.update(part)
    case .measurement(let measurement): self.update(measurement)
    case .sensorClass(let found): self.update(found)
    case .ecg(let status): self.update(status)
    case .upcoming, .motion, .notice, .processed: break
    }
  }
}
