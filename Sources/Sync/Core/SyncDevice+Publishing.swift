/// The files that a sync writes and removes.
package struct FolderPlan: Equatable, Sendable {
  /// In the order in which they are written, `about.age` last. Their digests are 0.
  package var files: [VaultFile] = []
  package var key: VaultKey
  /// Paths that are removed after the files are written.
  package var removals: [String] = []
}

extension SyncDevice {
  /// The files to write. Save the device before writing them.
  /// - Parameter tag: The identifier in the file name of a session, which depends on ``key``.
  package mutating func publish(wall: Int64, tag: (SharedID) -> SharedID) -> FolderPlan {
    var plan = FolderPlan(key: key)
    withdrawObsolete(&plan)
    removeRestored(&plan)
    publishChanges(&plan)
    publishSessions(&plan, tag)
    publishAbout(&plan)
    let written = Set(plan.files.map { VaultPath.text(id, $0.name) })
    plan.removals = Set(plan.removals).subtracting(written).sorted()
    return plan
  }

  /// Records that the files of `plan` are in the folder.
  /// - Returns: Whether the state changed, because they contain an `about.age`.
  package mutating func didWrite(_ plan: FolderPlan) -> Bool {
    guard case .about(let about) = plan.files.last?.content else { return false }
    own.writtenAbout = about.version
    return true
  }

  /// Withdraws files for older keys, of deleted sessions, and with values of deleted records.
  private mutating func withdrawObsolete(_ plan: inout FolderPlan) {
    let current = key
    for (number, file) in own.live.sorted(by: { $0.key < $1.key }) {
      let isObsolete: Bool
      switch file.content {
      case .part(let session, _):
        isObsolete =
          state.isDeleted(session, localSessions[session]?.content ?? sessions[session]?.content)
          || (localSessions[session].map { isOutdated(file, session, $0) } ?? false)
      case .changes(let records): isObsolete = records.contains { state.isDeleted($0) }
      }
      if isObsolete || file.key != current, let name = withdraw(number) {
        plan.removals.append(VaultPath.text(id, name))
      }
    }
  }

  /// Whether the history contains other events of the session than the file.
  private func isOutdated(_ file: OwnFiles.File, _ session: SharedID, _ localSession: LocalSession) -> Bool {
    file.deletedTimeCount != state.deletedTimeCount(of: session)
      || file.lacksEvents != localSession.lacksEvents
  }

  /// Removes files that a synchroniser restored: withdrawn files of this device, and deleted sessions of devices that no longer write.
  /// Removes the directory of the previous identifier when the files of the new one are in the folder.
  private func removeRestored(_ plan: inout FolderPlan) {
    for (path, entry) in read {
      if let replaced, foundAbout > 0, entry.finding == nil,
        case .device(replaced.device, _) = VaultPath(path)
      {
        plan.removals.append(path)
      }
      guard let file = entry.reference?.file else { continue }
      if file.device == id {
        if own.live[file.number] == nil { plan.removals.append(path) }
      } else if state.isGone(file.device), let session = peers[file.device]?.files[file.number]?.session,
        state.isDeleted(session, sessions[session]?.content)
      {
        plan.removals.append(path)
      }
    }
  }

  private mutating func publishChanges(_ plan: inout FolderPlan) {
    let files = own.changeFiles
    let isSnapshot = needsSnapshot || (!outbox.isEmpty && files.count >= changeFileLimit)
    if isSnapshot { plan.removals += files.compactMap { withdraw($0) }.map { VaultPath.text(id, $0) } }
    let changes = isSnapshot ? state.changes : outbox
    (needsSnapshot, outbox) = (false, [])
    guard !changes.isEmpty else { return }
    add(.changes(changes), .changes(Set(changes.compactMap(\.record))), &plan) { .changes(number: $0) }
  }

  private mutating func publishSessions(_ plan: inout FolderPlan, _ tag: (SharedID) -> SharedID) {
    for (session, localSession) in localSessions.sorted(by: { $0.key < $1.key })
    where !state.isDeleted(session, localSession.content) {
      for part in 0..<localSession.parts where !isPublished(session, part, localSession) {
        let content = VaultPart(
          session: session, part: part, parts: localSession.hasEnded ? localSession.parts : nil,
          content: localSession.content,
          lacksEvents: localSession.lacksEvents)
        let number = add(.part(content), .part(session, part), &plan) { _ in
          .part(tag: tag(session), part: part)
        }
        sessions[session, default: SharedSession()].add(
          content, FileReference(file: FileID(id, number), digest: 0, lacksEvents: localSession.lacksEvents))
      }
    }
  }

  /// Whether the part is in a file of this device, or of another device that is not forgotten, for the current key.
  ///
  /// A device that joins with the current key only uses files for that key, so each session must be in one of them.
  private func isPublished(_ session: SharedID, _ part: Int, _ localSession: LocalSession) -> Bool {
    guard let partFiles = sessions[session]?.partFiles[part] else { return false }
    return partFiles.contains { reference in
      (localSession.lacksEvents || !reference.lacksEvents)
        && (reference.file.device == id || isUsedByAll(reference.file))
    }
  }

  private func isUsedByAll(_ file: FileID) -> Bool {
    guard !state.isGone(file.device) else { return false }
    return peers[file.device]?.files[file.number]?.key.map { !isReplaced($0) } ?? true
  }

  private mutating func publishAbout(_ plan: inout FolderPlan) {
    var about = About(
      name: name, version: own.aboutVersion, written: own.written, withdrawn: own.withdrawn, key: key,
      replaced: replaced, received: peers.mapValues(\.received))
    let isPresent =
      foundAbout == own.aboutVersion && read.values.contains { $0.about == id && $0.finding == nil }
    guard about != own.about || !isPresent else { return }
    about.version += 1
    own.about = about
    plan.files.append(VaultFile(device: id, number: 0, digest: 0, name: .about, content: .about(about)))
  }

  @discardableResult
  private mutating func add(
    _ content: VaultFile.Content, _ carried: OwnFiles.File.Content, _ plan: inout FolderPlan,
    name: (Int) -> VaultName
  ) -> Int {
    let key = key
    var file = OwnFiles.File(name: .about, key: key, content: carried)
    if case .part(let session, _) = carried {
      file.deletedTimeCount = state.deletedTimeCount(of: session)
      file.lacksEvents = localSessions[session]?.lacksEvents ?? false
    }
    let number = own.add { number in
      file.name = name(number)
      return file
    }
    plan.files.append(
      VaultFile(device: id, number: number, digest: 0, name: name(number), content: content))
    return number
  }
}
