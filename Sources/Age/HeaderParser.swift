import JSONLines

/// Parses the header line by line, in the strict form of the specification (c2sp.org/age):
///
///     age-encryption.org/v1
///     -> TYPE ARGUMENT...         one or more stanzas
///     BODY                        base64 in lines of 64 columns, then one shorter line
///     --- MAC                     base64 of 32 bytes
struct HeaderParser {
  private enum Expected { case version, firstStanza, stanzaOrMAC, body }

  private static let versionPrefix = Array("age-encryption.org/".utf8)
  private static let columns = 64

  private var expected = Expected.version
  private var body: [UInt8] = []
  private(set) var line = 0
  private(set) var stanzas: [Stanza] = []
  /// The MAC, once the last line has been parsed.
  private(set) var mac: [UInt8]?

  /// Parses the next line.
  /// - Parameter text: the line without its line feed.
  /// - Throws: ``AgeError/notAge``, ``AgeError/unsupportedVersion(_:)``, ``AgeError/malformedHeader(line:reason:)``.
  mutating func parse(_ text: ArraySlice<UInt8>) throws(AgeError) {
    line += 1
    switch expected {
    case .version: try parseVersion(text)
    case .body: try parseBody(text)
    case .stanzaOrMAC where text.starts(with: Array("---".utf8)): try parseMAC(text)
    case .firstStanza, .stanzaOrMAC: try parseArguments(text)
    }
  }

  private mutating func parseVersion(_ text: ArraySlice<UInt8>) throws(AgeError) {
    guard text.starts(with: Self.versionPrefix) else { throw .notAge }
    let version = text.dropFirst(Self.versionPrefix.count)
    guard !version.isEmpty, version.allSatisfy(Self.isVisible) else { throw malformed("invalid version") }
    guard version.elementsEqual("v1".utf8) else {
      throw .unsupportedVersion(String(decoding: version.prefix(20), as: UTF8.self))
    }
    expected = .firstStanza
  }

  private mutating func parseArguments(_ text: ArraySlice<UInt8>) throws(AgeError) {
    guard text.starts(with: Array("-> ".utf8)) else {
      throw malformed("neither a stanza nor the MAC starts here")
    }
    let arguments = text.dropFirst(3).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard arguments.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isVisible) }) else {
      throw malformed("an argument is empty or contains an invalid character")
    }
    let texts = arguments.map { String(decoding: $0, as: UTF8.self) }
    stanzas.append(Stanza(type: texts.first ?? "", arguments: Array(texts.dropFirst()), body: []))
    expected = .body
  }

  private mutating func parseBody(_ text: ArraySlice<UInt8>) throws(AgeError) {
    guard text.count <= Self.columns else { throw malformed("longer than \(Self.columns) columns") }
    guard let bytes = Base64.decode(text, padding: false) else {
      throw malformed("not base64 in its canonical form")
    }
    body += bytes
    guard text.count < Self.columns else { return }
    stanzas[stanzas.count - 1].body = body
    body = []
    expected = .stanzaOrMAC
  }

  private mutating func parseMAC(_ text: ArraySlice<UInt8>) throws(AgeError) {
    guard text.starts(with: Array("--- ".utf8)), let bytes = Base64.decode(text.dropFirst(4), padding: false),
      bytes.count == 32
    else { throw malformed("the MAC is not base64 of 32 bytes") }
    mac = bytes
  }

  private func malformed(_ reason: String) -> AgeError { .malformedHeader(line: line, reason: reason) }

  private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }
}
