package import Stress

/// What a session reports besides its values.
package struct NoticeSettings: Equatable, Sendable {
  /// When prompts are permitted.
  package struct Prompts: Equatable, Sendable {
    /// The part of the local day without prompts, if there is one.
    package var quiet: QuietHours?

    package init(quiet: QuietHours?) { self.quiet = quiet }
  }

  /// By default, there are no prompts.
  package var prompts: Prompts?
  /// Whether changes of the category are reported.
  package var reportsCategory = false
  package var alarms: [AlarmCondition] = []

  package init() {}
}
