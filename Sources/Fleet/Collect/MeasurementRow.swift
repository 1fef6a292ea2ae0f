internal import HeartRate
internal import History
internal import Stress

/// The columns of `measurement` that a measurement determines, as ``MeasurementColumns`` defines them.
enum MeasurementRow {
  static let names = MeasurementColumns.names

  /// The types in PostgreSQL: text for the class of the sensor, integers for counts, else double precision.
  static let types: [PostgreSQLType] = names.map { name in
    switch name {
    case "sensor_class": .text
    case "ticks", "beats", "normal_beats", "engine", "is_reading", "is_paced": .integer
    default: .real
    }
  }

  static func values(_ sample: MeasurementSample) -> [PostgreSQLValue] {
    names.indices.map { position in
      switch (MeasurementColumns.value(position, of: sample), types[position]) {
      case (.integer(let value?), _): .integer(value)
      case (.real(let value), _): .real(value)
      case (.text(let value), _): .text(value)
      case (.blob(let value), _): .bytes(value)
      case (.integer(nil), .text): .text(nil)
      case (.integer(nil), .real): .real(nil)
      case (.integer(nil), _): .integer(nil)
      }
    }
  }
}
