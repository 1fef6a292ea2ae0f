import Design
import HRV
import JSONLines
import LiveSession
import Localization
import Reports
import Stress

/// The texts that the script inserts, in the language of the page, as one JSON object. `{n}` stands for a number.
enum ScriptWords {
  static func json(_ context: PageContext) -> String {
    var line = JSONLine()
    line.line { line in
      line.put("categories") { all in
        for category in StressCategory.allCases {
          all.put(category.rawValue, CategoryMarks.word(category, context))
        }
      }
      line.put("buddy") { all in
        for mood in BuddyMood.allCases { all.put(mood.rawValue, BuddyPicture.text(mood, context)) }
        all.put("none", BuddyPicture.text(nil, context))
      }
      line.put("verdicts") { all in
        for verdict in Verdict.allCases { all.put(verdict.rawValue, context.localized(verdict.name)) }
      }
      line.put("none", context.localized("No stress value"))
      line.put("moving", context.localized(ScoreSuspension.moving.word))
      line.put("exertion", context.localized(ScoreSuspension.exertion.word))
      line.put("irregular", context.localized(ScoreSuspension.irregularRhythm.word))
      line.put("label", context.localized("Stress \("{n}") out of 100, \("{word}")"))
      line.put("interval", context.localized("90 % interval \("{low}")-\("{high}")"))
      line.put("confidence", context.localized("Confidence \("{n}") %"))
      line.put("seconds", context.localized("\("{n}") s ago"))
      line.put("minutes", context.localized("\("{n}") min ago"))
      line.put("hours", context.localized("\("{n}") h ago"))
      line.put("collecting", context.localized("collecting: \("{n}") of \("{of}") s"))
      line.put("beats", context.localized("\("{n}") intervals from \("{low}") to \("{high}") ms."))
      line.put("trend", context.localized("From \("{low}") to \("{high}")."))
    }
    return String(decoding: line.bytes.dropLast(), as: UTF8.self)
  }
}
