import Dispatch
import Formats
import HRV
import HeartRate
import Platform
import Stress

/// Computes the rows of a study on all cores.
package struct StudyRun: Sendable {
  package let plan: StudyPlan
  package let inventory: StudyInventory
  /// ``StudyPlan/digest``.
  private let settings: String
  /// Rows of earlier runs. Those with the settings and the content of a recording are not computed again.
  private let earlier: [String: [StudyRow]]

  package init(_ plan: StudyPlan, _ inventory: StudyInventory, earlier: [StudyRow] = []) {
    let digest = plan.digest
    (self.plan, self.inventory, settings) = (plan, inventory, digest)
    self.earlier = Dictionary(
      grouping: earlier.filter { $0.settingsDigest == digest && !$0.inputDigest.isEmpty }
    ) { Self.name($0.inputDigest, $0.participant, $0.condition, $0.cells[2]) }
  }

  private static func name(_ digest: String, _ parts: String...) -> String {
    ([digest] + parts).joined(separator: "\n")
  }

  /// All rows, by participant, condition and segment in the order of the plan, with those of missing recordings.
  /// - Parameter finished: receives the rows of each recording as soon as they are known, and the number of recordings so far;
  ///   one call at a time. Rows of an earlier run are passed as well.
  package func rows(finished: @Sendable ([StudyRow], Int) -> Void = { _, _ in }) -> [StudyRow] {
    let recordings = inventory.recordings
    let found = Locked<(rows: [[StudyRow]], count: Int)>(
      (Array(repeating: [], count: recordings.count), 0))
    DispatchQueue.concurrentPerform(iterations: recordings.count) { place in
      let rows = rows(of: recordings[place])
      found.withLock { found in
        found.rows[place] = rows
        found.count += 1
        finished(rows, found.count)
      }
    }
    return inOrder(found.withLock { $0.rows })
  }

  /// Adds the rows of missing recordings in their places.
  private func inOrder(_ found: [[StudyRow]]) -> [StudyRow] {
    let groups = Dictionary(grouping: found.joined()) { [$0.participant, $0.condition] }
    return inventory.participants.flatMap { participant in
      inventory.conditions.flatMap { condition -> [StudyRow] in
        if let rows = groups[[participant, condition]] { return rows }
        guard plan.design == .paired else { return [] }
        let key = StudyInventory.Key(participant: participant, condition: condition, session: "")
        return plan.segments.map {
          StudyRow(key, file: nil, segment: $0.name, reason: reason(of: key), plan, settings)
        }
      }
    }
  }

  private func reason(of key: StudyInventory.Key) -> String {
    inventory.findings.contains { $0.kind == .duplicate && $0.subject == key.text }
      ? "several recordings" : "no recording"
  }

  /// Files up to this size in bytes are read once, and kept for the analysis after the digest.
  private static let kept = 16 << 20

  /// The rows of one recording: one per segment and epoch.
  func rows(of recording: StudyInventory.Recording) -> [StudyRow] {
    let (key, file) = (recording.key, recording.path)
    let source =
      recording.part == nil ? try? ByteSource(path: "\(inventory.folder)/\(file)", keeping: Self.kept) : nil
    let digest =
      (recording.part?.text ?? source?.kept).map { FileDigest.hex(of: $0) } ?? inventory.digest(of: recording)
    if let digest, let rows = earlier[Self.name(digest, key.participant, key.condition, key.session)] {
      return rows
    }
    func without(_ segment: Segment, _ reason: String) -> StudyRow {
      StudyRow(key, file: file, segment: segment.name, reason: reason, plan, settings, inputDigest: digest)
    }
    var analysis: SessionAnalysis
    do {
      analysis = SessionAnalysis(
        try inventory.open(recording, plan, source), file: file, top: plan.top, selection: .time,
        methods: plan.methods)
    } catch {
      return plan.segments.map { without($0, "unreadable: " + String(describing: error)) }
    }
    analysis.inputDigest = digest
    return plan.segments.flatMap { segment -> [StudyRow] in
      do throws(ReportError) {
        let windows = try AnalysisWindows(analysis, segments: [segment], selection: plan.selection)
        return windows.windows.map { StudyRow(key, file: file, $0, analysis, plan, settings) }
      } catch {
        return [without(segment, error.description)]
      }
    }
  }
}

extension StudyInventory {
  /// Reads each recording, and adds what prevents its analysis: it cannot be read, has no such marks, or is too short.
  ///
  /// No metric is computed.
  package mutating func readRecordings(_ plan: StudyPlan, progress: @Sendable (Int) -> Void = { _ in }) {
    let (inventory, count) = (self, recordings.count)
    let found = Locked<(findings: [[Finding]], count: Int)>((Array(repeating: [], count: count), 0))
    DispatchQueue.concurrentPerform(iterations: count) { place in
      let findings = inventory.findings(in: inventory.recordings[place], plan)
      found.withLock { found in
        found.findings[place] = findings
        found.count += 1
        progress(found.count)
      }
    }
    for finding in found.withLock({ $0.findings }).joined() { add(finding) }
  }

  /// Adds what prevented the analysis of recordings, from their rows, so that a run reads each recording once.
  package mutating func add(problemsOf rows: [StudyRow], _ plan: StudyPlan) {
    var unreadable: Set<String> = []
    for row in rows where !row.file.isEmpty {
      let (reasons, name) = (
        row.reasons(plan), row.epoch.isEmpty ? row.segment : "\(row.segment) \(row.epoch)"
      )
      if let detail = reasons.dropping("unreadable: ") {
        guard unreadable.insert(row.file).inserted else { continue }
        add(Finding(kind: .unreadable, subject: row.file, detail: detail))
      } else if let detail = reasons.dropping("too short: ") {
        add(Finding(kind: .tooShort, subject: row.file, detail: "\(name): \(detail)"))
      } else if row.beats == nil {
        add(Finding(kind: .noSegment, subject: row.file, detail: reasons))
      }
    }
  }

  private func findings(in recording: Recording, _ plan: StudyPlan) -> [Finding] {
    let collected: CollectedBeats
    do {
      collected = CollectedBeats(try open(recording, plan).events)
    } catch {
      return [Finding(kind: .unreadable, subject: recording.path, detail: String(describing: error))]
    }
    let beats = collected.beats
    let start = beats.first.map { $0.end - $0.rr } ?? .zero
    let end = beats.last?.end ?? .zero
    return plan.segments.flatMap { segment -> [Finding] in
      do throws(ReportError) {
        return try segment.parts(collected.marks).compactMap { part in
          let length = min(end, part.to ?? end).ticks - max(start, part.from ?? start).ticks
          guard length < plan.shortest.ticks else { return nil }
          let (seconds, shortest) = (
            SessionTime(ticks: max(0, length)).seconds, SessionTime(ticks: plan.shortest.ticks).seconds
          )
          let name = part.epoch.map { "\(part.name) \($0)" } ?? part.name
          return Finding(
            kind: .tooShort, subject: recording.path, detail: "\(name): \(seconds) s, \(shortest) s needed")
        }
      } catch {
        return [Finding(kind: .noSegment, subject: recording.path, detail: error.description)]
      }
    }
  }
}

extension String {
  /// The text after a prefix, if it has this prefix.
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
