import HummingbirdCore

/// The settings of the program, as `stressmon config show --json` prints them.
struct SettingsAPI: Sendable {
  let program: MeasuringProgram

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", "/api/settings") { request in
        _ = try QueryParameters(request, [])
        guard let bytes = await program.output(["config", "show", "--json"]) else {
          throw Problem(503, "Settings unavailable", "Show the reason with: stressmon config show")
        }
        return .json(bytes)
      }
    ]
  }
}
