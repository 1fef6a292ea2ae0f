import CExpat
import Glibc
import Synchronization

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
