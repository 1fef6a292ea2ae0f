internal import CNats
internal import CPQ
package import Platform

extension LibraryVersion {
  package static var libnats: LibraryVersion {
    LibraryVersion("libnats", unsafe String(cString: nats_GetVersion()))
  }

  /// PostgreSQL numbers its versions as MAJOR × 10,000 + MINOR.
  package static var libpq: LibraryVersion {
    let number = PQlibVersion()
    return LibraryVersion("libpq", "\(number / 10_000).\(number % 10_000)")
  }
}
