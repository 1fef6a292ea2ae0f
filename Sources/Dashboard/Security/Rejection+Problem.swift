extension RequestPolicy.Rejection {
  /// The response to a rejected request.
  var problem: Problem {
    switch self {
    case .otherUser:
      Problem(
        403, "Another user",
        "Connections of other users of this machine are rejected. To permit a reverse proxy, start the server with: "
          + "stressmon serve --allow-user NAME")
    case .host:
      Problem(
        421, "Unknown host",
        "The Host header names another server. Open the URL that 'stressmon serve url' prints.")
    case .crossSite: Problem(403, "Cross-site request", "Requests from pages of other sites are rejected.")
    case .foreignOrigin:
      Problem(
        403, "Foreign origin", "This request must come from a page of this server, or have a bearer token.")
    case .noToken:
      Problem(
        401, "No token",
        "Open the URL that 'stressmon serve url' prints, or send 'Authorization: Bearer TOKEN'.")
    case .wrongToken:
      Problem(
        401, "Unknown token",
        "The token or the login of this browser was removed, or never existed. Print a URL to log in with: stressmon serve url"
      )
    case .usedCode:
      Problem(
        401, "Used login code",
        "A login URL works once, within a day. Print another one with: stressmon serve url")
    case .scope:
      Problem(403, "Insufficient scope", "The scope of the token does not permit this request.")
    case .readOnly: Problem(403, "Read-only server", "The server was started with --read-only.")
    }
  }
}
