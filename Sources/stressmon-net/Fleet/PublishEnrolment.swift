import Dashboard
import Fleet
import Glibc
import Localization
import NetworkCommands
import Platform

/// Runs `stressmon publish enroll`: stores the credentials of an invitation, and adds its study to the targets of `publish`.
struct PublishEnrolment {
  private let environment = ProcessEnvironment.current

  /// - Parameter code: By default, the code is read from standard input, or from the terminal without an echo.
  func run(code: String?) async {
    do {
      let invitation = try Invitation(code: code ?? input())
      let target = try store(invitation)
      try await addTarget(target, of: invitation)
      try check(target, invitation)
      remindOfParticipants()
    } catch {
      failFleet(error)
    }
  }

  private func input() throws(FleetError) -> String {
    if isatty(STDIN_FILENO) == 0 {
      let bytes = (try? ByteSource(path: "/dev/stdin").readAll(limit: 65_536)).flatMap { $0 } ?? []
      return String(decoding: bytes, as: UTF8.self)
    }
    guard let code = TerminalPrompt()?.secret(localized("Code of the invitation:") + " ") else {
      throw FleetError(
        .usage, Phrase("the code of the invitation is missing. Example: stressmon publish enroll < code.txt"))
    }
    return code
  }

  /// Writes the files with mode 0600.
  /// - Returns: The target of `publish`.
  private func store(_ invitation: Invitation) throws -> String {
    let folder = "\(Folder.parent(of: Participants.defaultPath(environment)))/fleet"
    guard !folder.contains(where: \.isWhitespace) else {
      throw FleetError(
        .usage, Phrase("the folder \(folder) contains a space, which separates targets; set XDG_CONFIG_HOME"))
    }
    try Folder.create(folder)
    let credentials = "\(folder)/\(invitation.study).credentials"
    try OutputFile(path: credentials, replacing: true).write(Array(invitation.credentials.utf8))
    let authorities = try invitation.authorities.map { text in
      let path = "\(folder)/\(invitation.study).pem"
      try OutputFile(path: path, replacing: true).write(Array(text.utf8))
      return path
    }
    return invitation.target(credentials: credentials, authorities: authorities)
  }

  /// Adds the target to the setting `publish`, in place of another one for the same study.
  private func addTarget(_ target: String, of invitation: Invitation) async throws {
    let program = try MeasuringProgram.find()
    let current = (await Settings(program).text("publish") ?? "").split(separator: " ").map(String.init)
    let others = current.filter { text in
      guard let previous = try? NatsURL(text, allowing: ["receiver"]), previous.study == invitation.study
      else {
        return true
      }
      warn(previous, invitation)
      return false
    }
    let value = (others + [target]).joined(separator: " ")
    let settings = MeasuringProgram(path: program, database: "", profile: "")
    guard await settings.output(["config", "set", "publish", value]) != nil else {
      throw FleetError(
        .local, Phrase("cannot change the settings; type: stressmon config set publish '\(value)'"))
    }
  }

  private func warn(_ previous: NatsURL, _ invitation: Invitation) {
    guard let name = previous.options["receiver"], name != invitation.receiver.text else { return }
    printWarning(
      Phrase(
        """
        this receiver was \(name) before. Collectors reject sessions that they have stored under that name
        """))
  }

  /// Connects once, because nats-servers may not have read the new user yet.
  private func check(_ target: String, _ invitation: Invitation) throws(FleetError) {
    let server = try NatsURL(target, allowing: ["receiver"], environment)
    let summary = Phrase("\(invitation.receiver) of the study \(invitation.study)")
    do throws(FleetError) {
      let stream = try JetStream(server, role: .receiver(invitation.receiver), name: "publish enroll")
      let state = try stream.namingViolations { () throws(FleetError) in try stream.stream(server.stream) }
      printMessage(Phrase("enrolled as \(summary) at \(server.description)"))
      if state == nil { printWarning(stream.missingStream.message) }
    } catch {
      throw FleetError(
        error.code == .usage ? .local : error.code,
        Phrase(
          """
          the credentials of \(summary) are stored, but the servers do not accept them yet: \(error)
          """))
    }
  }

  private func remindOfParticipants() {
    let path = Participants.defaultPath(environment)
    if unsafe access(path, F_OK) != 0 {
      printMessage(
        Phrase(
          """
          list the profiles to publish in \(path), with the tickets of 'stressmon collect admit'. Example: ann = SP1-...
          """))
    }
    printMessage(Phrase("then type: systemctl --user restart stressmon-publish"))
  }
}
