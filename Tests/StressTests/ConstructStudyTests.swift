import ConstructStudy
import HRV
import HeartRate
import TestSupport
import Testing

@Suite struct ConstructStudyTests {
  @Test("The tables of the pages are those that the program prints", .enabled(if: SharedData.isAvailable))
  func pagesContainTheTables() throws {
    for (name, blocks) in try StudyPages.all() {
      let page = try GeneratedPage(name)
      var generated = page
      for block in blocks { try generated.replace(block.name, with: block.text) }
      #expect(generated.text == page.text, "run ConstructFigures --update, and check the text of \(name)")
    }
  }

  @Test("A block that a page does not contain is an error that names it") func missingBlock() throws {
    var page = try GeneratedPage("construct.md")
    #expect(throws: GeneratedPage.MissingBlock.self) { try page.replace("unknown", with: "") }
  }

  @Test("The area is the fraction of pairs in which the first group is higher, ties counting half")
  func areaCountsPairs() {
    let separation = GroupSeparation([[4, 5], [7]], [[1], [6]])
    #expect(separation.area == 4.0 / 6)
    #expect(separation.area(of: [1]) == 1)
    #expect(separation.area(of: [0, 0, 1]) == 11.0 / 15)
    #expect(GroupSeparation([[1, 2]], [[1, 2]]).area == 0.5)
    #expect(GroupSeparation([[]], [[1]]).area.isNaN)
  }

  @Test("An interval of equal seeds is equal, contains the mean and is narrower with more people")
  func bootstrapIntervals() throws {
    let mean = { (values: [Double]) in
      { (people: [Int]) in people.reduce(0) { $0 + values[$1] } / Double(people.count) }
    }
    let few = (0..<10).map(Double.init)
    let many = (0..<160).map { Double($0 % 10) }
    let interval = try #require(PeopleBootstrap(people: 10).interval(mean(few)))
    #expect(PeopleBootstrap(people: 10).interval(mean(few)) == interval)
    // 4.5 +- 1.96 * 2.87 / sqrt(10).
    #expect(abs(interval.lowerBound - 2.72) < 0.2)
    #expect(abs(interval.upperBound - 6.28) < 0.2)
    let narrow = try #require(PeopleBootstrap(people: 160).interval(mean(many)))
    #expect(narrow.upperBound - narrow.lowerBound < 0.3 * (interval.upperBound - interval.lowerBound))
    #expect(PeopleBootstrap(people: 2).interval { _ in .nan } == nil)
  }

  @Test("A logistic model orders cases by the input that separates the classes")
  func logisticModel() {
    var random = SeededGenerator(seed: 3)
    let inputs = (0..<200).map { index in
      [
        Double(index % 2) + Double.random(in: -1...1, using: &random),
        Double.random(in: 0...1, using: &random),
      ]
    }
    let model = LogisticModel(inputs, inputs.indices.map { $0 % 2 == 1 })
    #expect(model.logOdds([1.5, 0.5]) > 1)
    #expect(model.logOdds([-0.5, 0.5]) < -1)
    #expect(abs(model.logOdds([0.5, 0.2]) - model.logOdds([0.5, 0.8])) < 1)
    #expect(abs(model.logOdds([0.5, 0.5])) < 0.5)
  }

  @Test("A stress index of a minute has the value of its histogram") func stressIndexOfFewBeats() throws {
    let intervals = [810, 820, 830, 910].compactMap { RRInterval(milliseconds: $0) }
    let index = StressIndex(NNSegments(raw: intervals), minimumBeats: 4).value
    // Three of four intervals in 0.80 to 0.85 s; range 0.1 s.
    #expect(abs(try #require(index.value) - 75 / (2 * 0.825 * 0.1)) < 1e-9)
    #expect(StressIndex(NNSegments(raw: intervals)).value == .absent(.tooFewBeats(found: 4, needed: 100)))
  }
}
