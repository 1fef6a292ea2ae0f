import Glibc
import HTTPTypes
import HummingbirdCore
import NIOCore
import Platform
import SystemPackage

/// A file that `stressmon export` writes and a browser downloads. Memory use does not depend on its size.
struct ExportDownload: Sendable {
  /// The formats of one session.
  enum Format: String, CaseIterable, Sendable {
    case csv
    case jsonl
    case rr
    case kubios
    case fit
    case recording

    var fileExtension: String {
      switch self {
      case .csv: "csv"
      case .jsonl, .recording: "jsonl"
      case .rr: "txt"
      case .kubios: "hrm"
      case .fit: "fit"
      }
    }
  }

  let program: MeasuringProgram
  let slots: DownloadSlots
  /// A download that accepts nothing for this time, or for twice this time at most, is ended.
  var stallLimit = Duration.seconds(30)
  /// Bytes that are read at once.
  private static let chunk = 1 << 16

  /// The response with the file.
  /// - Parameters:
  ///   - arguments: those after `export`, without the output and the database.
  ///   - name: the name of the file: letters, digits, `-`, `_` and `.`.
  /// - Throws: ``Problem`` 422 with the command's message if it fails, and 503 if too many downloads are open.
  func response(_ arguments: [String], name: String, to request: PermittedRequest) async throws -> Response {
    // The length is unknown before the export, so the headers are the same without it.
    guard request.request.method != .head else { return Response(status: .ok, headers: Self.headers(name)) }
    guard let slot = slots.slot(for: request.holder) else {
      throw Problem(
        503, "Too many downloads", "Wait until another download has ended, or cancel it.", retryAfter: 10)
    }
    let file = try await exported(arguments, name, slot)
    return Response(
      status: .ok, headers: Self.headers(name),
      body: Self.body(file, stallLimit: stallLimit, close: request.closeConnection))
  }

  private func exported(_ arguments: [String], _ name: String, _ slot: DownloadSlot) async throws
    -> OpenExport
  {
    let folder = try Self.temporaryFolder()
    let file = "\(folder)/\(name)"
    // The open file remains readable, and nothing is left behind if the download is interrupted.
    defer { Self.remove(file, folder) }
    let outcome = try await ChildCommand(program, .export, timeout: .seconds(600)).run(
      ["export"] + arguments + ["--output=\(file)", "--db=\(program.database)"])
    guard let outcome, outcome.succeeded,
      let descriptor = try? unsafe SystemPackage.FileDescriptor.open(file, .readOnly, options: .closeOnExec)
    else { throw Problem(422, "Export failed", outcome?.reason ?? "The export took too long.") }
    return OpenExport(descriptor, slot)
  }

  private static func headers(_ name: String) -> HTTPFields {
    [.contentType: "application/octet-stream", .contentDisposition: "attachment; filename=\"\(name)\""]
  }

  private static func body(
    _ file: OpenExport, stallLimit: Duration, close: @escaping @Sendable () -> Void
  ) -> ResponseBody {
    ResponseBody { writer in
      let chunks = Locked(0)
      let watchdog = Task { try await waitForStall(of: chunks, stallLimit, then: close) }
      defer { watchdog.cancel() }
      var bytes = [UInt8](repeating: 0, count: chunk)
      while true {
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe file.descriptor.read(into: $0) }
        guard count > 0 else { break }
        try await writer.write(ByteBuffer(bytes: bytes[..<count]))
        chunks.withLock { $0 += 1 }
      }
      try await writer.finish(nil)
    }
  }

  /// Calls `close` once the number of written chunks has not changed for `limit`.
  private static func waitForStall(
    of chunks: Locked<Int>, _ limit: Duration, then close: @Sendable () -> Void
  ) async throws {
    var last = -1
    while true {
      let count = chunks.withLock(\.self)
      guard count != last else { return close() }
      last = count
      try await Task.sleep(for: limit)
    }
  }

  private static func temporaryFolder() throws -> String {
    do { return try Folder.createTemporary(for: "export") } catch {
      throw Problem(507, "No temporary folder", "Show the free space with: df -h \(Folder.temporary)")
    }
  }

  private static func remove(_ file: String, _ folder: String) {
    _ = unsafe unlink(file)
    _ = unsafe rmdir(folder)
  }
}

/// A removed file that is read until a download has ended.
private final class OpenExport: Sendable {
  let descriptor: SystemPackage.FileDescriptor
  private let slot: DownloadSlot

  init(_ descriptor: SystemPackage.FileDescriptor, _ slot: DownloadSlot) {
    (self.descriptor, self.slot) = (descriptor, slot)
  }

  // A response without a reader has no other end.
  deinit { try? descriptor.close() }
}

/// Limits the downloads that are open at the same time, each of which keeps a copy of a session or of the database.
final class DownloadSlots: Sendable {
  static let maximum = 4
  /// Limit of the downloads of all permanent tokens.
  static let maximumOfTokens = 2

  private let holders = Locked<[TokenHolder]>([])

  /// nil if the limit is reached.
  func slot(for holder: TokenHolder) -> DownloadSlot? {
    let isFree = holders.withLock { holders in
      let ofTokens = holders.count { $0 != .owner }
      guard holders.count < Self.maximum, holder == .owner || ofTokens < Self.maximumOfTokens else {
        return false
      }
      holders.append(holder)
      return true
    }
    return isFree ? DownloadSlot(self, holder) : nil
  }

  fileprivate func release(_ holder: TokenHolder) {
    holders.withLock { holders in
      if let index = holders.firstIndex(of: holder) { holders.remove(at: index) }
    }
  }
}

/// The place of one download, free again when it is released.
final class DownloadSlot: Sendable {
  private let slots: DownloadSlots
  private let holder: TokenHolder

  fileprivate init(_ slots: DownloadSlots, _ holder: TokenHolder) {
    (self.slots, self.holder) = (slots, holder)
  }

  deinit { slots.release(holder) }
}
