import HeartRate
import Platform

/// Prints one line for each unsafe request, or for each request: time, method, path, verdict and status. Tokens and bodies are not printed.
package struct AuditLog: Sendable {
  private let includesReading: Bool
  private let print: @Sendable (String) -> Void

  /// - Parameter includesReading: whether requests that change nothing are printed.
  package init(includesReading: Bool = false, print: @escaping @Sendable (String) -> Void) {
    (self.includesReading, self.print) = (includesReading, print)
  }

  func record(_ request: RequestFacts, _ verdict: RequestPolicy.Verdict, status: Int) {
    guard includesReading || !request.isSafe else { return }
    let outcome =
      switch verdict {
      case .permit(let scope, _): "permitted (\(scope.rawValue))"
      case .redirect, .admit, .alreadyAdmitted: "login"
      case .reject(let rejection): "rejected (\(String(describing: rejection)))"
      }
    print(
      "\(SystemClock.wall.rfc3339) \(Self.plain(request.method)) \(Self.plain(request.path)) \(outcome) \(status)"
    )
  }

  func report(_ error: any Error) {
    print("\(SystemClock.wall.rfc3339) failed: \(Self.plain(String(describing: error)))")
  }

  /// Replaces everything but visible ASCII characters, because a request must not forge lines or control a terminal.
  private static func plain(_ text: String) -> String {
    String(
      decoding: text.utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") },
      as: UTF8.self)
  }
}
