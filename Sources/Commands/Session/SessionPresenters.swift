import HRV
import HeartRate
import LiveSession
import Reports
import Session
import Stress
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

/// Writes a session to standard output as JSON lines, those of an event as soon as it is processed.
struct JSONPresenter: FinishingSink {
  private let output: NonblockingOutput
  private var lines: SessionLineEncoder

  init(session: String?, profile: String?, to output: NonblockingOutput) {
    self.output = output
    lines = SessionLineEncoder(session: session, profile: profile)
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    lines.put(update)
    guard case .processed = update else { return .proceed }
    do { unsafe try lines.take { unsafe try output.write($0) } } catch { return .stop(.failed(error)) }
    return .proceed
  }

  func finish() async throws { try output.finish() }
}

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

/// Prints a session as sentences for a screen reader.
struct SpeechPresenter: FinishingSink {
  private let output: NonblockingOutput
  private var state = LiveState()
  private var speech: LiveSpeech
  private let notices: NoticeDisplay

  init(
    _ speech: LiveSpeech, notices: NoticeDisplay = NoticeDisplay(NoticeText(style: .plain)),
    to output: NonblockingOutput
  ) {
    (self.speech, self.notices) = (speech, notices)
    self.output = output
  }

  mutating func receive(_ update: SessionUpdate) -> SinkDecision {
    state.update(update)
    switch update {
    case .event, .measurement, .sensorClass:
      for sentence in speech.sentences(state) {
        do { try output.line(sentence) } catch { return .stop(.failed(error)) }
      }
    case .notice(let notice): return .stopping(onErrorOf: { try notices.print(notice, to: output) })
    case .upcoming, .part, .motion, .ecg, .processed: break
    }
    return .proceed
  }

  func finish() async throws { try output.finish() }
}
