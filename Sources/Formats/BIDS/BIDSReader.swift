import HeartRate
import JSONLines
import Platform
import SessionData

/// Reads the beats of a BIDS dataset: each file `_physioevents.tsv.gz` with beats is a session.
///
/// The given file is `dataset_description.json`, or one file `_physioevents.tsv.gz`. The names of its columns are in the JSON file of
/// the same name.
struct BIDSReader {
  fileprivate static let description = "dataset_description.json"
  private static let suffix = "_physioevents.tsv.gz"
  /// Limits of the folders of a dataset.
  private static let deepest = 4
  private static let longestSidecar = 1 << 20

  private let source: ByteSource

  private let mostBeats: Int

  init(_ source: ByteSource, mostBeats: Int) { (self.source, self.mostBeats) = (source, mostBeats) }

  func sessions(_ body: (FileSession) throws -> Void) throws {
    guard !source.head.starts(with: GzipChunks.magic) else { return try body(beats(source)) }
    for path in Self.files(in: Folder.parent(of: source.path), depth: 0) {
      try body(beats(ByteSource(path: path)))
    }
  }

  /// The paths of all files of events below `folder`, by name.
  private static func files(in folder: String, depth: Int) -> [String] {
    Folder.names(in: folder).flatMap { name -> [String] in
      let path = folder == "." ? name : "\(folder)/\(name)"
      if name.hasSuffix(suffix), name.hasPrefix("sub-") { return [path] }
      let isFolder = depth == 0 ? name.hasPrefix("sub-") : !name.contains(".")
      return isFolder && depth < deepest ? files(in: path, depth: depth + 1) : []
    }
  }

  private func beats(_ file: ByteSource) throws -> FileSession {
    // Compressed data are always counted first: a row has less than a byte of the file, and they are short.
    try file.countingFirst(bytesPerBeat: 0, mostBeats: mostBeats) { try session(file, $0) }
  }

  private func session(_ file: ByteSource, _ mode: SessionEvents.Mode) throws -> FileSession {
    let base = file.path.hasSuffix(".tsv.gz") ? String(file.path.dropLast(7)) : file.path
    let sidecar = try Self.object("\(base).json")
    guard let columns = sidecar["Columns"].flatMap({ sidecar.elements($0) }) else {
      throw FormatError(
        .malformed(.bids, .byte(0), "an array \"Columns\" of column names is expected"), path: "\(base).json")
    }
    var table = BIDSEventTable(columns.map { sidecar.string($0) ?? "" }, mode)
    var lines = ChunkLines(try GzipChunks(file, .bids))
    while let line = try lines.next(.bids, file.path) {
      do {
        try table.append(line.text)
      } catch let error as BIDSEventTable.RowError {
        throw FormatError(.malformed(.bids, .line(line.number), error.why), path: file.path)
      }
    }
    var result = table.session
    if let end = sidecar[BIDSBeats.duration].flatMap({ sidecar.number($0) })?.ticks(
      perUnit: RRInterval.ticksPerSecond, limit: 1_000_000_000 * RRInterval.ticksPerSecond)
    {
      result.end = SessionTime(ticks: end)
    }
    try BIDSFolder(file.path).addMarks(to: &result)
    return result.session(start: try BIDSFolder(file.path).start)
  }

  /// A JSON file with one object.
  private static func object(_ path: String) throws -> JSONObject {
    let source = try ByteSource(path: path)
    guard let bytes = try source.readAll(limit: longestSidecar) else {
      throw FormatError(
        .malformed(.bids, .byte(longestSidecar), "longer than \(longestSidecar) bytes"), path: path)
    }
    do throws(JSONSyntaxError) {
      return try JSONObject(bytes)
    } catch {
      throw FormatError(.malformed(.bids, .byte(error.offset), "\(error.expected) is expected"), path: path)
    }
  }
}

extension FormattedFile {
  /// The path of the description of a BIDS dataset, if `folder` is the folder of a dataset.
  package static func datasetDescription(in folder: String) -> String? {
    let path = folder.hasSuffix("/") ? folder + BIDSReader.description : "\(folder)/\(BIDSReader.description)"
    return folder != "-" && Folder.names(in: folder).contains(BIDSReader.description) ? path : nil
  }
}

/// Reads the lines of chunks of bytes in constant memory.
struct ChunkLines<Chunks: ByteChunks> {
  private var chunks: Chunks
  private var rest: ArraySlice<UInt8> = []
  private var number = 0

  init(_ chunks: Chunks) { self.chunks = chunks }

  /// Reads the next line, without its line feed.
  mutating func next(_ format: FileFormat, _ path: String) throws -> (number: Int, text: Substring)? {
    var line: [UInt8] = []
    var isEmpty = true
    number += 1
    while true {
      if rest.isEmpty {
        rest = try chunks.nextChunk()
        if rest.isEmpty { return isEmpty ? nil : (number, String(decoding: line, as: UTF8.self)[...]) }
      }
      isEmpty = false
      let part = rest.prefix { $0 != 0x0A }
      line += part
      rest = rest.dropFirst(part.count)
      guard line.count <= LineReader.longestLine else {
        throw FormatError(
          .malformed(format, .line(number), "longer than \(LineReader.longestLine) bytes"), path: path)
      }
      if rest.popFirst() != nil { return (number, String(decoding: line, as: UTF8.self)[...]) }
    }
  }
}
