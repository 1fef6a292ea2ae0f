import HummingbirdCore
import JSONLines
import LiveFeed
import Localization

/// The diagnosis of `stressmon doctor`, which runs as a child process.
struct DoctorPage: Sendable {
  let renderer: PageRenderer

  private static let path = "/settings/doctor"

  private var program: MeasuringProgram { renderer.status.history.options.program }

  var endpoints: [Endpoint] {
    [
      Endpoint("GET", Self.path) { request in
        try await renderer.page(request) { Self.page($0, Self.introduction($0)) }
      },
      Endpoint("POST", Self.path) { try await run($0) },
    ]
  }

  private func run(_ request: PermittedRequest) async throws -> Response {
    try await renderer.asyncForm(request) { context, _ in
      let arguments = ["doctor", "--json", "--db=\(program.database)", "--profile=\(context.profile)"]
      guard let outcome = try await ChildCommand(program, .doctor, in: context.language).run(arguments) else {
        return .page(
          Self.page(context, Self.failure(context, context.localized("The check took longer than a minute.")))
        )
      }
      // Exit code 2 means that a check failed; its findings are printed all the same.
      let findings = DoctorFinding.all(outcome.output)
      let content =
        findings.isEmpty ? Self.failure(context, outcome.reason) : Self.list(context, findings)
      return .page(Self.page(context, content))
    }
  }

  private static func page(_ context: PageContext, _ content: HTML) -> Page {
    Page(
      .settings, title: context.localized("Doctor"),
      content: """
        \(content)\(context.isReadOnly ? ReadOnlyNotice(context).html : runner(context))\
        <div class="row">\(context.backToSettings)</div>
        """)
  }

  private static func runner(_ context: PageContext) -> HTML {
    """
    <form method="post" action="\(context.path(path))" class="row">\
    <button class="primary">\(context.localized("Run the check"))</button></form>
    """
  }

  private static func introduction(_ context: PageContext) -> HTML {
    """
    <section class="card"><p>\(context.localized("Checks every layer from the kernel to the strap, and the last session with it. It takes up to 20 seconds and changes nothing."))</p></section>
    """
  }

  private static func failure(_ context: PageContext, _ reason: String) -> HTML {
    """
    <p class="error" role="alert">\(context.localized("The check failed: \(reason)")) \
    \(context.localized("Run it in a terminal with: \("stressmon doctor")"))</p>
    """
  }

  private static func list(_ context: PageContext, _ findings: [DoctorFinding]) -> HTML {
    "<section class=\"card\"><ol class=\"rows\">\(findings.map { $0.html(context) })</ol></section>"
  }
}

/// A line of `stressmon doctor --json`.
struct DoctorFinding: Sendable {
  let check: String
  let state: String
  let evidence: String
  let remedy: String?

  func html(_ context: PageContext) -> HTML {
    let remedy = remedy.map { "<p>\(context.localized("Fix it with:")) <code>\($0)</code></p>" as HTML }
    let (icon, word) = mark(context)
    return """
      <li><p class="row"><span class="tag state-\(state)">\(icon)\(word)</span><strong>\(check)</strong></p>\
      <p>\(evidence)</p>\(remedy)</li>
      """
  }

  private func mark(_ context: PageContext) -> (icon: HTML, word: String) {
    switch state {
    case "ok": (Icon.done, context.localized("ok"))
    case "warning": (Icon.warning, context.localized("warning"))
    case "failed": (Icon.failed, context.localized("failed"))
    default: (Icon.help, context.localized("unknown"))
    }
  }

  static func all(_ output: [UInt8]) -> [DoctorFinding] {
    output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let object = try? JSONObject(Array(line)),
        let check = object.text("check_text") ?? object.text("check"),
        let state = object.text("state")
      else { return nil }
      return DoctorFinding(
        check: check, state: state, evidence: object.text("evidence_text") ?? object.text("evidence") ?? "",
        remedy: object.text("remedy"))
    }
  }
}
