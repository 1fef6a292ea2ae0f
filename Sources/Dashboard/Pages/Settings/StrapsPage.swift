import HeartRate
import History
import HummingbirdCore
import JSONLines
import LiveFeed
import Localization

/// The straps of the profile, and the ones nearby. `stressmon scan`, `pair` and `unpair` run as child processes.
struct StrapsPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/straps"

  private var program: MeasuringProgram { renderer.status.history.options.program }

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { try await show($0) },
      Endpoint("POST", Self.path) { try await search($0) },
      Endpoint("POST", "\(Self.path)/pair") { try await change($0, "pair", .paired) },
      Endpoint("POST", "\(Self.path)/unpair") { try await change($0, "unpair", .unpaired) },
    ]
  }

  private func show(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncPage(request, [PageNotice.parameter]) { try await page($0) }
  }

  /// Searches for straps. A form (POST), because it uses the radio.
  private func search(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncForm(request) { context, _ in
      let outcome = try await ChildCommand(program, .radio, in: context.language).run([
        "scan", "--duration", "8s", "--json",
      ])
      guard let outcome, outcome.succeeded else {
        return .page(try await page(context, failure: outcome?.reason ?? Self.timeout(context)))
      }
      return .page(try await page(context, found: NearbyStrap.all(outcome.output)))
    }
  }

  /// Pairs or unpairs the strap of a form.
  private func change(
    _ request: PermittedRequest, _ command: String, _ notice: PageNotice
  ) async throws -> Response {
    try await renderer.asyncForm(request) { context, form in
      guard let address = form.value("strap"), NearbyStrap.isAddress(address) else {
        let failure = context.localized("Choose a strap, or enter an address such as C0:FF:EE:00:00:01.")
        return .page(try await page(context, failure: failure))
      }
      let arguments = [command, address, "--db=\(program.database)", "--profile=\(context.profile)"]
      let outcome = try await ChildCommand(program, .radio, in: context.language).run(arguments)
      guard let outcome, outcome.succeeded else {
        return .page(try await page(context, failure: outcome?.reason ?? Self.timeout(context)))
      }
      return .redirect(context.path(PageNotice.path(Self.path, notice)))
    }
  }

  private static func timeout(_ context: PageContext) -> String {
    context.localized("The strap did not answer in time. Wear it with moist electrodes and try again.")
  }

  private func page(
    _ context: PageContext, found: [NearbyStrap]? = nil, failure: String? = nil
  ) async throws -> Page {
    let known = try await renderer.status.history.readers.run {
      try context.reader?.rememberedStraps(of: context.profile) ?? []
    }
    let view = StrapsView(context: context, known: known, found: found, failure: failure)
    return Page(
      .settings, title: context.localized("Straps"), status: failure == nil ? 200 : 422, content: view.html)
  }
}

/// A strap that a scan found.
struct NearbyStrap: Sendable, Equatable {
  let address: String
  let name: String?
  /// In dBm.
  let signal: Int?
  let isPaired: Bool

  /// The straps in the output of `stressmon scan --json`: the last line of each one, in the order of discovery.
  static func all(_ output: [UInt8]) -> [NearbyStrap] {
    let straps = output.split(separator: UInt8(ascii: "\n")).compactMap { NearbyStrap(Array($0)) }
    var latest: [NearbyStrap] = []
    for strap in straps {
      if let place = latest.firstIndex(where: { $0.address == strap.address }) {
        latest[place] = strap
      } else {
        latest.append(strap)
      }
    }
    return latest
  }

  init(address: String, name: String?, signal: Int?, isPaired: Bool) {
    (self.address, self.name, self.signal, self.isPaired) = (address, name, signal, isPaired)
  }

  private init?(_ line: [UInt8]) {
    guard let object = try? JSONObject(line), let address = object.text("strap"), Self.isAddress(address)
    else {
      return nil
    }
    self.address = address
    name = object.text("strap_name")
    signal = object["rssi_dbm"].flatMap(object.double).flatMap { Int(exactly: $0) }
    isPaired = object["paired"].flatMap(object.boolean) ?? false
  }

  /// Whether a text is an address, which can be an argument of a command: six bytes in hexadecimal, separated by colons.
  static func isAddress(_ text: String) -> Bool {
    let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
    return bytes.count == 6
      && bytes.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil && $0.first != "+" }
  }
}

/// The content of the page of the straps.
struct StrapsView: Sendable {
  let context: PageContext
  let known: [RememberedStrap]
  /// The straps nearby, after a scan.
  let found: [NearbyStrap]?
  let failure: String?

  var html: HTML {
    """
    \(PageNotice.html(context))\(failure.map { "<p class=\"error\" role=\"alert\">\($0)</p>" as HTML })
    <section class="card stack"><h2>\(context.localized("Straps of this profile"))</h2>\(knownList)</section>
    <section class="card stack"><h2>\(context.localized("Straps nearby"))</h2>\(foundList)
    \(search)
    <p class="quiet small">\(context.localized("Wear the strap: most straps are inactive until they detect skin contact."))</p></section>
    <div class="row">\(context.button("/settings/doctor", context.localized("Problems? Run the doctor")))\(context.backToSettings)</div>
    """
  }

  private var search: HTML? {
    guard !context.isReadOnly else { return nil }
    return """
      <form method="post" action="\(context.path("/settings/straps"))" class="row">\
      <button class="primary">\(context.localized("Search for 8 seconds"))</button></form>
      """
  }

  private var knownList: HTML {
    guard !known.isEmpty else { return "<p>\(context.localized("No strap was used yet."))</p>" }
    let items = known.map { strap in
      item(
        strap.strap.name ?? strap.strap.address,
        "\(strap.strap.address), \(context.localized("last used")) \(context.time(strap.lastUsed))",
        form(
          "unpair", strap.strap.address,
          context.localized("Unpair \(strap.strap.name ?? strap.strap.address)")))
    }
    return "<ul class=\"rows\">\(items)</ul>"
  }

  private var foundList: HTML? {
    guard let found else { return nil }
    guard !found.isEmpty else { return "<p>\(context.localized("No strap answered."))</p>" }
    let items = found.map { strap in
      let signal = strap.signal.map { ", \($0) dBm" } ?? ""
      let paired = strap.isPaired ? ", " + context.localized("paired") : ""
      let name = strap.name ?? strap.address
      return item(
        name, "\(strap.address)\(signal)\(paired)",
        strap.isPaired ? nil : form("pair", strap.address, context.localized("Pair \(name)")))
    }
    return "<ul class=\"rows\">\(items)</ul>"
  }

  private func item(_ name: String, _ details: HTML, _ action: HTML?) -> HTML {
    "<li class=\"row between\"><div><strong>\(name)</strong><p class=\"quiet small\">\(details)</p></div>\(action)</li>"
  }

  private func form(_ command: String, _ address: String, _ text: String) -> HTML? {
    guard !context.isReadOnly else { return nil }
    return """
      <form method="post" action="\(context.path("/settings/straps/\(command)"))">\
      <input type="hidden" name="strap" value="\(address)"><button>\(text)</button></form>
      """
  }
}
