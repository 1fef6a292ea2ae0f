import CExpat
import CZlib
package import Platform

extension LibraryVersion {
  package static var zlib: LibraryVersion { LibraryVersion("zlib", unsafe String(cString: zlibVersion())) }

  package static var expat: LibraryVersion {
    let version = XML_ExpatVersionInfo()
    return LibraryVersion("expat", "\(version.major).\(version.minor).\(version.micro)")
  }
}
