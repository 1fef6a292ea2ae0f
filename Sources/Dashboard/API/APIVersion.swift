/// The version of the API. `/api/v1/...` and `/api/...` are the same resources; a later version would change the second ones only.
enum APIVersion {
  private static let versioned = "/api/v1/"

  /// A path without the version.
  static func path(_ path: String) -> String {
    path.hasPrefix(versioned) ? "/api/" + path.dropFirst(versioned.count) : path
  }
}
