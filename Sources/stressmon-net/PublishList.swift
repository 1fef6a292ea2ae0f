import JSONLines
import Localization
import NetworkCommands
import Outlets
import Platform

/// Prints the targets of the running `publish` processes.
struct PublishList {
  let isJSON: Bool

  func run() {
    let processes = PublisherStatus.all(.current)
    for process in processes {
      for target in process.targets { printLine(isJSON ? json(target, process) : text(target, process)) }
      if !isJSON, process.lostLines > 0 {
        printLine(
          localized(
            "\(process.lostLines) lines of the sessions were not received (process \(Int(process.process)))"))
      }
    }
    if processes.isEmpty, !isJSON {
      printLine(localized("publish is not running. Start it with: stressmon publish osc://"))
    }
  }

  private func text(_ target: TargetStatus, _ process: PublisherStatus) -> String {
    var counts = localized("\(target.delivered) delivered, \(target.dropped) dropped")
    if let waiting = target.waiting, let behind = target.behind {
      counts = localized(
        "\(target.delivered) events delivered, \(waiting) messages waiting, behind by \(behind) events")
    }
    let error = target.lastError.map { "\n  " + localized("last error: \($0)") } ?? ""
    let profile = process.profile.map { "  \($0)" } ?? ""
    return "\(target.target)\(profile)  \(localized(target.state.word))  \(counts)\(error)"
  }

  private func json(_ target: TargetStatus, _ process: PublisherStatus) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("pid", Int(process.process))
      line.put("profile", process.profile)
      target.put(into: &line)
      line.put("lost_lines", process.lostLines)
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}

extension TargetStatus.State {
  /// The state in the language of the reader. JSON contains the raw value.
  var word: Phrase {
    switch self {
    case .connecting: Phrase("connecting")
    case .connected: Phrase("connected")
    case .retrying: Phrase("retrying")
    case .closed: Phrase("closed")
    }
  }
}
