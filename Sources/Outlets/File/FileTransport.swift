import Glibc
import Localization
import Platform
import SystemPackage

/// Replaces a file atomically, or writes lines to a FIFO.
package final class FileTransport: OutletTransport {
  private let path: String
  /// The FIFO while a reader has it open.
  private var fifo: CInt = -1

  package init(path: String) { self.path = path }

  deinit { close() }

  package func open() throws(OutletError) -> Bool {
    if isFIFO { return true }
    let folder = Folder.parent(of: path)
    guard unsafe access(folder, W_OK) == 0 else {
      throw OutletError(
        Phrase("cannot create \(path): \(Self.reason(errno)); check the folder with: ls -ld \(folder)"))
    }
    return true
  }

  package func send(_ text: String) throws(OutletError) -> Delivery {
    if isFIFO { return write(text) }
    do throws(FileError) {
      try replace(with: text)
      return .delivered
    } catch { throw OutletError(error.message) }
  }

  package func close() {
    if fifo >= 0 { _ = Glibc.close(fifo) }
    fifo = -1
  }

  private var isFIFO: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Not durable: a value from before a power failure has no use.
  private func replace(with text: String) throws(FileError) {
    let file = try NewFile(path: path, replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    do throws(FileError) {
      try file.write(Array(text.utf8))
      try file.commit(isDurable: false)
    } catch {
      file.remove()
      throw error
    }
  }

  /// Writes one line. It has at most PIPE_BUF bytes, which makes the write atomic. Never blocks.
  private func write(_ text: String) -> Delivery {
    if fifo < 0 { fifo = unsafe Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
    guard fifo >= 0 else {
      let reason = errno == ENXIO ? Phrase("no program reads it") : Phrase(untranslated: Self.reason(errno))
      return .dropped(
        OutletError(Phrase("cannot write to the FIFO \(path): \(reason); read it with: cat \(path)")))
    }
    let line = Array((text + "\n").utf8)
    guard unsafe Glibc.write(fifo, line, line.count) < 0 else { return .delivered }
    let error = errno
    if error != EAGAIN { close() }
    return .dropped(OutletError(Phrase("cannot write to the FIFO \(path): \(Self.reason(error))")))
  }

  private static func reason(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }
}
