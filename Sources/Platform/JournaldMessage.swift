import Glibc

/// A message to the journal of systemd with fields, in its native protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL).
///
/// The prefix `<4>` of sd-daemon(3) states a priority only. Fields can be searched: `journalctl STRESSMON_TARGET=osc://`.
package struct JournaldMessage {
  /// The priority (sd-daemon(3)).
  package enum Priority: Int, Sendable {
    case error = 3
    case warning = 4
    case information = 6
  }

  package let text: String
  package let priority: Priority
  /// Names consist of `A` to `Z`, digits and `_`.
  package let fields: [(name: String, value: String)]

  package init(_ text: String, _ priority: Priority, fields: [(name: String, value: String)] = []) {
    (self.text, self.priority, self.fields) = (text, priority, fields)
  }

  /// Whether standard error is the journal.
  package static let ownsStandardError =
    ProcessEnvironment.current["JOURNAL_STREAM"].map { stream in
      var status = stat()
      return unsafe fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    } ?? false

  /// The datagram: `NAME=value` and a line feed per field, or the name, the length in 64 bits (little-endian) and the value, if
  /// that contains a line feed.
  package var datagram: [UInt8] {
    let all =
      [
        ("MESSAGE", text), ("PRIORITY", "\(priority.rawValue)"), ("SYSLOG_IDENTIFIER", "stressmon"),
        ("STRESSMON_VERSION", programVersion),
      ] + fields.map { ("STRESSMON_\($0.name)", $0.value) }
    return all.flatMap { name, value -> [UInt8] in
      guard value.contains("\n") else { return Array("\(name)=\(value)\n".utf8) }
      let length = UInt64(value.utf8.count)
      return Array("\(name)\n".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        + Array("\(value)\n".utf8)
    }
  }

  /// Writes the message to standard error: as a datagram to the journal if that owns it, otherwise as text. If the journal does not
  /// accept the datagram, each line has its priority as a prefix.
  package func print() {
    if Self.ownsStandardError, send(to: "/run/systemd/journal/socket") { return }
    let prefix = Self.ownsStandardError ? "<\(priority.rawValue)>" : ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let bytes = Array(lines.map { "\(prefix)\($0)\n" }.joined().utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Returns false if the socket does not exist or does not accept the datagram.
  package func send(to path: String) -> Bool {
    SocketAddress(path)?.send(datagram) ?? false
  }
}
