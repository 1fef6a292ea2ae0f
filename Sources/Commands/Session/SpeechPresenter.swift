import LiveSession
import Session
import Terminal

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
