import CDBus
package import Platform

extension LibraryVersion {
  package static var libdbus: LibraryVersion {
    var (major, minor, micro): (CInt, CInt, CInt) = (0, 0, 0)
    unsafe dbus_get_version(&major, &minor, &micro)
    return LibraryVersion("libdbus", "\(major).\(minor).\(micro)")
  }
}
