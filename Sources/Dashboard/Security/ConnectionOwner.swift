import Glibc
import NIOCore
import Platform
import SystemPackage

/// Determines which user has the other end of a connection of this machine, from the tables of the kernel (proc(5), /proc/net/tcp).
enum ConnectionOwner {
  /// The tables of IPv4 and IPv6 sockets.
  private static let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"]

  /// The ID of the user, if the other end is open and on this machine.
  ///
  /// The kernel writes a table in parts, and a socket can be left out while others are closed, so the tables are read up to
  /// three times.
  static func user(from client: NIOCore.SocketAddress?, to server: NIOCore.SocketAddress?) -> uid_t? {
    guard let client, let server else { return nil }
    let patterns = patterns(client, server)
    for _ in 0..<3 {
      for table in tables {
        guard let bytes = contents(table) else { continue }
        if let user = user(in: bytes, patterns) { return user }
      }
    }
    return nil
  }

  /// The user of the row with one of the addresses, if there is one. Ignores sockets that their process has closed, which
  /// have neither an inode nor a user.
  /// - Parameter table: ends with 0.
  static func user(in table: [CChar], _ patterns: [String]) -> uid_t? {
    for pattern in patterns {
      var start = 0
      while let row = position(of: ": " + pattern, in: table, from: start) {
        let line = table[row...].prefix(256).prefix { $0 != 0x0A && $0 != 0 }
        // colon, local, remote, state, queues, timer, retransmissions, user, timeouts, inode
        let fields = String(decoding: line.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self).split(
          separator: " ")
        if fields.count > 9, fields[9] != "0" { return uid_t(fields[7]) }
        start = row + 1
      }
    }
    return nil
  }

  /// The tables have a row for each connection of the machine, so the search is that of the C library.
  private static func position(of text: String, in table: [CChar], from start: Int) -> Int? {
    unsafe table.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress, start < table.count else { return nil }
      return unsafe strstr(base + start, text).map { unsafe UnsafePointer($0) - base }
    }
  }

  /// How the rows of the client's socket begin: its address, then that of the server. A socket for both versions of IP has
  /// IPv4 addresses in the form ::ffff:127.0.0.1.
  static func patterns(_ client: NIOCore.SocketAddress, _ server: NIOCore.SocketAddress) -> [String] {
    switch (client, server) {
    case (.v4(let client), .v4(let server)):
      ["", "0000000000000000FFFF0000"].map { prefix in
        "\(prefix)\(text(client.address)) \(prefix)\(text(server.address)) "
      }
    case (.v6(let client), .v6(let server)): ["\(text(client.address)) \(text(server.address)) "]
    default: []
    }
  }

  private static func text(_ address: sockaddr_in) -> String {
    "\(hex(address.sin_addr.s_addr, 8)):\(hex(UInt32(UInt16(bigEndian: address.sin_port)), 4))"
  }

  private static func text(_ address: sockaddr_in6) -> String {
    let words = unsafe withUnsafeBytes(of: address.sin6_addr) { bytes in
      (0..<4).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
    }
    return words.map { hex($0, 8) }.joined() + ":" + hex(UInt32(UInt16(bigEndian: address.sin6_port)), 4)
  }

  private static func hex(_ value: UInt32, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// The content of a table, with a final 0.
  private static func contents(_ path: String) -> [CChar]? {
    guard let file = try? unsafe FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
      return nil
    }
    defer { try? file.close() }
    var text: [CChar] = []
    var chunk = [CChar](repeating: 0, count: 1 << 18)
    while let count = try? unsafe chunk.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }), count > 0
    {
      text += chunk[..<count]
    }
    return text + [0]
  }
}

/// The users whose connections a server accepts. A connection is looked up at its first request.
final class ConnectionPolicy: Sendable {
  private let users: Set<uid_t>
  private let verdicts = Locked<[ObjectIdentifier: Bool]>([:])

  /// - Parameter others: Users besides the one that runs the server.
  init(others: Set<uid_t>) { users = others.union([geteuid()]) }

  func permits(_ channel: any Channel) -> Bool {
    let id = ObjectIdentifier(channel)
    if let known = verdicts.withLock({ $0[id] }) { return known }
    let user = ConnectionOwner.user(from: channel.remoteAddress, to: channel.localAddress)
    let isPermitted = user.map(users.contains) ?? false
    verdicts.withLock { $0[id] = isPermitted }
    channel.closeFuture.whenComplete { [weak self] _ in
      _ = self?.verdicts.withLock { $0.removeValue(forKey: id) }
    }
    return isPermitted
  }
}
