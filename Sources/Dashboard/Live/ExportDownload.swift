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
  /// Bytes that are read at once.
  private static let chunk = 1 << 16

  /// The response with the file; a ``Problem`` with the command's message if it fails.
  /// - Parameters:
  ///   - arguments: those after `export`, without the output and the database.
  ///   - name: the name of the file: letters, digits, `-`, `_` and `.`.
  func response(_ arguments: [String], name: String) async throws -> Response {
    let folder = try Self.temporaryFolder()
    let file = "\(folder)/\(name)"
    let outcome = await ChildCommand(program, timeout: .seconds(600)).run(
      ["export"] + arguments + ["--output=\(file)", "--db=\(program.database)"])
    guard let outcome, outcome.succeeded,
      let descriptor = try? unsafe SystemPackage.FileDescriptor.open(file, .readOnly)
    else {
      Self.remove(file, folder)
      throw Problem(422, "Export failed", outcome?.reason ?? "The export took too long.")
    }
    // The open file remains readable, and nothing is left behind if the download is interrupted.
    Self.remove(file, folder)
    return Response(status: .ok, headers: Self.headers(name), body: Self.body(descriptor))
  }

  private static func headers(_ name: String) -> HTTPFields {
    [.contentType: "application/octet-stream", .contentDisposition: "attachment; filename=\"\(name)\""]
  }

  private static func body(_ descriptor: SystemPackage.FileDescriptor) -> ResponseBody {
    ResponseBody { writer in
      defer { try? descriptor.close() }
      var bytes = [UInt8](repeating: 0, count: chunk)
      while true {
        let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        guard count > 0 else { break }
        try await writer.write(ByteBuffer(bytes: bytes[..<count]))
      }
      try await writer.finish(nil)
    }
  }

  private static func temporaryFolder() throws -> String {
    let base = ProcessEnvironment.current["TMPDIR"] ?? "/tmp"
    var template = Array("\(base)/stressmon-export-XXXXXX".utf8CString)
    let isCreated = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkdtemp($0) != nil } ?? false
    }
    guard isCreated else {
      throw Problem(507, "No temporary folder", "Show the free space with: df -h \(base)")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func remove(_ file: String, _ folder: String) {
    _ = unsafe unlink(file)
    _ = unsafe rmdir(folder)
  }
}
