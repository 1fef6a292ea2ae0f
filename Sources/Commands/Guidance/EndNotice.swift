import Desktop
import Localization
import Platform
import Terminal

/// Posts a desktop notification at the end of an exercise, because the eyes may be closed.
///
/// The notification contains no values: desktops store notifications, and show them on locked screens. A failure to post is
/// printed only with `--notify`, and does not change the exit status.
struct EndNotice {
  let environment: ProcessEnvironment
  let style: TerminalStyle
  /// The value of `--notify`, if it is given.
  let isWanted: Bool?
  /// Whether the exercise was shown in the screen view, in real time.
  let wasOnScreen: Bool

  func post(_ summary: Phrase) {
    guard isWanted ?? (wasOnScreen && environment.hasDisplay) else { return }
    do throws(DesktopError) {
      try environment.post(
        DesktopNotification(
          summary: style.localized(summary), body: style.localized("The result is shown in the terminal."),
          sound: "complete"))
    } catch {
      if isWanted == true { printDiagnostic("stressmon: no notification on the desktop: \(error)") }
    }
  }
}

extension GuidanceOptions {
  /// - Parameters:
  ///   - form: the display of the exercise.
  ///   - speed: the speed of its time, 1 for real time, or `nil` as the maximum.
  func endNotice(
    _ environment: ProcessEnvironment, _ style: TerminalStyle, _ form: GuideDisplay.Form, speed: Double?
  ) -> EndNotice {
    let isOnScreen = if case .screen = form { true } else { false }
    return EndNotice(
      environment: environment, style: style, isWanted: notify, wasOnScreen: isOnScreen && speed == 1)
  }
}
