package import HeartRate
package import Stress

/// A question that a person was asked, with the measurement that it refers to and the answer.
package struct StoredPrompt: Equatable, Sendable, Identifiable {
  /// Its permanent number.
  package let id: Int64
  /// Name of the person.
  package let profile: String
  package let session: SessionID
  package let measurement: StressPrompt
  /// Absent until it is answered.
  package let answer: StressPrompt.Answer?
  package let answered: WallTime?
  /// The number of the journal entry that the answer "yes" created, unless the entry was deleted.
  package let entry: Int64?

  package init(
    id: Int64, profile: String, session: SessionID, measurement: StressPrompt, answer: StressPrompt.Answer?,
    answered: WallTime?, entry: Int64?
  ) {
    (self.id, self.profile, self.session, self.measurement) = (id, profile, session, measurement)
    (self.answer, self.answered, self.entry) = (answer, answered, entry)
  }

  /// Time after which a question is not shown any more. It can still be answered by its number.
  package static let openSeconds: Int64 = 3600

  /// Whether the question is shown at `now`.
  package func isOpen(at now: WallTime) -> Bool {
    answer == nil && measurement.time.microseconds > now.microseconds - Self.openSeconds * 1_000_000
  }
}

/// How often a person agreed.
package struct PromptAgreement: Equatable, Sendable {
  /// Number of answers that agree, and of answers that are a statement about the moment.
  package let agreed: Int
  package let answered: Int

  package init(_ prompts: some Sequence<StoredPrompt>) {
    let statements = prompts.compactMap { $0.answer?.agrees }
    (agreed, answered) = (statements.count { $0 }, statements.count)
  }
}

/// The result of storing an answer.
package enum PromptAnswerOutcome: Equatable, Sendable {
  /// The answer was stored.
  case stored(StoredPrompt)
  /// The prompt already had an answer, which was kept.
  case answeredBefore(StoredPrompt)
  case missing
}
