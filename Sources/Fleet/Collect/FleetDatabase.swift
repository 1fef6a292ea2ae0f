/// Connections to the query store.
package enum FleetDatabase {
  /// A connection that writes as the owner of the tables.
  static func connect(_ url: PostgreSQLURL) throws(PostgreSQLError) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(url, settings: FleetSchema.settings)
    try connection.run("SELECT set_config('role', $1, false)", [.text(FleetSchema.collector)])
    return connection
  }

  /// Applies the missing migrations.
  /// - Returns: The versions that were applied.
  @discardableResult
  package static func migrate(_ url: PostgreSQLURL) throws(FleetError) -> [Int64] {
    let connection = try opened(url)
    do throws(FleetSchemaError) {
      return try FleetSchema.migrate(connection)
    } catch {
      throw FleetError(error.cause.canPass ? .unreachable : .database, error.description)
    }
  }

  static func opened(_ url: PostgreSQLURL) throws(FleetError) -> PostgreSQLConnection {
    do throws(PostgreSQLError) {
      return try PostgreSQLConnection(url, settings: FleetSchema.settings)
    } catch {
      throw FleetError(
        .unreachable,
        "cannot connect to PostgreSQL at \(url): \(error); start the server, or check host, user and ~/.pgpass"
      )
    }
  }
}
