package import LiveFeed

/// Where the events of `publish` come from. Used by one thread.
package protocol FeedSource: AnyObject {
  /// Waits for events for at most `milliseconds`. A closed other end of `stop` also ends the wait.
  func wait(atMost milliseconds: CInt, watching stop: CInt?) -> [FeedEvent]
  /// Whether no events follow.
  var isAtEnd: Bool { get }
}

extension FeedReader: FeedSource {
  /// Sessions may start at any time.
  package var isAtEnd: Bool { false }
}
