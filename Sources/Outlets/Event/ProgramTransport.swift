import Glibc
import Localization
import Platform
import SystemPackage

/// Runs a program for each event, with the JSON object in its standard input. One program runs at a time, for at most ten seconds.
package final class ProgramTransport: OutletTransport {
  /// In ns.
  static let timeLimit: Int64 = 10_000_000_000

  private let path: String
  private let arguments: [String]

  package init(path: String, arguments: [String]) { (self.path, self.arguments) = (path, arguments) }

  package func open() throws(OutletError) -> Bool {
    guard unsafe access(path, X_OK) == 0 else {
      throw OutletError(
        Phrase(
          """
          cannot run \(path): \(unsafe String(cString: strerror(errno))); make it executable with: chmod +x \(path)
          """)
      )
    }
    return true
  }

  package func send(_ message: EventEncoder.Message) throws(OutletError) -> Delivery {
    do {
      let (input, child) = try Self.starting.withLock { _ throws(Errno) in try start() }
      // An object fits into the buffer of a pipe (64 KiB), so this does not block. A program may ignore its input.
      _ = unsafe write(input, message.body + [UInt8(ascii: "\n")], message.body.count + 1)
      _ = Glibc.close(input)
      return wait(for: child)
    } catch {
      throw OutletError(Phrase("cannot run \(path): \(error.description)"))
    }
  }

  /// A program that another thread starts meanwhile would inherit the pipe.
  private static let starting = Locked(())

  /// Starts the program in its own process group, and returns the writing end of its standard input. Its output is discarded;
  /// errors go to standard error.
  private func start() throws(Errno) -> (input: CInt, child: ChildProcess) {
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { _ = Glibc.close(ends[0]) }
    do { return (ends[1], try ChildProcess(path, arguments, input: ends[0])) } catch {
      _ = Glibc.close(ends[1])
      throw error
    }
  }

  package func close() {}

  private func wait(for child: ChildProcess) -> Delivery {
    let deadline = SystemClock.boot + Self.timeLimit
    var isKilled = false
    while true {
      if let status = child.status() { return isKilled ? .dropped(tooSlow) : delivery(status) }
      if SystemClock.boot >= deadline, !isKilled {
        kill(-child.identifier, SIGKILL)
        isKilled = true
      }
      usleep(5_000)
    }
  }

  private var tooSlow: OutletError {
    OutletError(Phrase("\(path) did not end within \(Self.timeLimit / 1_000_000_000) s and was killed"))
  }

  private func delivery(_ status: CInt) -> Delivery {
    guard status != 0 else { return .delivered }
    let end =
      status & 0x7F == 0
      ? Phrase("\(path) ended with the exit code \(status >> 8 & 0xFF)")
      : Phrase("\(path) was ended by signal \(status & 0x7F)")
    return .dropped(OutletError(Phrase("\(end); run it by hand with an event in its standard input")))
  }
}
