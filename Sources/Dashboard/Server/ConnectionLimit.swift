import NIOCore
import Platform

/// Limits the connections of clients that have shown no valid secret, and those of each permanent token.
///
/// A connection counts as unverified until one of its requests was permitted to a holder of a secret. If there are too many
/// unverified connections, the oldest one without a request is closed, else the oldest one. Silent connections thus never
/// take the place of a client that sends a request at once.
final class ConnectionLimit: Sendable {
  /// Limit of the unverified connections.
  static let maximumUnverified = 128
  /// Limit of the connections of one permanent token.
  static let maximumPerToken = 64
  /// Limit of the connections of all permanent tokens.
  static let maximumOfTokens = 256

  private struct Unverified {
    let channel: any Channel
    /// Increases with each connection.
    let number: Int
    /// Whether a request arrived whose response is not complete.
    var isAnswering = false

    /// Sorts connections: the least is closed first.
    var rank: (Int, Int) { (isAnswering ? 1 : 0, number) }
  }

  private struct State {
    var unverified: [ObjectIdentifier: Unverified] = [:]
    var verified: [ObjectIdentifier: TokenHolder] = [:]
    var nextNumber = 0
  }

  private let state = Locked(State())

  /// The number of connections that have shown no valid secret.
  var unverifiedCount: Int { state.withLock { $0.unverified.count } }

  /// Adds a new connection, and closes another one if there are too many.
  func opened(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let excess = state.withLock { state -> (any Channel)? in
      state.unverified[id] = Unverified(channel: channel, number: state.nextNumber)
      state.nextNumber += 1
      guard state.unverified.count > Self.maximumUnverified,
        let first = state.unverified.min(by: { $0.value.rank < $1.value.rank })
      else { return nil }
      state.unverified[first.key] = nil
      return first.value.channel
    }
    channel.closeFuture.whenComplete { [weak self] _ in self?.closed(id) }
    excess?.close(mode: .all, promise: nil)
  }

  private func closed(_ id: ObjectIdentifier) {
    state.withLock { state in
      state.unverified[id] = nil
      state.verified[id] = nil
    }
  }

  /// Records that the head of a request arrived.
  func began(_ channel: any Channel) {
    state.withLock { $0.unverified[ObjectIdentifier(channel)]?.isAnswering = true }
  }

  /// Records that a response was sent.
  func answered(_ channel: any Channel) {
    state.withLock { $0.unverified[ObjectIdentifier(channel)]?.isAnswering = false }
  }

  /// Records that a request on the connection was permitted. Returns false if the token has too many connections.
  func verify(_ channel: any Channel, _ holder: TokenHolder) -> Bool {
    guard holder != .anyone else { return true }
    let id = ObjectIdentifier(channel)
    return state.withLock { state in
      if state.verified[id] == nil, !Self.permitsAnother(holder, of: state.verified.values) { return false }
      // A connection that was closed in the meantime is in neither table.
      if state.unverified.removeValue(forKey: id) != nil { state.verified[id] = holder }
      return true
    }
  }

  private static func permitsAnother(_ holder: TokenHolder, of holders: some Collection<TokenHolder>) -> Bool
  {
    guard holder != .owner else { return true }
    return holders.count { $0 == holder } < maximumPerToken
      && holders.count { $0 != .owner } < maximumOfTokens
  }
}
