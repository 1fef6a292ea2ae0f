/// The fields of a form that a page sent without script (application/x-www-form-urlencoded).
struct FormBody: Sendable {
  private let fields: [(name: String, value: String)]

  /// Limit of a body in bytes.
  static let usualLimit = 16 << 10

  /// - Throws: ``Problem`` for another media type, a body above `limit` bytes, one that does not arrive in time, and invalid
  ///   percent-encoding.
  init(_ request: PermittedRequest, limit: Int = usualLimit) async throws {
    let bytes = try await request.body(ofType: "application/x-www-form-urlencoded", limit: limit)
    guard let fields = RequestTarget.fields(String(decoding: bytes, as: UTF8.self)) else {
      throw Problem(400, "Invalid form", "The fields are not percent-encoded UTF-8.")
    }
    self.fields = fields
  }

  /// The first value of a field; nil without one.
  func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
