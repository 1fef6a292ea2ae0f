package import Glibc
import JSONLines
import LiveFeed
package import Platform
import SystemPackage

/// The state of a running `publish`, in a file (mode 0600) that it removes when it ends.
package struct PublisherStatus: Equatable, Sendable {
  package var process: pid_t
  /// The only profile that is published, if there is one.
  package var profile: String?
  /// Number of lines of the sessions that were not received.
  package var lostLines: Int
  package var targets: [TargetStatus]

  package init(process: pid_t, profile: String? = nil, lostLines: Int, targets: [TargetStatus]) {
    (self.process, self.profile, self.lostLines, self.targets) = (process, profile, lostLines, targets)
  }

  private static let folder = "publish"

  /// Replaces the file.
  package func save(_ environment: ProcessEnvironment) throws(FileError) {
    let path = try environment.privateFolder(Self.folder) + "/\(process).json"
    let file = try NewFile(path: path, replacing: true, appears: .onCommit)
    defer { try? file.descriptor.close() }
    try file.write(line.bytes)
    try file.commit(isDurable: false)
  }

  package func remove(_ environment: ProcessEnvironment) {
    guard let folder = try? environment.privateFolder(Self.folder) else { return }
    unsafe unlink("\(folder)/\(process).json")
  }

  /// The running process that publishes a profile to a target, if there is one.
  package static func publishing(
    _ target: String, _ profile: String?, _ environment: ProcessEnvironment
  ) -> pid_t? {
    all(environment).first { status in
      status.profile == profile && status.targets.contains { $0.target == target }
    }?.process
  }

  private var line: JSONLine {
    var line = JSONLine()
    line.line { line in
      line.put("pid", Int(process))
      line.put("profile", profile)
      line.put("lost_lines", lostLines)
      line.put("targets", objects: targets) { $1.put(into: &$0) }
    }
    return line
  }

  /// The states of the running processes. Removes the files of those that were killed.
  package static func all(_ environment: ProcessEnvironment) -> [PublisherStatus] {
    guard let folder = try? environment.privateFolder(folder) else { return [] }
    return Folder.names(in: folder).filter { $0.hasSuffix(".json") }.compactMap { name in
      guard let status = PublisherStatus(path: "\(folder)/\(name)") else { return nil }
      if kill(status.process, 0) == 0 { return status }
      status.remove(environment)
      return nil
    }
  }

  private init?(path: String) {
    guard let bytes = try? ByteSource(path: path).readAll(limit: 1 << 20) else { return nil }
    self.init(json: bytes)
  }

  init?(json: [UInt8]) {
    guard let object = try? JSONObject(json),
      let process = object.integer("pid").flatMap({ pid_t(exactly: $0) }), process > 0,
      let lost = object.integer("lost_lines"),
      let targets = object["targets"].flatMap(object.elements)
    else { return nil }
    self.init(
      process: process, profile: object.text("profile"), lostLines: lost,
      targets: targets.compactMap { object.object($0).flatMap(TargetStatus.init) })
  }
}
