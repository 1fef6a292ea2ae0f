import Glibc

/// A PNG image rendered from an SVG document with system fonts, at two pixels per CSS pixel.
///
/// Rendering uses librsvg through its program `rsvg-convert`, which is looked up only when an image is
/// requested. Linking the library would load a graphics stack and fonts at every start of the program.
package struct PNGPicture: Sendable {
  /// Content of the file.
  package let bytes: [UInt8]

  /// Renders an SVG document.
  /// - Throws: ``PNGError`` if the program is not installed or produces no image.
  package init(svg: String) throws(PNGError) {
    let (document, picture, complaint) = (try Scratch(), try Scratch(), try Scratch())
    try document.write(svg)
    let status = try Self.run(
      ["rsvg-convert", "--format", "png", "--zoom", "2"],
      descriptors: [document.descriptor, picture.descriptor, complaint.descriptor])
    bytes = picture.content
    guard status == 0, bytes.starts(with: Self.signature) else {
      throw .notDrawn(String(decoding: complaint.content.prefix(500), as: UTF8.self))
    }
  }

  /// The PNG signature (ISO/IEC 15948, 5.2).
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Runs a program with `descriptors` as its stdin, stdout and stderr, and returns its wait status as in
  /// waitpid(2).
  private static func run(_ arguments: [String], descriptors: [CInt]) throws(PNGError) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(target))
    }
    var pointers = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, arguments[0], &actions, nil, &pointers, environ)
    guard failure == 0 else { throw failure == ENOENT ? .noProgram : PNGError(errno: failure) }
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw PNGError(errno: errno) }
    }
    return status
  }
}

/// The reason why no image was rendered.
package enum PNGError: Error, Equatable, Sendable, CustomStringConvertible {
  case noProgram
  /// Rendering failed, with the program's error output.
  case notDrawn(String)

  fileprivate init(errno: CInt) { self = .notDrawn(String(cString: strerror(errno))) }

  package var description: String {
    switch self {
    case .noProgram:
      "a PNG needs the program rsvg-convert, and there is none on PATH. Install it (apt install librsvg2-bin), or take "
        + "the picture as SVG"
    case .notDrawn(let reason):
      "rsvg-convert drew no PNG: \(reason.split(whereSeparator: \.isNewline).first ?? "it did not say why"). "
        + "Take the picture as SVG"
    }
  }
}

/// An unnamed temporary file, inaccessible to other processes and removed when it is closed.
private final class Scratch {
  private let file: UnsafeMutablePointer<FILE>
  let descriptor: CInt

  init() throws(PNGError) {
    guard let file = tmpfile() else { throw PNGError(errno: errno) }
    self.file = file
    descriptor = fileno(file)
  }

  deinit { fclose(file) }

  /// Writes `text` and rewinds the file.
  func write(_ text: String) throws(PNGError) {
    let bytes = Array(text.utf8)
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0,
      lseek(descriptor, 0, SEEK_SET) == 0
    else { throw PNGError(errno: errno) }
  }

  /// Everything written to the file.
  var content: [UInt8] {
    rewind(file)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
    return bytes
  }
}
