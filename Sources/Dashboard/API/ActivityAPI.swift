import Breathing
import HeartRate
import HummingbirdCore
import JSONLines

/// Starts and ends the command that the server runs: a live session, a reading, a morning reading, or a breathing exercise.
struct ActivityAPI: Sendable {
  let runner: ActivityRunner

  static let path = "/api/activity"

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try state($0) },
      Endpoint("POST", Self.path) { try await start($0) },
      Endpoint("DELETE", Self.path) { try await stop($0) },
    ]
  }

  private func state(_ request: PermittedRequest) throws -> Response {
    _ = try QueryParameters(request, [])
    return .json(document)
  }

  private func start(_ request: PermittedRequest) async throws -> Response {
    _ = try QueryParameters(request, [])
    let activity = try Self.activity(await JSONBody(request, limit: 1024))
    guard runner.start(activity) else {
      throw Problem(409, "An activity is running", "End it first with: DELETE \(Self.path)")
    }
    return .json(document, status: 202)
  }

  private static func activity(_ body: JSONBody) throws -> Activity {
    let commands = Activity.Command.allCases.map(\.rawValue).joined(separator: ", ")
    guard let command = try body.text("command").flatMap(Activity.Command.init) else {
      throw Problem.badParameter("command", expected: "one of \(commands)")
    }
    var activity = Activity(command, isSimulated: try body.boolean("simulate") ?? false)
    let (pattern, minutes) = (try body.text("pattern"), try body.integer("minutes"))
    guard command == .breathe || pattern == nil else {
      throw Problem.badParameter("command", expected: "breathe, with a pattern")
    }
    activity.pattern = try pattern.map(Self.pattern)
    activity.minutes = try minutes.map { try Self.minutes($0, of: command) }
    return activity
  }

  private static func minutes(_ minutes: Int, of command: Activity.Command) throws -> Int {
    guard let lengths = Activity.lengths(command) else {
      throw Problem.badParameter("command", expected: "breathe or morning, with minutes")
    }
    guard lengths.contains(minutes) else {
      throw Problem.badParameter(
        "minutes", expected: "a whole number from \(lengths.lowerBound) to \(lengths.upperBound)")
    }
    return minutes
  }

  private static func pattern(_ text: String) throws -> BreathingPattern {
    do throws(PatternError) { return try BreathingPattern(text) } catch {
      throw Problem.badParameter("pattern", expected: "4-7-8, box, coherent, or seconds such as 4-0-6-0")
    }
  }

  private func stop(_ request: PermittedRequest) async throws -> Response {
    _ = try QueryParameters(request, [])
    guard await runner.stop() else {
      throw Problem(409, "No activity is running", "Start one with: POST \(Self.path)")
    }
    return .json(document)
  }

  /// The running activity or the latest one, its result, and why it failed.
  private var document: [UInt8] {
    let status = runner.status
    var line = JSONLine()
    line.line { line in
      line.put("running", status?.isRunning ?? false)
      line.put("command", status?.activity.command.rawValue)
      line.put("simulated", status?.activity.isSimulated)
      line.put("started", status?.started.rfc3339)
      line.put("failure", status?.failure)
      line.put("result", document: status?.result)
    }
    return line.bytes
  }
}
