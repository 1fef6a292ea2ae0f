package import Glibc
package import LiveSession
package import Platform

/// Reads the feeds of all live sessions, or of one, and connects to new sessions as they start.
///
/// Each line of a session is received once and in order. A reader that is disconnected because it fell behind connects again;
/// the numbers of the lines then show which ones it did not receive. Not Sendable: one thread calls ``wait(atMost:watching:)``.
package final class FeedReader {
  private let directory: FeedDirectory
  private let selection: String?
  private let database: String?
  private let watch: DirectoryWatch
  private var connections: [FeedConnection] = []
  /// Whether the directory has to be listed before the next wait.
  private var needsScan = true
  /// Sessions without a free place for another reader; they are tried again when the directory changes.
  private var full: Set<String> = []
  /// Sessions of other databases.
  private var foreign: Set<String> = []
  /// Sessions that disconnected the reader because it fell behind, until it is connected again.
  private var interrupted: Set<String> = []

  /// Begins to watch. No session need be running.
  /// - Parameters:
  ///   - session: the ID of the only session to read. By default, all sessions are read.
  ///   - database: the resolved path of a database. Sessions that are stored in another one are ignored.
  /// - Throws: `FileError` if the directory cannot be created or watched.
  package init(_ directory: FeedDirectory, session: String? = nil, database: String? = nil) throws(FileError)
  {
    try directory.prepare()
    (self.directory, selection, self.database) = (directory, session, database)
    watch = try DirectoryWatch(directory.path)
  }

  deinit {
    for connection in connections { connection.socket.close() }
    watch.close()
  }

  /// The sessions that the reader is connected to.
  package var sessions: [FeedHello] { connections.compactMap(\.hello) }

  /// Connects to sessions that the reader is not connected to, and receives what has arrived; waits if nothing has.
  /// - Parameters:
  ///   - milliseconds: the longest wait; 0 does not wait, -1 waits without limit.
  ///   - output: a descriptor whose closed other end also ends the wait.
  /// - Returns: The events in the order of each session; empty after the wait.
  package func wait(atMost milliseconds: CInt, watching output: CInt? = nil) -> [FeedEvent] {
    wait(atMost: milliseconds, polling: output.map { [pollfd(fd: $0, events: 0, revents: 0)] } ?? [])
  }

  /// Like ``wait(atMost:watching:)``; an event of `others` also ends the wait.
  package func wait(atMost milliseconds: CInt, polling others: [pollfd]) -> [FeedEvent] {
    if watch.takeChanges() {
      needsScan = true
      full = []
    }
    if needsScan {
      let events = connect()
      if !events.isEmpty { return events }
    }
    let inputs = [watch.descriptor] + connections.map(\.socket.descriptor)
    var states = inputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } + others
    guard unsafe poll(&states, nfds_t(states.count), milliseconds) > 0 else { return [] }
    return receive(connections.indices.filter { states[$0 + 1].revents != 0 })
  }

  private func receive(_ ready: [Int]) -> [FeedEvent] {
    var events: [FeedEvent] = []
    for index in ready.reversed() {
      var received: [FeedEvent] = []
      let isOpen = connections[index].receive(&received)
      guard !isForeign(connections[index]) else {
        foreign.insert(connections[index].session)
        connections.remove(at: index).socket.close()
        continue
      }
      if !isOpen { disconnect(index, received.last) }
      events += received
    }
    return events
  }

  private func isForeign(_ connection: FeedConnection) -> Bool {
    guard let database, let other = connection.hello?.database else { return false }
    return other != database
  }

  private func disconnect(_ index: Int, _ last: FeedEvent?) {
    let connection = connections.remove(at: index)
    connection.socket.close()
    switch last {
    case .ended(_, .disconnected(.tooManyReaders)): full.insert(connection.session)
    case .ended(_, .disconnected(.behind)):
      interrupted.insert(connection.session)
      needsScan = true
    case .ended(_, .finished): break
    default: needsScan = true
    }
  }

  /// Connects to the sessions in the directory. Removes the sockets whose processes have ended.
  /// - Returns: The ends of sessions that ended before an interrupted reader connected again: no connection reports them.
  private func connect() -> [FeedEvent] {
    // Sessions that cannot be reached for a moment.
    var busy: Set<String> = []
    let sessions = directory.sessions()
    foreign.formIntersection(sessions)
    let known = Set(connections.map(\.session)).union(full).union(foreign)
    for session in sessions where !known.contains(session) {
      guard selection == nil || session == selection else { continue }
      do throws(FileError) {
        try connect(to: session)
      } catch {
        switch error.errno {
        case ECONNREFUSED: directory.remove(session)
        // The queue of connections is full, or no descriptor is available.
        case EAGAIN, EMFILE, ENFILE: busy.insert(session)
        default: break
        }
      }
    }
    needsScan = !busy.isEmpty
    let ended = interrupted.subtracting(connections.map(\.session)).subtracting(busy)
    interrupted.formIntersection(busy)
    return ended.sorted().map { .ended(session: $0, .lost) }
  }

  /// Ignores sockets of other users.
  private func connect(to session: String) throws(FileError) {
    let socket = try LocalSocket.connected(to: directory.socket(of: session))
    guard socket.peer == geteuid() else { return socket.close() }
    connections.append(FeedConnection(socket, session: session))
  }
}

/// Watches a directory for new files (inotify).
struct DirectoryWatch: Sendable {
  let descriptor: CInt

  init(_ path: String) throws(FileError) {
    descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
    guard descriptor >= 0 else { throw FileError(errno: errno, path: path) }
    guard unsafe inotify_add_watch(descriptor, path, UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)) >= 0 else {
      let error = FileError(errno: errno, path: path)
      _ = Glibc.close(descriptor)
      throw error
    }
  }

  /// Discards the notifications that have arrived. Returns whether there were any.
  func takeChanges() -> Bool {
    var hasChanges = false
    var buffer = [UInt8](repeating: 0, count: 4096)
    while unsafe read(descriptor, &buffer, buffer.count) > 0 { hasChanges = true }
    return hasChanges
  }

  func close() { _ = Glibc.close(descriptor) }
}
