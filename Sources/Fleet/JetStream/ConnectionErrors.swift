internal import CNats
internal import Localization
internal import Platform

/// The errors that libnats reports on its own threads, by connection.
///
/// Callbacks receive a number instead of a pointer, because a late callback must not access a freed object.
struct ConnectionErrors {
  /// The latest violation of permissions of each open connection, if there was one.
  private static let violations = Locked<[UInt: String?]>([:])
  private static let numbers = Locked<UInt>(0)

  private let number: UInt

  init() {
    number = Self.numbers.withLock { latest in
      latest += 1
      return latest
    }
    Self.violations.withLock { [number] in $0[number] = .some(nil) }
  }

  /// Registers the callback.
  func observe(_ options: OpaquePointer) throws(FleetError) {
    let status = unsafe natsOptions_SetErrorHandler(
      options,
      { _, _, status, closure in
        // libnats stores the text of the server for its thread of callbacks.
        guard status == NATS_NOT_PERMITTED, let text = unsafe nats_GetLastError(nil) else { return }
        let number = UInt(bitPattern: closure)
        let violation = unsafe String(cString: text)
        ConnectionErrors.violations.withLock { if $0[number] != nil { $0[number] = .some(violation) } }
      }, UnsafeMutableRawPointer(bitPattern: number))
    try check(status, Phrase("cannot set the options of the connection to NATS"))
  }

  /// Returns and clears the latest permissions violation.
  func takeViolation() -> String? {
    Self.violations.withLock { violations in
      defer { violations[number] = .some(nil) }
      return violations[number] ?? nil
    }
  }

  func remove() { Self.violations.withLock { $0[number] = nil } }
}
