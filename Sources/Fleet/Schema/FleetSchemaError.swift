internal import Localization

/// The reason why the schema cannot be used.
struct FleetSchemaError: Error, Equatable {
  enum Code: Equatable {
    /// Schema or roles are missing and cannot be created.
    case creation
    /// The user is not a member of the role that owns the tables.
    case role
    /// A later version of the program migrated the database.
    case newer
    case migration
  }

  var code: Code
  var cause: PostgreSQLError

  init(_ code: Code, _ cause: PostgreSQLError) { (self.code, self.cause) = (code, cause) }
}

extension FleetSchemaError: Translatable {
  /// The message in English.
  var description: String { Language.english.text(message) }

  var message: Phrase {
    let cause = cause.description
    return switch code {
    case .creation:
      Phrase(
        """
        cannot create the schema and its roles: \(cause). Run it once as a superuser: stressmon collect setup --into URL
        """)
    case .role:
      Phrase(
        """
        cannot act as the role \(FleetSchema.collector): \(cause). As a superuser, run: GRANT \(FleetSchema.collector) TO USER
        """)
    case .newer:
      Phrase(
        """
        the database has the schema version \(cause), and this version knows versions up to \(FleetSchema.version); update \
        stressmon
        """)
    case .migration: Phrase("cannot migrate the database: \(cause)")
    }
  }
}

// MARK: Migrations

// Released versions are never edited.
