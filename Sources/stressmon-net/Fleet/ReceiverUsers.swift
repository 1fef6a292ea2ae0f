import Fleet
import Glibc
import Localization
import Platform

/// Runs `stressmon collect invite` and `stressmon collect revoke`.
struct ReceiverUsers {
  /// The program beside the file of users that copies it to the other nats-servers and lets all of them read it.
  private static let applyProgram = "apply-users"

  private let server: NatsURL
  private let receiver: FleetCode
  private let path: String

  /// - Throws: ``FleetError`` with the code `usage`.
  init(_ receiver: String, _ stream: String, users path: String?) throws(FleetError) {
    guard let code = FleetCode(receiver) else {
      throw FleetError(
        .usage, Phrase("'\(receiver)' is not a name of a receiver: 1 to 64 of the characters A-Z a-z 0-9 _ -")
      )
    }
    (server, self.receiver, self.path) = (try NatsURL(stream), code, path ?? UsersFile.defaultPath)
  }

  /// Adds a user, and prints the code of the invitation, which is not stored.
  func invite() throws(FleetError) {
    let invitation = try Invitation(to: server, receiver: receiver)
    try UsersFile(path: path).add(invitation)
    printLine(invitation.code)
    printMessage(
      Phrase(
        """
        invited \(receiver) to the study \(server.study). On the receiver, type 'stressmon publish enroll' and paste the code. It \
        contains the key of the receiver and cannot be printed again
        """))
    try apply()
  }

  /// Removes the user.
  func revoke() throws(FleetError) {
    try UsersFile(path: path).remove(receiver, study: server.study)
    printMessage(Phrase("removed the user of \(receiver) of the study \(server.study)"))
    try apply()
  }

  private func apply() throws(FleetError) {
    let program = "\(Folder.parent(of: path))/\(Self.applyProgram)"
    guard unsafe access(program, X_OK) == 0 else {
      return printMessage(
        Phrase(
          """
          copy \(path) to the other nats-servers, and type on each of them: sudo systemctl reload nats-server
          """))
    }
    let status = try SignalListener([SIGINT, SIGTERM]).run(program, [path])
    guard status == 0 else {
      throw FleetError(
        .local,
        Phrase(
          """
          \(path) was changed, but \(program) ended with the exit code \(status); run it again: \(program) \(path)
          """)
      )
    }
  }
}
