import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1

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

  /// The first value of a field.
  func value(_ name: String) -> String? { fields.first { $0.name == name }?.value }
  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}

extension PermittedRequest {
  /// Time in which a body must arrive.
  private static let timeout = Duration.seconds(10)

  /// The bytes of the body.
  /// - Throws: ``Problem`` 415 for another media type, 413 for more than `limit` bytes, and 400 for malformed chunks. The connection is closed if the body
  ///   does not arrive in time.
  func body(ofType expected: String, limit: Int) async throws -> [UInt8] {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == expected else {
      throw Problem(415, "Unsupported media type", "Send the body as \(expected).")
    }
    let timer = Task {
      try await Task.sleep(for: Self.timeout)
      closeConnection()
    }
    defer { timer.cancel() }
    var bytes: [UInt8] = []
    do {
      for try await buffer in request.body {
        bytes += buffer.readableBytesView
        guard bytes.count <= limit else {
          throw Problem(413, "Body too large", "The body has more than \(limit) bytes.")
        }
      }
    } catch is HTTPParserError {
      throw Problem(400, "Malformed body", "The chunks of the body or its length are not valid.")
    }
    return bytes
  }
}
