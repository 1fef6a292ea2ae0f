import Localization
import NetworkCommands
import Outlets
import Platform

/// Removes the retained messages of one target, and reports the result.
struct PublishRemoval {
  /// Time for the broker to acknowledge all messages, in ns.
  private static let limit: Int64 = 15_000_000_000

  let name: String
  let worker: TargetWorker
  /// Number of messages to acknowledge.
  let messages: Int

  func run() async {
    worker.run()
    let deadline = SystemClock.boot + Self.limit
    while worker.status.delivered < messages, SystemClock.boot < deadline, worker.status.lastError == nil {
      try? await Task.sleep(for: .milliseconds(20))
    }
    worker.finish()
    _ = worker.waitForEnd(seconds: 3)
    let status = worker.status
    guard status.delivered >= messages else {
      let reason = status.lastError ?? Phrase("the broker did not acknowledge the removal")
      fail(Phrase("\(name): \(reason)"))
    }
    printLine(localized("\(name): the device was removed"))
  }
}
