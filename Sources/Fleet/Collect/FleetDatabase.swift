internal import Localization

/// Connections to the query store.
package enum FleetDatabase {
  /// Applies the missing migrations.
  /// - Returns: The versions that were applied.
  @discardableResult
  package static func migrate(_ url: PostgreSQLURL) throws(FleetError) -> [Int64] {
    try migrated(url).versions
  }

  /// Applies the missing migrations.
  /// - Returns: The connection, which writes as the owner of the tables.
  static func prepared(_ url: PostgreSQLURL) throws(FleetError) -> PostgreSQLConnection {
    try migrated(url).connection
  }

  private static func migrated(
    _ url: PostgreSQLURL
  ) throws(FleetError) -> (connection: PostgreSQLConnection, versions: [Int64]) {
    let connection = try opened(url)
    do throws(FleetSchemaError) {
      return (connection, try FleetSchema.migrate(connection))
    } catch {
      throw FleetError(error.cause.isTransient ? .unreachable : .database, error.message)
    }
  }

  /// A connection to a migrated database, which writes as the owner of the tables.
  static func connect(_ url: PostgreSQLURL) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(url, settings: FleetSchema.settings)
    try FleetSchema.assumeRole(connection)
    return connection
  }

  /// A connection with the rights of its user.
  /// - Throws: ``FleetError`` with the code `unauthorized` if the server refuses the user or the database, else `unreachable`.
  static func opened(
    _ url: PostgreSQLURL, readOnly: Bool = false,
    settings: [(name: String, value: String)] = FleetSchema.settings
  ) throws(FleetError) -> PostgreSQLConnection {
    do throws(PostgreSQLError) {
      return try PostgreSQLConnection(url, readOnly: readOnly, settings: settings)
    } catch {
      let cause = Phrase("cannot connect to PostgreSQL at \(url.description): \(error.description)")
      if error.isRefusal {
        throw FleetError(.unauthorized, Phrase("\(cause); check user, database and ~/.pgpass"))
      }
      let advice =
        error.description.contains("read-only")
        ? Phrase("name the primary in the URL as well")
        : Phrase("start the server, or check host and port")
      throw FleetError(.unreachable, Phrase("\(cause); \(advice)"))
    }
  }
}
