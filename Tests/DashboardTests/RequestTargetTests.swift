import Testing

@testable import Dashboard

@Suite struct RequestTargetTests {
  @Test func pathAndParametersAreDecoded() throws {
    let target = try #require(RequestTarget("/api/sessions/01K?profile=anna+b%C3%A9&limit=3&limit=4&flag"))
    #expect(target.path == "/api/sessions/01K")
    #expect(
      target.value("profile") == "anna bé" && target.value("limit") == "3" && target.value("flag") == "")
    #expect(target.value("token") == nil)
  }

  @Test(arguments: [
    "", "api", "http://evil/", "*", "/%", "/%4", "/%zz", "/%ff", "/?a=%c0%af",
    "/" + String(repeating: "a", count: 4096),
  ])
  func anyOtherTargetIsRejected(_ text: String) { #expect(RequestTarget(text) == nil) }

  @Test(arguments: [
    "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api/../../x", "/api/sessions/../measurements",
    "/api/measurements/1/2", "/api/measurements/", "//evil", "/API/status",
  ])
  func aPathOutsideOfTheTableIsNotFound(_ text: String) throws {
    let target = try #require(RequestTarget(text))
    let table = EndpointTable(
      endpoints: ["/api/status", "/api/measurements/*"].map { path in
        Endpoint("GET", path) { _ in throw Problem.notFound("test") }
      })
    #expect(throws: Problem.self) { try table.endpoint("GET", target.path) }
  }

  @Test func anotherMethodNamesTheAllowedOnes() throws {
    let table = EndpointTable(
      endpoints: ["GET", "POST"].map { method in
        Endpoint(method, "/api/journal") { _ in throw Problem.notFound("test") }
      })
    #expect(try table.endpoint("HEAD", "/api/journal").endpoint.method == "GET")
    do {
      _ = try table.endpoint("DELETE", "/api/journal")
      Issue.record("DELETE was found")
    } catch let error as MethodNotAllowed {
      #expect(error.allowed == ["GET", "POST"])
    }
  }
}
