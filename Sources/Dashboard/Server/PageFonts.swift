import Platform

/// The fonts of the pages, which `Packaging/fonts` creates and `make install` installs beside the translations. Without them, the
/// pages use fonts of the system.
package struct PageFonts: Sendable {
  struct Font: Sendable {
    /// The path of the resource.
    let path: String
    let family: String
    let weights: String
    let bytes: [UInt8]
  }

  let fonts: [Font]

  /// The families in style sheets. The licences reserve the names of the fonts for the unmodified fonts.
  static let (heading, body) = ("stressmon-heading", "stressmon-body")

  /// The file, the family in style sheets, and the weights of each font.
  private static let known = [
    (file: "lora.woff2", family: heading, weights: "600 700"),
    (file: "raleway.woff2", family: body, weights: "400 700"),
  ]

  /// The paths of all fonts, also of those that are missing.
  static let paths = known.map { path($0.file) }

  private static func path(_ file: String) -> String { "/assets/\(file)" }

  /// - Parameter folders: folders that may contain the fonts, in order of precedence.
  package init(folders: [String]) {
    fonts = Self.known.compactMap { font in
      let sources = folders.lazy.compactMap { try? ByteSource(path: "\($0)/\(font.file)") }
      let bytes = sources.compactMap { try? $0.readAll(limit: 1 << 20) }.first
      return bytes.map {
        Font(path: Self.path(font.file), family: font.family, weights: font.weights, bytes: $0)
      }
    }
  }

  /// The rules that declare the fonts.
  var rules: String {
    fonts.map { font in
      "@font-face{font-family:\(font.family);font-weight:\(font.weights);font-display:swap;"
        + "src:url(\(font.path)) format(\"woff2\")}\n"
    }.joined()
  }
}
