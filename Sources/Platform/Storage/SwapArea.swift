/// A line of `/proc/swaps`.
package struct SwapArea: Equatable, Sendable {
  package var path: String
  /// The numbers of the block device; nil for a file, or if unknown.
  package var device: String?
  /// The file; nil for a block device.
  package var file: StoragePath?

  package init(path: String, device: String? = nil, file: StoragePath? = nil) {
    self.path = path
    self.device = device
    self.file = file
  }

  /// The areas in use; nil if the kernel does not report them.
  package static func all(in tree: SystemTree) -> [SwapArea]? {
    tree.lines("/proc/swaps", limit: 1 << 16)?.dropFirst().compactMap { line in
      let fields = line.split { " \t".contains($0) }.map(String.init)
      guard fields.count >= 2 else { return nil }
      let path = Mount.unescaped(fields[0])
      return fields[1] == "file"
        ? SwapArea(path: path, file: StoragePath(of: path))
        : SwapArea(path: path, device: StoragePath.blockDevice(at: path))
    }
  }
}
