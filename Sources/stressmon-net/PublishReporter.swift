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

  /// - Parameter profile: the only profile that is published, if there is one.
  init(_ environment: ProcessEnvironment, profile: String? = nil) {
    (self.environment, self.profile) = (environment, profile)
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
        printDiagnostic("stressmon: " + localized("warning: publish --list is not available: \("\(error)")"))
      }
      hasWarned = true
    }
  }

  func remove() { latest?.remove(environment) }

  private mutating func printChanges(to targets: [TargetStatus]) {
    for (index, target) in targets.enumerated() {
      let previous = latest?.targets[index]
      if let error = target.lastError, error != previous?.lastError {
        printDiagnostic("stressmon: \(target.target): \(error)")
        failing.insert(index)
      } else if target.state == .connected, previous?.state == .retrying {
        printDiagnostic("stressmon: " + localized("\(target.target): connected again"))
        failing.remove(index)
      } else if target.state == .connected, previous.map({ $0.state == .connecting }) ?? true {
        printDiagnostic("stressmon: " + localized("\(target.target): connected"))
      } else if target.lastError == nil, failing.remove(index) != nil {
        printDiagnostic("stressmon: " + localized("\(target.target): delivered again"))
      }
    }
  }
}
