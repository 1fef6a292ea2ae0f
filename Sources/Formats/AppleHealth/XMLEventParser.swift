import CExpat
import Glibc

/// Parses an XML document incrementally with expat.
///
/// Memory is constant: events are returned for requested elements only, and expat itself is limited to
/// ``ParserMemory/limit``. A larger tag, comment or nesting depth is an error. External entities are not loaded, because no
/// handler for them is installed.
// An expat parser may be used by any thread, but not by several at the same time: the class is not Sendable.
@safe final class XMLEventParser {
  /// An element name with the names of its requested attributes, as C strings.
  private struct Request {
    let name: [CChar]
    let attributes: [[CChar]]
  }

  private let parser: OpaquePointer
  private let requests: [Request]
  private var events: [XMLEvent] = []
  /// The number of bytes that were parsed.
  private(set) var length = 0

  /// - Parameter elements: The names of elements to return, with the names of attributes to return.
  init(requesting elements: [String: [String]]) throws(XMLError) {
    requests = elements.map { name, attributes in
      Request(name: Array(name.utf8CString), attributes: attributes.map { Array($0.utf8CString) })
    }
    var memory = ParserMemory.functions
    guard let parser = unsafe XML_ParserCreate_MM(nil, &memory, nil) else {
      throw XMLError(offset: 0, reason: .syntax("out of memory"))
    }
    unsafe self.parser = parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { unsafe XMLEventParser.of($0)?.start($1, $2) }, { unsafe XMLEventParser.of($0)?.end($1) })
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// Parses the next chunk of the document and returns its events.
  func parse(_ chunk: ArraySlice<UInt8>) throws(XMLError) -> [XMLEvent] {
    let status = unsafe chunk.withUnsafeBytes { bytes in
      unsafe XML_Parse(parser, bytes.baseAddress, CInt(bytes.count), 0)
    }
    guard status == XML_STATUS_OK else { throw syntaxError() }
    length += chunk.count
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Verifies that the document is complete.
  func finish() throws(XMLError) {
    guard unsafe XML_Parse(parser, nil, 0, 1) == XML_STATUS_OK else {
      throw XMLError(offset: length, reason: .endOfDocument)
    }
  }

  private var offset: Int { unsafe max(0, Int(XML_GetCurrentByteIndex(parser))) }

  private func syntaxError() -> XMLError {
    let message = unsafe XML_ErrorString(XML_GetErrorCode(parser)).map { unsafe String(cString: $0) }
    return XMLError(offset: offset, reason: .syntax(message ?? "unknown error"))
  }

  // MARK: Called by expat

  private static func of(_ userData: UnsafeMutableRawPointer?) -> XMLEventParser? {
    unsafe userData.map { unsafe Unmanaged<XMLEventParser>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Parameter attributes: Pairs of name and value; the last pair is followed by nil.
  private func start(
    _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard let name = unsafe name, let request = unsafe request(name), var pair = unsafe attributes else {
      return
    }
    var values: [String: String] = [:]
    while let attribute = unsafe pair[0], let value = unsafe pair[1] {
      if request.attributes.contains(where: { unsafe strcmp($0, attribute) == 0 }) {
        unsafe values[String(cString: attribute)] = String(cString: value)
      }
      unsafe pair += 2
    }
    events.append(
      .start(XMLElement(name: unsafe String(cString: name), attributes: values, offset: offset)))
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name, unsafe request(name) != nil else { return }
    events.append(.end(unsafe String(cString: name)))
  }

  private func request(_ name: UnsafePointer<CChar>) -> Request? {
    requests.first { unsafe strcmp($0.name, name) == 0 }
  }
}
