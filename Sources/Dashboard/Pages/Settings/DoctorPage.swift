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
      guard let outcome = try await ChildCommand(program, .doctor).run(arguments) else {
        return .page(
          Self.page(context, Self.failure(context, context.localized("The check took longer than a minute.")))
        )
      }
      // Exit code 2 means that a check failed; its findings are printed all the same.
      let findings = Finding.all(outcome.output)
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

  private static func list(_ context: PageContext, _ findings: [Finding]) -> HTML {
    let items = findings.map { finding in
      let remedy = finding.remedy.map {
        "<p>\(context.localized("Fix it with:")) <code>\($0)</code></p>" as HTML
      }
      return """
        <li><p class="row"><span class="tag state-\(finding.state)">\(finding.state)</span><strong>\(finding.check)</strong></p>\
        <p>\(finding.evidence)</p>\(remedy)</li>
        """ as HTML
    }
    return "<section class=\"card\"><ol class=\"rows\">\(items)</ol></section>"
  }
}

/// A line of `stressmon doctor --json`.
private struct Finding: Sendable {
  let check: String
  let state: String
  let evidence: String
  let remedy: String?

  static func all(_ output: [UInt8]) -> [Finding] {
    output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let object = try? JSONObject(Array(line)), let check = object.text("check"),
        let state = object.text("state")
      else { return nil }
      return Finding(
        check: check, state: state, evidence: object.text("evidence") ?? "", remedy: object.text("remedy"))
    }
  }
}
