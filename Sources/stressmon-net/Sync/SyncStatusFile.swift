import HeartRate
import JSONLines
import Platform
import Sync

/// The result of the last exchange, in a file beside the keys, for `sync status`.
struct SyncStatusFile {
  /// The time of the last exchange that succeeded, if any did.
  var succeeded: WallTime?
  /// The error of the last exchange in English, unless it succeeded.
  var error: String?
  var warnings: [String] = []

  init(_ result: SyncRun.Result) {
    (succeeded, warnings) = (SystemClock.wall, result.warnings.map(\.description))
  }

  init(_ failure: SyncFailure, previous: SyncStatusFile) {
    (succeeded, error, warnings) = (previous.succeeded, failure.message.description, previous.warnings)
  }

  /// Reads the file; empty without one.
  init(_ store: KeyStore) {
    guard let bytes = try? ByteSource(path: store.statusPath).readAll(limit: 1 << 20),
      let object = try? JSONObject(bytes)
    else { return }
    succeeded = object["succeeded"].flatMap(object.string).flatMap { WallTime(rfc3339: $0) }
    error = object["error"].flatMap(object.string)
    warnings = object["warnings"].flatMap(object.elements)?.compactMap(object.string) ?? []
  }

  /// Replaces the file. A failure has no effect: the exchange succeeded.
  func save(_ store: KeyStore) {
    var line = JSONLine()
    line.line { line in
      line.put("succeeded", succeeded?.rfc3339)
      line.put("error", error)
      line.put("warnings", texts: warnings)
    }
    try? OutputFile(path: store.statusPath, replacing: true).write(line.bytes)
  }
}
