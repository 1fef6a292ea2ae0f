/// A line of `/proc/self/mountinfo` (proc_pid_mountinfo(5)).
package struct Mount: Equatable, Sendable {
  /// The numbers of the block device, such as `254:0`; the first is 0 for file systems without one.
  package var device: String
  package var mountPoint: String
  /// `ext4`, `tmpfs`, `fuse.gocryptfs`.
  package var type: String
  /// The device or data set, such as `/dev/mapper/home` or `tank/home`.
  package var source: String
  /// The numbers of the block device at ``source``. Absent if the source is of another kind or the numbers are not needed.
  package var sourceDevice: String?

  package init(device: String, mountPoint: String, type: String, source: String, sourceDevice: String? = nil)
  {
    self.device = device
    self.mountPoint = mountPoint
    self.type = type
    self.source = source
    self.sourceDevice = sourceDevice
  }

  /// Fails if the line is malformed.
  ///
  ///     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
  ///     id parent device root mount point options [fields...] - type source options
  package init?(line: String) {
    let fields = line.split(separator: " ").map(String.init)
    guard let separator = fields.firstIndex(of: "-"), separator >= 6, fields.count > separator + 2 else {
      return nil
    }
    self.init(
      device: fields[2], mountPoint: Self.unescaped(fields[4]), type: fields[separator + 1],
      source: Self.unescaped(fields[separator + 2]))
  }

  /// Replaces `\040` and other octal escapes of the kernel.
  static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether `path`, which is absolute and without symbolic links, is at or below the mount point.
  func contains(_ path: String) -> Bool {
    mountPoint == "/" ? path.hasPrefix("/") : path == mountPoint || path.hasPrefix(mountPoint + "/")
  }
}

extension [Mount] {
  /// The mount that contains `path`: the one with the longest mount point, of several the last.
  package func containing(_ path: String) -> Mount? {
    var best: Mount?
    for mount in self where mount.contains(path) {
      if mount.mountPoint.utf8.count >= best?.mountPoint.utf8.count ?? 0 { best = mount }
    }
    return best
  }
}
