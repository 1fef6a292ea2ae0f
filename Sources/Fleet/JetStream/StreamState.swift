internal import CNats

/// Limits of a stream.
package struct StreamLimits: Equatable, Sendable {
  /// Number of servers that store each message: 1, 3 or 5.
  package var replicas: Int
  /// The age at which a message is removed, if it is limited.
  package var age: Duration?
  /// The size at which the stream rejects messages, in bytes. Unlimited if omitted.
  package var bytes: Int64?

  /// 100 years. JetStream counts 292 years in nanoseconds.
  static let longestAge = Duration.seconds(100 * 365 * 86_400)

  package init(replicas: Int = 1, age: Duration? = nil, bytes: Int64? = nil) {
    (self.replicas, self.age, self.bytes) = (replicas, age, bytes)
  }
}

/// The limits that the user sets. Omitted ones remain as in the stream, and have their default in a new one.
package struct StreamLimitChanges: Equatable, Sendable {
  package var replicas: Int?
  package var age: Duration?
  package var bytes: Int64?

  package init(replicas: Int? = nil, age: Duration? = nil, bytes: Int64? = nil) {
    (self.replicas, self.age, self.bytes) = (replicas, age, bytes)
  }

  func applied(to limits: StreamLimits) -> StreamLimits {
    StreamLimits(
      replicas: replicas ?? limits.replicas, age: age ?? limits.age, bytes: bytes ?? limits.bytes)
  }
}

/// Content and limits of a stream.
package struct StreamState: Equatable, Sendable {
  package var messages: UInt64
  package var bytes: UInt64
  package var firstSequence: UInt64
  /// Time of creation in ns since 1970, which distinguishes it from a later stream of the same name.
  package var created: Int64
  package var limits: StreamLimits
}

extension StreamState {
  init(_ info: jsStreamInfo) {
    (messages, bytes) = unsafe (info.State.Msgs, info.State.Bytes)
    firstSequence = unsafe info.State.FirstSeq
    (created, limits) = unsafe (info.Created, StreamLimits())
    guard let config = unsafe info.Config?.pointee else { return }
    unsafe limits.replicas = Int(config.Replicas)
    unsafe limits.age = config.MaxAge > 0 ? .nanoseconds(config.MaxAge) : nil
    unsafe limits.bytes = config.MaxBytes > 0 ? config.MaxBytes : nil
  }
}
