package import HeartRate
package import History
import Localization
import Platform

/// Marks moments of a session, and adds them to the journal.
package struct SessionMarker: Sendable {
  /// The outcome of a mark.
  package struct Mark: Sendable {
    /// Counts from 1.
    package let number: Int
    /// In session time.
    package let at: SessionTime
    /// The text of the event.
    package let text: String
    package let journal: Journal
  }

  package enum Journal: Sendable {
    /// Number of the entry.
    case entry(Int64)
    case nothingIsStored
    /// Why the history could not be written.
    case failed(String)
  }

  private let controller: SessionController
  private let plan: SessionPlan
  private let history: StoreLocation?

  /// - Parameter history: Contains the journal, if the session is stored.
  package init(_ controller: SessionController, _ plan: SessionPlan, history: StoreLocation?) {
    (self.controller, self.plan, self.history) = (controller, plan, history)
  }

  /// Marks the current time.
  package func mark(note: String? = nil) -> Mark {
    let mark = controller.mark(note: note)
    return Mark(
      number: mark.number, at: mark.event.at, text: mark.text, journal: addToJournal(mark, note: note))
  }

  /// Marks the event of an experiment, without a journal entry; see ``SessionController/mark(text:wall:)``.
  package func mark(text: String, wall: WallTime?) -> SessionController.Mark? {
    controller.mark(text: text, wall: wall)
  }

  /// The entry refers to the session only if the session is stored.
  private func addToJournal(_ mark: SessionController.Mark, note: String?) -> Journal {
    guard let history else { return .nothingIsStored }
    let time = mark.event.wall ?? SystemClock.wall
    let place = "mark \(mark.number), \(clockText(seconds: mark.event.at.seconds)) into the session"
    let entry = JournalEntry(
      profile: plan.profile, time: time, utcOffset: LocalCalendar.system.utcOffset(time),
      session: mark.isInSessionWithData ? plan.id : nil, note: note.map { "\($0) (\(place))" } ?? place)
    do { return .entry(try HistoryWriter(history).addToJournal(entry).id) } catch {
      return .failed("\(error)")
    }
  }
}
