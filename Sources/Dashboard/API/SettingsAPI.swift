import HummingbirdCore

/// The settings of the program, as `stressmon config show --json` prints them.
struct SettingsAPI: Sendable {
  let program: MeasuringProgram

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/api/settings") { request in
        _ = try QueryParameters(request, [])
        let outcome = try await ChildCommand(program, .settings).run(["config", "show", "--json"])
        guard let bytes = outcome?.output, outcome?.succeeded ?? false else {
          throw Problem(503, "Settings unavailable", "Show the reason with: stressmon config show")
        }
        return .json(bytes)
      }
    ]
  }
}
