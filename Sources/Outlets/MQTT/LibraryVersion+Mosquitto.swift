import CMosquitto
package import Platform

extension LibraryVersion {
  package static var libmosquitto: LibraryVersion {
    var (major, minor, revision): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe mosquitto_lib_version(&major, &minor, &revision)
    return LibraryVersion("libmosquitto", "\(major).\(minor).\(revision)")
  }
}
