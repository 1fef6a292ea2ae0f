import HTTPTypes
import HeartRate
import History
import Platform
import Reports
import Stress
import TestSupport
import Testing

@testable import Dashboard

@Suite struct SettingsPageTests {
  @Test func theOverviewLinksToExistingPages() async throws {
    let server = try ServerFixture(measures: false)
    let page = try await server.page("/settings")
    let links = Set(page.matches(of: /href="(\/settings\/[a-z]+)"/).map { String($0.1) })
    #expect(links.count == 8)
    for link in links { _ = try await server.page(link) }
    #expect(page.contains(server.location.path) && page.contains(programVersion) && page.contains("Privacy"))
  }

  @Test func theAppearanceIsStored() async throws {
    let server = try ServerFixture()
    #expect(try await server.page("/").contains("id=\"cards\""))
    let fields: KeyValuePairs = [
      "theme": "dark", "accent": "gentle", "text-size": "160", "motion": "on", "language": "en",
      "view": "simple",
    ]
    let answer = try await server.form("/settings/appearance", fields)
    #expect(answer.status == 303 && answer.headers[.location] == "/settings/appearance?notice=changed")
    let page = try await server.page("/settings/appearance")
    #expect(
      page.contains("data-theme=\"dark\" data-accent=\"gentle\" data-text-size=\"160\" data-motion=\"on\""))
    #expect(try await !server.page("/").contains("id=\"cards\""))
    let wrong: KeyValuePairs = [
      "theme": "pink", "accent": "calm", "text-size": "1", "motion": "on", "language": "en", "view": "full",
    ]
    #expect(try await server.form("/settings/appearance", wrong).status == 422)
    #expect(try await server.page("/settings/appearance").contains("data-theme=\"dark\""))
  }

  @Test func theBaselineIsSetAndReset() async throws {
    let server = try ServerFixture(measures: false)
    try server.note("creates the history")
    let answer = try await server.form(
      "/settings/baseline", ["rmssd": "42,5", "sdnn": "60", "resting-hr": "56"])
    #expect(answer.status == 303)
    let baseline = try #require(try server.reader().baseline(of: "me"))
    #expect(baseline.rmssd == 42.5 && baseline.restingHeartRate == 56 && baseline.origin == .manual)
    #expect(try await server.page("/settings/baseline").contains("Origin: set manually."))
    for (field, value) in [("rmssd", "0"), ("sdnn", "x"), ("resting-hr", "500")] {
      var fields = ["rmssd": "42", "sdnn": "60", "resting-hr": "56"]
      fields[field] = value
      let body = fields.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
      let wrong = try await server.request(
        "POST", "/settings/baseline", body: body, headers: [.contentType: "application/x-www-form-urlencoded"]
      )
      #expect(wrong.status == 422 && wrong.text.contains("id=\"\(field)-error\""))
    }
    #expect(try await server.form("/settings/baseline/reset", [:]).status == 303)
    #expect(try server.reader().baseline(of: "me") == nil)
  }

  @Test func profilesAreAddedRenamedShownAndDeleted() async throws {
    let server = try ServerFixture(measures: false)
    #expect(try await server.form("/settings/profiles", ["name": "anna"]).status == 303)
    let again = try await server.form("/settings/profiles", ["name": "anna"])
    #expect(again.status == 422 && again.text.contains("id=\"name-error\""))
    for name in ["", "a\u{1B}", String(repeating: "a", count: 65)] {
      #expect(try await server.form("/settings/profiles", ["name": name]).status == 422)
    }
    #expect(try await server.page("/settings/profiles").contains("href=\"/?profile=anna\""))
    #expect(try await server.page("/journal?profile=anna").contains("Profile: anna"))
    let renamed = try await server.form(
      "/settings/profiles/rename?profile=anna", ["profile": "anna", "new-name": "ben & co"])
    #expect(renamed.headers[.location] == "/settings/profiles?profile=ben%20%26%20co&notice=changed")
    #expect(try server.reader().profiles() == ["me", "ben & co"])
    let taken = try await server.form("/settings/profiles/rename", ["profile": "ben & co", "new-name": "me"])
    #expect(taken.status == 422 && taken.text.contains("id=\"new-name-error\""))
    let preview = try await server.page("/settings/profiles/delete?name=ben%20%26%20co")
    #expect(preview.contains("the profile ben &amp; co"))
    let path = "/settings/profiles/delete"
    #expect(try await server.form(path, ["name": "ben & co", "confirmation": "ben"]).status == 422)
    #expect(try server.reader().profiles().count == 2)
    #expect(try await server.form(path, ["name": "ben & co", "confirmation": "ben & co"]).status == 303)
    #expect(try server.reader().profiles() == ["me"])
  }

  @Test func namesOfProfilesAndStrapsAreHarmless() async throws {
    let server = try ServerFixture(measures: false)
    let writer = try HistoryWriter(server.location)
    _ = try writer.addProfile(hostileName)
    try writer.remember(
      RememberedStrap(
        StrapIdentity(address: "C0:FF:EE:00:00:01", name: hostileName), lastUsed: SystemClock.wall),
      for: "me")
    for path in ["/settings/profiles", "/settings/straps", "/settings", "/history"] {
      let page = try await server.page(path)
      #expect(!page.contains("<script>alert"))
    }
    expectHarmless(try await server.page("/settings/profiles"))
    expectHarmless(try await server.page("/settings/straps"))
  }

  @Test func aTokenIsShownOnce() async throws {
    let server = try ServerFixture(measures: false)
    let added = try await server.form("/settings/tokens", ["name": "obs", "scope": "widget"])
    let token = try #require(added.text.firstMatch(of: /<code>([A-Za-z0-9_-]{43})<\/code>/)).1
    #expect(added.status == 200)
    #expect(added.text.contains("http://127.0.0.1:8077/widget?size=large&amp;token=\(token)"))
    let list = try await server.page("/settings/tokens")
    #expect(list.contains("<strong>obs</strong>") && !list.contains(String(token)))
    for fields in [
      ["name": "obs", "scope": "hr"], ["name": "a b", "scope": "hr"], ["name": "x", "scope": "full"],
    ]
      as [KeyValuePairs<String, String>]
    {
      #expect(try await server.form("/settings/tokens", fields).status == 422)
    }
    #expect(try await server.form("/settings/tokens/remove", ["name": "obs"]).status == 303)
    #expect(try await server.page("/settings/tokens").contains("No tokens yet"))
    #expect(try await server.form("/settings/tokens/remove", ["name": "obs"]).status == 422)
  }

  @Test func everythingIsDeletedOnlyAfterATypedConfirmation() async throws {
    let server = try ServerFixture(measures: false)
    try server.note("secret")
    #expect(try await server.page("/settings/data").contains("<li>1 journal entry</li>"))
    for word in ["", "yes", "Delete "] {
      #expect(try await server.form("/settings/data/delete", ["confirmation": word]).status == 422)
    }
    #expect(try server.reader().journal(of: "me").count == 1)
    #expect(try await server.form("/settings/data/delete", ["confirmation": "delete"]).status == 303)
    #expect(try server.reader().journal(of: "me").isEmpty)
  }

  @Test func withoutSystemdThePageSaysWhatToDo() async throws {
    let server = try ServerFixture(measures: false)
    let page = try await server.page("/settings/measuring")
    #expect(page.contains("Measuring in the background cannot be switched here."))
    #expect(
      page.contains("start this command yourself: stressmon service")
        && !page.contains("name=\"service-unit\""))
    let answer = try await server.form("/settings/measuring/service", ["service-unit": "off"])
    #expect(answer.status == 200 && answer.text.contains("cannot be switched here"))
    #expect(try await server.form("/settings/measuring/service", ["service-unit": "maybe"]).status == 400)
  }

  @Test func theWholeDatabaseIsDownloaded() async throws {
    let server = try ServerFixture(measures: false)
    let nothing = try await server.request("GET", "/settings/data/export")
    #expect(nothing.status == 422 && nothing.text.contains("Nothing is stored"))
    try server.note("kept")
    let answer = try await server.request("GET", "/settings/data/export")
    #expect(answer.status == 200 && answer.text.hasPrefix("SQLite format 3"))
  }

  @Test func theSessionsOfSomeDaysAreDownloaded() async throws {
    let server = try ServerFixture()
    let day = LocalCalendar.system.day(of: try server.session().info.started)
    let (from, to) = (TrendPeriod.date(day - 1), TrendPeriod.date(day))
    let page = try await server.page("/settings/data")
    #expect(page.contains("name=\"from\" type=\"date\"") && page.contains("href=\"/history/delete\""))
    let csv = try await server.request("GET", "/settings/data/export?format=csv&from=\(from)&to=\(to)")
    let session = try server.session().info.id.text
    #expect(csv.status == 200 && csv.text.contains("rr_ms") && csv.text.contains(session))
    #expect(
      csv.headers[.contentDisposition] == "attachment; filename=\"stressmon-\(from)-\(to).csv\"")
    let json = try await server.request("GET", "/settings/data/export?format=jsonl&from=\(from)&to=\(to)")
    #expect(json.status == 200 && json.text.hasPrefix("{"))
    for query in ["format=csv", "format=csv&from=\(to)&to=\(from)", "format=fit&from=\(from)&to=\(to)"] {
      #expect(try await server.request("GET", "/settings/data/export?\(query)").status == 400, "\(query)")
    }
    let nothing = "/settings/data/export?format=csv&from=2001-01-01&to=2001-01-02"
    #expect(try await server.request("GET", nothing).status == 422)
  }

  @Test func measurementsOfACategoryAreDeletedAfterAPreview() async throws {
    let server = try ServerFixture()
    let measurements = try server.reader().latestMeasurements(of: "me", limit: .max)
    let category = try #require(measurements.compactMap(\.category).first)
    let matching = measurements.count { $0.category == category }
    let events = try server.session().events
    let day = TrendPeriod.date(LocalCalendar.system.day(of: try server.session().info.started))
    let next = TrendPeriod.date(LocalCalendar.system.day(of: SystemClock.wall))
    let preview = try await server.page(
      "/history/delete?from=\(day)&to=\(next)&category=\(category.rawValue)")
    #expect(preview.contains("<li>\(matching) measurement"))
    #expect(preview.contains("name=\"category\" value=\"\(category.rawValue)\""))
    let fields: KeyValuePairs = ["from": day, "to": next, "category": category.rawValue]
    #expect(try await server.form("/history/delete", fields).status == 303)
    let left = try server.reader().latestMeasurements(of: "me", limit: .max)
    #expect(left.count == measurements.count - matching && !left.contains { $0.category == category })
    #expect(try server.session().events == events)
  }

  @Test(arguments: [
    ("--help", false), ("hci0", false), ("C0:FF:EE:00:00", false), ("C0:FF:EE:00:00:01", true),
    ("C0:FF:EE:00:00:0g", false), ("C0:FF:EE:00:00:+1", false), ("c0:ff:ee:00:00:01", true), ("", false),
  ])
  func onlyAddressesAreArgumentsOfPairing(_ text: String, _ isAddress: Bool) {
    #expect(NearbyStrap.isAddress(text) == isAddress)
  }

  @Test func aWrongAddressIsReportedWithoutRunningACommand() async throws {
    let server = try ServerFixture(measures: false)
    for command in ["pair", "unpair"] {
      let answer = try await server.form("/settings/straps/\(command)", ["strap": "--help"])
      #expect(answer.status == 422 && answer.text.contains("C0:FF:EE:00:00:01"))
    }
  }

  @Test func theLatestLineOfEachStrapIsShown() {
    let lines = """
      {"strap":"C0:FF:EE:00:00:01","strap_name":"A","rssi_dbm":-70,"paired":false}
      {"strap":"C0:FF:EE:00:00:02","strap_name":null,"rssi_dbm":null,"paired":true}
      {"strap":"C0:FF:EE:00:00:01","strap_name":"A","rssi_dbm":-55,"paired":false}
      no JSON
      """
    let straps = NearbyStrap.all(Array(lines.utf8))
    #expect(straps.map(\.address) == ["C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02"])
    #expect(straps[0].signal == -55 && straps[0].name == "A" && straps[1].isPaired && straps[1].name == nil)
  }

  @Test func theSettingsOfMeasurementsAreShown() async throws {
    let server = try ServerFixture(measures: false)
    let page = try await server.page("/settings/measuring")
    for name in ["window", "hrv", "store-every", "service"] { #expect(page.contains("name=\"\(name)\"")) }
  }

  @Test func aChangedSettingIsStoredAndShown() async throws {
    let server = try ServerFixture(measures: false)
    let answer = try await server.form(
      "/settings/measuring", ["window": "90s", "hrv": "sdnn", "store-every": "10s", "service": ""])
    #expect(answer.status == 303, "\(answer.text)")
    #expect(answer.headers[.location]?.contains("notice=changed") ?? false)
    let file = String(
      decoding: try contents(of: server.folder.file("config/stressmon/config.toml")), as: UTF8.self)
    #expect(file.contains("window") && file.contains("90") && file.contains("sdnn"))
    let page = try await server.page("/settings/measuring")
    #expect(page.contains("value=\"90s\"") && page.contains("<option value=\"sdnn\" selected>"))
  }

  @Test func aSettingWithAWrongValueIsReportedBesideItsField() async throws {
    let server = try ServerFixture(measures: false)
    let answer = try await server.form("/settings/measuring", ["window": "1 year", "store-every": "--help"])
    #expect(answer.status == 422)
    #expect(answer.text.contains("id=\"window-error\"") && answer.text.contains("id=\"store-every-error\""))
  }

  @Test func aReadOnlyServerHasNoFormsAndChangesNothing() async throws {
    let server = try ServerFixture(isReadOnly: true, measures: false)
    try server.note("kept")
    for path in ["appearance", "baseline", "measuring", "profiles", "straps", "tokens", "data"] {
      #expect(try await !server.page("/settings/\(path)").contains("method=\"post\""), "\(path)")
      #expect(try await server.form("/settings/\(path)", [:]).status == 403)
    }
    #expect(try await server.form("/settings/data/delete", ["confirmation": "delete"]).status == 403)
    #expect(try server.reader().journal(of: "me").count == 1)
  }
}
