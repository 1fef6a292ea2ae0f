import Glibc
import Localization
import NetworkCommands
import Outlets
import Platform

/// Saves the state of the targets for `publish --list`, and prints failures and recoveries to standard error.
struct PublishReporter {
  private let environment: ProcessEnvironment
  private var latest: PublisherStatus?
  private var hasWarned = false
  /// The targets whose latest line is a failure.
  private var failing: Set<Int> = []

  private let profile: String?
  private let isVerbose: Bool
  private var session: String?
  private var nextCounts: Int64 = 0

  /// - Parameters:
  ///   - profile: the only profile that is published, if there is one.
  ///   - isVerbose: whether sessions, and the counts of the targets once a minute, are printed.
  init(_ environment: ProcessEnvironment, profile: String? = nil, isVerbose: Bool = false) {
    (self.environment, self.profile, self.isVerbose) = (environment, profile, isVerbose)
  }

  /// Prints a change of the published session and the counts that are due.
  mutating func reportDetails(_ targets: [TargetStatus], session new: String?) {
    guard isVerbose else { return }
    if new != session {
      let text = new.map { Phrase("the session \($0) is published") } ?? Phrase("no session is published")
      printMessage(text, .information)
      session = new
    }
    guard SystemClock.boot >= nextCounts else { return }
    nextCounts = SystemClock.boot + 60_000_000_000
    for target in targets {
      let counts = Phrase("\(target.delivered) delivered, \(target.dropped) dropped")
      printMessage(
        Phrase("\(target.target): \(target.state.word), \(counts)"), .information, target: target.target)
    }
  }

  mutating func report(_ targets: [TargetStatus], lostLines: Int) {
    let status = PublisherStatus(process: getpid(), profile: profile, lostLines: lostLines, targets: targets)
    guard status != latest else { return }
    printChanges(to: targets)
    latest = status
    do throws(FileError) {
      try status.save(environment)
    } catch {
      if !hasWarned {
        printWarning(Phrase("publish --list is not available: \(error)"))
      }
      hasWarned = true
    }
  }

  func remove() { latest?.remove(environment) }

  private mutating func printChanges(to targets: [TargetStatus]) {
    for (index, target) in targets.enumerated() {
      let previous = latest?.targets[index]
      if let error = target.lastError, error != previous?.lastError {
        printMessage(Phrase("\(target.target): \(error)"), target: target.target)
        // A warning, such as that of a second publisher, interrupts nothing.
        let hasLost = target.dropped > previous?.dropped ?? 0
        if hasLost || target.state != .connected { failing.insert(index) }
      } else if target.state == .connected, previous?.state == .retrying {
        printMessage(Phrase("\(target.target): connected again"), .information, target: target.target)
        failing.remove(index)
      } else if target.state == .connected, previous.map({ $0.state == .connecting }) ?? true {
        printMessage(Phrase("\(target.target): connected"), .information, target: target.target)
      } else if target.lastError == nil, failing.remove(index) != nil {
        printMessage(Phrase("\(target.target): delivered again"), .information, target: target.target)
      }
    }
  }
}
