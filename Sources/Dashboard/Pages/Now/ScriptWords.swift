import HRV
import JSONLines
import Localization
import Reports

/// The texts that the script inserts, in the language of the page, as one JSON object. `{n}` stands for a number.
enum ScriptWords {
  static func json(_ context: PageContext) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("verdicts") { all in
        for verdict in Verdict.allCases { all.put(verdict.rawValue, context.localized(verdict.name)) }
      }
      line.put("notices") { notices in
        notices.put("prompt", context.localized("Stressed? By what?"))
        notices.put("category", context.localized("Your stress category has changed."))
        notices.put("alarm", context.localized("The condition of an alarm is fulfilled."))
      }
      line.put("beats", context.localized("\("{n}") intervals from \("{low}") to \("{high}") ms."))
      line.put("trend", context.localized("From \("{low}") to \("{high}")."))
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}
