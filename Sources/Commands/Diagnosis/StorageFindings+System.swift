import Glibc
import Platform
import Strap
import Subprocess

extension StorageFindings {
  /// The storage of the running system.
  /// - Parameter database: the file, if its location is known.
  static func ofSystem(database: String?, _ environment: ProcessEnvironment) async -> StorageFindings {
    let places = places(database: database, environment)
    var snapshot = StorageSnapshot(in: SystemTree())
    for place in places {
      guard let mount = snapshot.mounts.containing(place.path.path), mount.type == "zfs" else { continue }
      snapshot.zfsEncryption[mount.source] = await zfsEncryption(of: mount.source)
    }
    return StorageFindings(snapshot: snapshot, places: places)
  }

  /// The folders of the database, of recordings without a folder in their name, and of sockets and locks.
  private static func places(database: String?, _ environment: ProcessEnvironment) -> [Place] {
    let stored = database.map { Place(name: "database storage", path: StoragePath(of: $0)) }
    return [stored].compactMap { $0 } + [
      Place(name: "recordings storage", path: StoragePath(of: ".")),
      Place(
        name: "runtime storage", path: StoragePath(of: environment.runtimeFolder),
        remedy: "export XDG_RUNTIME_DIR=/run/user/$(id -u)"),
    ]
  }

  /// The property of a data set, if the program `zfs` can read it.
  private static func zfsEncryption(of dataSet: String) async -> String? {
    let result = try? await run(
      .name("zfs"), arguments: ["get", "-H", "-o", "value", "encryption", dataSet],
      output: .string(limit: 4096),
      error: .discarded)
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput.split(separator: "\n").first.map(String.init)
  }
}
