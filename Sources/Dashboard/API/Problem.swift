import HTTPTypes
import HummingbirdCore
import JSONLines
import NIOCore

/// An error as problem details (RFC 9457), the body of every response with an error status.
package struct Problem: Error, Equatable, Sendable {
  package let status: Int
  package let title: String
  /// What was wrong, and what to do.
  package let detail: String
  /// Time in s after which the request may succeed, if known, for the header Retry-After.
  let retryAfter: Int?

  package init(_ status: Int, _ title: String, _ detail: String, retryAfter: Int? = nil) {
    (self.status, self.title, self.detail, self.retryAfter) = (status, title, detail, retryAfter)
  }

  static func notFound(_ what: String) -> Problem { Problem(404, "Not found", what) }

  static func badParameter(_ name: String, expected: String) -> Problem {
    Problem(400, "Invalid parameter", "\(name): expected \(expected).")
  }

  var body: [UInt8] {
    var line = JSONLine()
    line.line { line in
      line.put("type", "about:blank")
      line.put("title", title)
      line.put("status", status)
      line.put("detail", detail)
    }
    return line.bytes
  }

  var response: Response {
    var headers: HTTPFields = [.contentType: "application/problem+json"]
    if status == 401 { headers[.wwwAuthenticate] = "Bearer realm=\"stressmon\"" }
    return Response(
      status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }
}
