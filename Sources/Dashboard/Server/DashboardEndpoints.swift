import HummingbirdCore

/// All resources of the server.
struct DashboardEndpoints: Sendable {
  let table: EndpointTable

  init(options: DashboardOptions, hub: FeedHub, runner: ActivityRunner) {
    let history = HistoryAPI(options: options)
    let status = StatusAPI(history: history, hub: hub)
    let live = LiveAPI(hub: hub, missed: MissedLines(location: options.location, readers: history.readers))
    table = EndpointTable(
      endpoints: Self.pages(PageRenderer(status: status), runner) + AssetEndpoints().endpoints
        + live.endpoints
        + status.endpoints + history.endpoints
        + JournalAPI(history: history).endpoints + ActivityAPI(runner: runner).endpoints
        + SettingsAPI(program: options.program).endpoints + [
          Endpoint("GET", "/openapi.json") { request in
            _ = try QueryParameters(request, [])
            return .json(PackageResources.openapi_json)
          }
        ])
  }

  /// The pages and the actions of their forms.
  private static func pages(_ renderer: PageRenderer, _ runner: ActivityRunner) -> [Endpoint] {
    NowPage(renderer: renderer, runner: runner).endpoints
      + BreathePage(renderer: renderer, runner: runner).endpoints + CalmPage(renderer: renderer).endpoints
      + WidgetPage(renderer: renderer).endpoints + HistoryPage(renderer: renderer).endpoints
      + TrendsPage(renderer: renderer).endpoints + JournalPage(renderer: renderer).endpoints
      + SettingsPage(renderer: renderer).endpoints
  }
}
