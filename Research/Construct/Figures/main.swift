// Prints the tables of docs/design/construct.md and docs/design/range.md, and those of docs/design/exertion.md about light
// effort:
//
//     STRESSMON_TEST_DATA=FOLDER swift run ConstructFigures [--update]
//
// --update replaces the tables in the pages.

import ConstructStudy
import TestSupport

guard SharedData.isAvailable else { fatalError("STRESSMON_TEST_DATA must name the folder of recordings") }
for (name, blocks) in try StudyPages.all() {
  if CommandLine.arguments.contains("--update") {
    var page = try GeneratedPage(name)
    for block in blocks { try page.replace(block.name, with: block.text) }
    try page.save()
  } else {
    for block in blocks { print("\(name), \(block.name):\n\n\(block.text)\n") }
  }
}
