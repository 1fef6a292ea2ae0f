import FakeBlueZ
import TestSupport
import Testing

@Suite(.ownThreads) struct ScanTests {
  @Test func aScanListsEachStrapInRange() throws {
    let air = try Air()
    air.strap()
    air.strap(Air.other, nil) { $0.rssi = -80 }
    let scan = try givenTime {
      try air.home.run("scan", "--duration", "\($0)")
    } until: {
      $0.lines.count == 3
    }
    #expect(scan.status == .exited(0))
    let forms = [
      /address            name             signal  state/, /C0:00:00:00:00:01  Polar H10 TEST  -\d\d dBm/,
      /C0:00:00:00:00:02  -               -\d\d dBm/,
    ]
    #expect(scan.lines.count == 3)
    for (line, form) in zip(scan.lines, forms) { #expect(line.wholeMatch(of: form) != nil, "\(line)") }
    #expect(scan.errors.contains("Measure with: stressmon live --strap C0:00:00:00:00:01"))
  }

  @Test func aJSONScanPrintsOneLinePerStrap() throws {
    let air = try Air()
    air.strap()
    air.strap(Air.other, "Other \"H9\"\n")
    func straps(_ scan: Outcome) -> Set<String> {
      Set(((try? scan.json()) ?? []).compactMap { $0["strap"]?.text })
    }
    let scan = try givenTime {
      try air.home.run("scan", "--duration", "\($0)", "--json")
    } until: {
      straps($0).count == 2
    }
    #expect(scan.status == .exited(0))
    #expect(scan.errors.isEmpty)
    #expect(straps(scan) == [Air.address, Air.other])
    let lines = try scan.json()
    let last = try #require(lines.last { $0["strap"]?.text == Air.address })
    #expect(last["strap_name"]?.text == "Polar H10 TEST")
    #expect((-90...(-30)).contains(last["rssi_dbm"]?.number ?? 0))
    #expect(last["paired"]?.bool == false && last["connected"]?.bool == false)
    #expect(last["heart_rate_service"]?.bool == true && last["answering"]?.bool == true)
    #expect(try Schema("scan").differences(from: last) == [])
  }

  @Test func aStrapWithoutAdvertisedServiceIsRecognizedByItsName() throws {
    let air = try Air()
    air.strap(Air.address, "Wahoo TICKR 1234") { $0.advertisedServices = [] }
    air.strap(Air.other, "Somebody's headphones") { $0.advertisedServices = [] }
    let scan = try givenTime {
      try air.home.run("scan", "--duration", "\($0)")
    } until: {
      $0.lines.count == 2
    }
    #expect(scan.status == .exited(0))
    #expect(scan.lines.count == 2)
    #expect(scan.lines.last?.contains("Wahoo TICKR 1234") == true)
    #expect(scan.lines.last?.contains("heart rate service not announced") == true)
  }

  @Test func anEmptyScanIsAnErrorWithARemedy() throws {
    let air = try Air()
    let scan = try air.home.run("scan", "--duration", "1s")
    #expect(scan.status == .exited(2))
    #expect(scan.output.isEmpty)
    #expect(scan.errors.contains("no strap answered within 1s. Wear it with moist electrodes"))
    #expect(scan.errors.contains("stressmon scan --duration 30s"))
    let json = try air.home.run("scan", "--duration", "1s", "--json")
    #expect(json.status == .exited(2))
    #expect(json.output.isEmpty)
  }

  @Test func controlCharactersOfNamesAreEscaped() throws {
    let air = try Air()
    air.strap(Air.address, "Polar \u{1B}[2J H10")
    let scan = try givenTime {
      try air.home.run("scan", "--duration", "\($0)")
    } until: {
      $0.status == .exited(0)
    }
    #expect(scan.output.contains("H10"))
    #expect(!(scan.output + scan.errors).contains("\u{1B}"))
  }
}
