internal import GRDBSQLite
package import Platform

extension LibraryVersion {
  package static var sqlite: LibraryVersion {
    LibraryVersion("SQLite", unsafe String(cString: sqlite3_libversion()))
  }
}
