import CExpat
import Glibc
package import Platform
import Synchronization

/// Parses an XML document incrementally with expat.
///
/// Memory is constant: events are returned for requested elements only, and expat itself is limited to
/// ``ParserMemory/limit``. A larger tag, comment or nesting depth is an error. External entities are not loaded, because no
/// handler for them is installed.
// An expat parser may be used by any thread, but not by several at the same time: the class is not Sendable.
@safe final class XMLEventParser {
  /// An ``XMLRequest`` as C strings.
  private struct Request {
    let name: [CChar]
    let attributes: [[CChar]]
    let required: (attribute: [CChar], value: [CChar])?

    init(_ request: XMLRequest) {
      name = Array(request.name.utf8CString)
      attributes = request.attributes.map { Array($0.utf8CString) }
      required = request.required.map { (Array($0.attribute.utf8CString), Array($0.value.utf8CString)) }
    }
  }

  private let parser: OpaquePointer
  private let requests: [Request]
  private var events: [XMLEvent] = []
  /// The number of bytes that were parsed.
  private(set) var length = 0

  /// - Parameter requests: The elements to return.
  init(_ requests: [XMLRequest]) throws(XMLError) {
    self.requests = requests.map { Request($0) }
    var memory = ParserMemory.functions
    guard let parser = unsafe XML_ParserCreate_MM(nil, &memory, nil) else {
      throw XMLError(offset: 0, reason: .syntax("out of memory"))
    }
    unsafe self.parser = parser
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    unsafe XML_SetElementHandler(
      parser,
      { unsafe XMLEventParser.of($0)?.start($1, $2) }, { unsafe XMLEventParser.of($0)?.end($1) })
    unsafe XML_SetEntityDeclHandler(
      parser, { userData, _, _, _, _, _, _, _, _ in unsafe XMLEventParser.of(userData)?.rejectEntities() })
  }

  deinit { unsafe XML_ParserFree(parser) }

  /// Stops at a declaration of an entity, which ``HealthExportRepair`` removes from every export: this document hides it.
  private func rejectEntities() { _ = unsafe XML_StopParser(parser, 0) }

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
    guard let name = unsafe name, let request = unsafe request(name), let pairs = unsafe attributes,
      unsafe Self.satisfies(pairs, request)
    else { return }
    events.append(
      .start(
        XMLElement(
          name: unsafe String(cString: name), attributes: unsafe Self.values(pairs, request), offset: offset))
    )
  }

  private static func satisfies(_ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ request: Request)
    -> Bool
  {
    guard let required = request.required else { return true }
    var pair = unsafe pairs
    while let attribute = unsafe pair[0], let value = unsafe pair[1] {
      if unsafe strcmp(required.attribute, attribute) == 0 {
        return unsafe strcmp(required.value, value) == 0
      }
      unsafe pair += 2
    }
    return false
  }

  /// The values of the requested attributes.
  private static func values(_ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ request: Request)
    -> [String: String]
  {
    var values: [String: String] = [:]
    var pair = unsafe pairs
    while let attribute = unsafe pair[0], let value = unsafe pair[1] {
      if request.attributes.contains(where: { unsafe strcmp($0, attribute) == 0 }) {
        unsafe values[String(cString: attribute)] = String(cString: value)
      }
      unsafe pair += 2
    }
    return values
  }

  private func end(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name, unsafe request(name) != nil else { return }
    events.append(.end(unsafe String(cString: name)))
  }

  private func request(_ name: UnsafePointer<CChar>) -> Request? {
    requests.first { unsafe strcmp($0.name, name) == 0 }
  }
}

/// The memory of expat parsers, which is limited.
///
/// expat 2.5 has no built-in limit: a tag of any size, any nesting depth and any number of distinct names are kept in
/// memory.
enum ParserMemory {
  /// Limit in bytes for all parsers of the process together, far above what an export needs.
  static let limit = 8 << 20

  private static let used = Atomic<Int>(0)

  /// The allocation functions for `XML_ParserCreate_MM`.
  static var functions: XML_Memory_Handling_Suite {
    unsafe XML_Memory_Handling_Suite(
      malloc_fcn: { unsafe ParserMemory.reallocate(nil, $0) },
      realloc_fcn: { unsafe ParserMemory.reallocate($0, $1) },
      free_fcn: { unsafe ParserMemory.free($0) })
  }

  private static func reallocate(_ old: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    let before = unsafe malloc_usable_size(old)
    guard used.load(ordering: .relaxed) - Int(before) + size <= limit else { return nil }
    guard let new = unsafe realloc(old, size) else { return nil }
    used.add(Int(unsafe malloc_usable_size(new)) - Int(before), ordering: .relaxed)
    return unsafe new
  }

  private static func free(_ pointer: UnsafeMutableRawPointer?) {
    used.subtract(Int(unsafe malloc_usable_size(pointer)), ordering: .relaxed)
    unsafe Glibc.free(pointer)
  }
}

extension LibraryVersion {
  package static var expat: LibraryVersion {
    let version = XML_ExpatVersionInfo()
    return LibraryVersion("expat", "\(version.major).\(version.minor).\(version.micro)")
  }
}
