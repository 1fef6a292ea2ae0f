import HTTPTypes
import HeartRate
import History
import HummingbirdCore
import LiveFeed
import Logging
import NIOCore
import NIOEmbedded
import Platform
import Stress
import TestSupport
import Testing

@testable import Dashboard

/// A server without sockets: requests are passed to its responder. The history contains a simulated session of ten minutes.
final class ServerFixture: Sendable {
  let hub: FeedHub
  let token = AccessToken()
  let audit = Locked<[String]>([])
  let location: StoreLocation
  let preferences: PreferencesStore
  let folder: TemporaryFolder
  let responder: DashboardResponder
  let codes: LoginCodes
  let browsers: TokenStore
  let options: DashboardOptions
  var program: MeasuringProgram { options.program }
  static let label = String(repeating: "0a", count: 16)
  var endpoints: EndpointTable { responder.endpoints }

  /// - Parameter clock: the boot clock of the server in ns.
  init(
    isReadOnly: Bool = false, measures: Bool = true,
    clock: @escaping @Sendable () -> Int64 = { SystemClock.boot }
  ) throws {
    hub = FeedHub(clock: clock)
    folder = try TemporaryFolder(prefix: "serve")
    let database = folder.file("history.db")
    location = try StoreLocation(path: database, environment: ["HOME": folder.path])
    let program = Program.besideTheTests("stressmon")
    if measures { try Self.measure(program, folder) }
    let audit = audit
    var measuring = MeasuringProgram(path: program, database: database, profile: "me")
    // Other tests load the machine.
    measuring.timeLimit = .seconds(1200)
    measuring.variables = [
      "HOME": folder.path, "XDG_CONFIG_HOME": folder.file("config"),
      "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus",
    ]
    let run = ProcessEnvironment(variables: ["XDG_RUNTIME_DIR": folder.file("run")])
    var options = DashboardOptions(
      profile: "me", location: location, metric: .rmssd, storeInterval: .seconds(10),
      program: measuring,
      tokens: TokenStore(path: folder.file("data/tokens.jsonl")),
      browsers: TokenStore(path: folder.file("data/browsers.jsonl"), scopes: [.full]),
      codes: try LoginCodes(run),
      host: PrivateHost(label: Self.label), audit: AuditLog { line in audit.withLock { $0.append(line) } },
      logger: Logger(label: "test"))
    options.isReadOnly = isReadOnly
    preferences = PreferencesStore(path: folder.file("dashboard.json"))
    options.preferences = preferences
    codes = options.codes
    self.options = options
    browsers = options.browsers
    responder = DashboardResponder(
      options: options, port: 8077, token: token,
      endpoints: DashboardEndpoints(options: options, hub: hub, runner: ActivityRunner(options.program))
        .table,
      permitsConnection: { _ in true }, connections: ConnectionLimit())
  }

  /// Stores a simulated session of ten minutes.
  private static func measure(_ program: String, _ folder: TemporaryFolder) throws {
    let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "XDG_CONFIG_HOME": nil]
    let arguments = [
      "live", "--simulate", "--speed", "max", "--duration", "10m", "--json", "--db",
      folder.file("history.db"),
    ]
    _ = try Program(program, arguments, environment: environment).waitForExit()
  }

  func measure() throws { try Self.measure(program.path, folder) }

  struct Answer {
    let status: Int
    let headers: HTTPFields
    let text: String
    func json() throws -> JSONValue { try JSONValue(text) }
  }

  /// - Parameter host: the host of a browser, which sends no bearer token; nil for a script.
  func request(
    _ method: String = "GET", _ path: String, body: String? = nil, headers: HTTPFields = [:],
    host: String? = nil
  ) async throws -> Answer {
    let name = try #require(HTTPRequest.Method(method))
    var head = HTTPRequest(
      method: name, scheme: "http", authority: host ?? "127.0.0.1:8077", path: path, headerFields: headers)
    if host == nil { head.headerFields[.authorization] = "Bearer \(token.text)" }
    if body != nil, head.headerFields[.contentType] == nil {
      head.headerFields[.contentType] = "application/json"
    }
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? "")))
    let response = await responder.respond(to: request, EmbeddedChannel())
    let writer = CollectingWriter()
    try await response.body.write(writer)
    return Answer(status: response.status.code, headers: response.headers, text: writer.text.withLock { $0 })
  }
}

/// Collects the body of a response.
private struct CollectingWriter: ResponseBodyWriter {
  let text = Locked("")

  mutating func write(_ buffer: ByteBuffer) async throws { text.withLock { $0 += String(buffer: buffer) } }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
