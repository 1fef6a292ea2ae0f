package import History
package import Localization
package import Logging
package import Stress

/// What a server shows, and to whom.
package struct DashboardOptions: Sendable {
  /// 0 selects a free port.
  package var port = 8077
  /// Whether requests that change something are rejected.
  package var isReadOnly = false
  /// Whether the page of all components, `/design`, is served.
  package var isDeveloper = false
  package var profile: String
  package var location: StoreLocation
  package var metric: HRVMetric
  /// Session time between stored measurements.
  package var storeInterval: Duration
  /// The program that measures.
  package var program: MeasuringProgram
  /// The permanent tokens.
  package var tokens: TokenStore
  /// The admitted browsers.
  package var browsers: TokenStore
  package var codes: LoginCodes
  /// The host of the pages.
  package var host: PrivateHost
  /// Users besides the one that runs the server whose connections are accepted.
  package var otherUsers: Set<UInt32> = []
  /// Absent if preferences cannot be stored.
  package var preferences: PreferencesStore?
  /// The setting `simple`, which applies unless the person chose a view of the page Now.
  package var isSimple = false
  /// The languages of the pages.
  package var catalogues = LanguageCatalogues(folders: [])
  /// The fonts of the pages.
  package var fonts = PageFonts(folders: [])
  package var audit: AuditLog
  package var logger: Logger

  package init(
    profile: String, location: StoreLocation, metric: HRVMetric, storeInterval: Duration,
    program: MeasuringProgram, tokens: TokenStore, browsers: TokenStore, codes: LoginCodes, host: PrivateHost,
    audit: AuditLog, logger: Logger
  ) {
    (self.profile, self.location, self.metric) = (profile, location, metric)
    (self.storeInterval, self.program) = (storeInterval, program)
    (self.tokens, self.browsers, self.codes, self.host) = (tokens, browsers, codes, host)
    (self.audit, self.logger) = (audit, logger)
    preferences = PreferencesStore(beside: tokens)
  }
}
