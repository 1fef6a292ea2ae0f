import Platform

/// Conditions of a running session that the user should see, such as a full disk.
///
/// Each subject has at most one alert; a newer alert replaces it. A display that shows ``current`` permanently passes no
/// `print` closure. Otherwise each change is printed once.
package final class SessionAlerts: Sendable {
  package enum Subject: CaseIterable, Sendable {
    case recording
    case store
    case reading
    /// The session as a whole, after it has failed.
    case session
  }

  private let alerts = Locked<[Subject: String]>([:])
  private let print: (@Sendable (String) -> Void)?
  private let warning: @Sendable (String) -> Void

  /// - Parameters:
  ///   - print: prints a change of the alerts. A display that shows ``current`` omits it.
  ///   - warning: prints a warning.
  package init(print: (@Sendable (String) -> Void)?, warning: @escaping @Sendable (String) -> Void) {
    (self.print, self.warning) = (print, warning)
  }

  /// Sets the alert of `subject`, or removes it if `text` is `nil`. Prints `resolved` if there was an alert to remove.
  package func report(_ subject: Subject, _ text: String?, resolved: String = "") {
    let before = alerts.withLock { alerts in
      defer { alerts[subject] = text }
      return alerts[subject]
    }
    guard let print, text != before else { return }
    print(text ?? resolved)
  }

  /// Prints a warning that needs no resolution, also while alerts are shown permanently.
  package func warn(_ text: String) { warning(text) }

  package func isReported(_ subject: Subject) -> Bool { alerts.withLock { $0[subject] != nil } }

  package var current: [String] {
    alerts.withLock { alerts in Subject.allCases.compactMap { alerts[$0] } }
  }
}
