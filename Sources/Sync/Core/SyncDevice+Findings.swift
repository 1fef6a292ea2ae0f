extension SyncDevice {
  /// The faults of single paths.
  var pathFindings: [Finding] {
    read.sorted { $0.key < $1.key }.flatMap { path, entry -> [Finding] in
      var findings = entry.finding.map { [$0] } ?? []
      if let expected = entry.expected, entry.finding == nil {
        let isCopy = entry.carrier.map { read[expected]?.carrier == $0 } ?? (read[expected]?.about != nil)
        findings.append(
          isCopy ? .duplicate(path: path, of: expected) : .misplaced(path: path, expected: expected))
      }
      return findings
    }
  }

  /// The faults of other devices that are not forgotten.
  func deviceFindings(_ present: Set<PartCarrier>, wall: Int64) -> [Finding] {
    var findings: [Finding] = []
    let abouts = Set(read.values.compactMap(\.about))
    var presentNumbers: [SharedID: NumberSet] = [:]
    for carrier in present.sorted(by: { $0.file < $1.file }) {
      presentNumbers[carrier.file.device, default: NumberSet()].insert(carrier.file.number)
    }
    for (device, ledger) in peers.sorted(by: { $0.key < $1.key }) where !state.isGone(device) {
      if ledger.aboutVersion > 0, !abouts.contains(device) {
        findings.append(.missingDevice(device))
        continue
      }
      let missing = ledger.missing
      if !missing.isEmpty { findings.append(.missing(device: device, missing)) }
      let removed = ledger.seen.subtracting(presentNumbers[device] ?? NumberSet()).subtracting(
        ledger.withdrawn)
      if !removed.isEmpty { findings.append(.removed(device: device, removed)) }
    }
    return findings + [firstLead(wall)].compactMap(\.self)
  }

  /// The device with the first stamp that is too far ahead. The stamps of later edits of the same values are later than this one also
  /// on devices whose clocks are right.
  private func firstLead(_ wall: Int64) -> Finding? {
    let ahead = leads.values.compactMap { stamp -> (stamp: Stamp, lead: Int64)? in
      let (lead, overflows) = stamp.milliseconds.subtractingReportingOverflow(wall)
      return overflows || lead > HybridClock.maximumLead ? (stamp, overflows ? .max : lead) : nil
    }
    return ahead.min { $0.stamp < $1.stamp }.map {
      .clockAhead(device: $0.stamp.device, milliseconds: $0.lead)
    }
  }

  /// Withdraws files of this device that are not in the folder, so that they are written again.
  mutating func repair(_ present: Set<PartCarrier>) -> [Finding] {
    let found = Set(present.lazy.filter { [id] in $0.file.device == id }.map(\.file.number))
    let lost = own.live.keys.filter { !found.contains($0) }.sorted()
    guard !lost.isEmpty else { return [] }
    for number in lost { withdraw(number) }
    return [.repaired(NumberSet(lost))]
  }

  /// Removes a file of this device from the folder's content.
  /// - Returns: Its name.
  @discardableResult
  mutating func withdraw(_ number: Int) -> VaultName? {
    guard let file = own.live.removeValue(forKey: number) else { return nil }
    own.withdrawn.insert(number)
    switch file.content {
    case .part(let session, _): sessions[session]?.remove(FileID(id, number))
    case .changes: needsSnapshot = true
    }
    return file.name
  }
}
