import HTTPTypes
import HummingbirdCore

/// The style sheet, the script, the icon and the fonts of the pages. They contain no private data, so browsers may cache them, and
/// validate them with the ETag.
struct AssetEndpoints: Sendable {
  /// The paths, which require no token: the page of a rejected request has a style, too.
  static let paths = fixed.map(\.path) + [stylePath] + PageFonts.paths
  private static let stylePath = "/assets/style.css"

  private let assets: [Asset]

  init(_ fonts: PageFonts) {
    let style = Asset(
      Self.stylePath, "text/css; charset=utf-8", Array(fonts.rules.utf8) + StyleSheet.text)
    assets = Self.fixed + [style] + fonts.fonts.map { Asset($0.path, "font/woff2", $0.bytes) }
  }

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

  private static let fixed = [
    Asset("/assets/app.js", "text/javascript; charset=utf-8", script),
    Asset("/assets/icon.svg", "image/svg+xml", PackageResources.icon_svg),
  ]

  /// The parts of the script in one scope, the shared functions first.
  private static var script: [UInt8] {
    let parts = [
      PackageResources.page_js, PackageResources.charts_js, PackageResources.refresh_js,
      PackageResources.live_js, PackageResources.breathe_js,
    ]
    return Array("\"use strict\";\n(() => {\n".utf8) + parts.joined(separator: [0x0A])
      + Array("})();\n".utf8)
  }

  var endpoints: [Endpoint] {
    assets.map { asset in
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
