import Glibc

/// An existing file or folder, and what the kernel reports about it.
package struct StoragePath: Equatable, Sendable {
  /// Absolute, without symbolic links.
  package var path: String
  /// The numbers of the device (`st_dev`), such as `254:0`, if known.
  package var device: String?
  /// Whether fscrypt encrypts it, if the file system reports this.
  package var isEncryptedByFscrypt: Bool?

  package init(_ path: String, device: String? = nil, isEncryptedByFscrypt: Bool? = nil) {
    self.path = path
    self.device = device
    self.isEncryptedByFscrypt = isEncryptedByFscrypt
  }

  /// `path`, or the nearest parent folder that exists.
  package init(of path: String) {
    var candidate = path.hasPrefix("/") ? path : Self.currentFolder + "/" + path
    var resolved = Self.resolved(candidate)
    while resolved == nil, let slash = candidate.lastIndex(of: "/"), slash > candidate.startIndex {
      candidate = String(candidate[..<slash])
      resolved = Self.resolved(candidate)
    }
    self.init(resolved ?? "/")
    readAttributes()
  }

  private mutating func readAttributes() {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    device = Self.number(status.st_dev)
    // Files are encrypted like their folder. A database must not be opened here: closing it would release its locks.
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    isEncryptedByFscrypt = Self.isEncryptedByFscrypt(folder: isFolder ? path : Folder.parent(of: path))
  }

  /// The flag `FS_ENCRYPT_FL` of a folder (linux/fs.h). Unknown if the file system has no flags or the folder is not readable.
  private static func isEncryptedByFscrypt(folder: String) -> Bool? {
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var flags: CLong = 0
    let readFlags: UInt = 0x8008_6601  // FS_IOC_GETFLAGS, of which the kernel writes an int.
    guard unsafe ioctl(descriptor, readFlags, &flags) == 0 else { return nil }
    return flags & 0x800 != 0
  }

  /// The numbers of the block device at `path`, if the file is one.
  static func blockDevice(at path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFBLK else { return nil }
    return number(status.st_rdev)
  }

  /// The layout of glibc: 12 and 8 bits, then 20 and 12 bits (makedev(3)).
  private static func number(_ device: dev_t) -> String {
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & 0xffff_ff00
    return "\(major):\(minor)"
  }

  private static var currentFolder: String { resolved(".") ?? "" }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
