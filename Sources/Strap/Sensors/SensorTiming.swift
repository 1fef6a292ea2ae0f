/// Timeouts and intervals of sensor streams.
struct SensorTiming: Equatable, Sendable {
  /// Maximum time for the answer to a request.
  var response = Duration.seconds(5)
  /// Time without frames after which a stream is started again; an H10 may need 30 s for the first one.
  var silence = Duration.seconds(60)
  /// Back-off after a failed subscription, multiplied by the number of failures.
  var backoff = Duration.seconds(2)
  /// Number of subscriptions that may fail on one link.
  var attempts = 5
  /// A link that ends so soon after acceleration and ECG were started together may have failed because of both.
  var jointLoss = Duration.seconds(60)
}
