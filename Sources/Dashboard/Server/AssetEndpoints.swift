import HTTPTypes
import HummingbirdCore

/// The style sheet, the script and the icon of the pages. They contain no private data, so browsers may cache them, and
/// validate them with the ETag.
struct AssetEndpoints: Sendable {
  /// The paths, which require no token: the page of a rejected request has a style, too.
  static let paths = assets.map(\.path)

  private struct Asset: Sendable {
    let path: String
    let type: String
    let bytes: [UInt8]
    let tag: String

    init(_ path: String, _ type: String, _ bytes: [UInt8]) {
      (self.path, self.type, self.bytes) = (path, type, bytes)
      tag = "\"\(TokenDigest(of: String(decoding: bytes, as: UTF8.self)).hex.prefix(16))\""
    }
  }

  private static let assets = [
    Asset("/assets/style.css", "text/css; charset=utf-8", StyleSheet.text),
    Asset(
      "/assets/app.js", "text/javascript; charset=utf-8",
      compacted(PackageResources.live_js + [0x0A] + PackageResources.charts_js)),
    Asset("/assets/icon.svg", "image/svg+xml", PackageResources.icon_svg),
  ]

  /// The script without indentation, lines of comments, and spaces around operators. The texts of the script contain none of
  /// these operators between spaces.
  static func compacted(_ script: [UInt8]) -> [UInt8] {
    let lines = String(decoding: script, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
    let text = lines.filter { !$0.isEmpty && !$0.hasPrefix("//") }.joined(separator: "\n") + "\n"
    return Array(operators.reduce(text) { $0.replacing(" \($1) ", with: $1) }.utf8)
  }

  private static let operators = ["=>", "=", "===", "!==", "&&", "||", "?", ":"]

  var endpoints: [Endpoint] {
    Self.assets.map { asset in
      Endpoint("GET", asset.path) { request in
        _ = try QueryParameters(request, [])
        return Self.response(asset, known: request.request.headers[.ifNoneMatch])
      }
    }
  }

  private static func response(_ asset: Asset, known: String?) -> Response {
    let isKnown = known?.split(separator: ",").contains { $0.filter { $0 != " " } == asset.tag } ?? false
    var response = isKnown ? Response(status: .notModified) : Response(200, asset.type, asset.bytes)
    response.headers[.eTag] = asset.tag
    response.headers[.cacheControl] = "private, no-cache"
    return response
  }
}
