extension RequestPolicy.Rejection {
  /// The response to a rejected request.
  var problem: Problem {
    switch self {
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
        "The token is wrong, was removed, or belongs to an earlier start. Print the current URL with: stressmon serve url"
      )
    case .scope:
      Problem(403, "Insufficient scope", "The scope of the token does not permit this request.")
    case .readOnly: Problem(403, "Read-only server", "The server was started with --read-only.")
    }
  }
}
