import LiveSession
package import Localization
package import Platform

/// A target of `publish`.
package enum PublishTarget: Equatable, Sendable {
  case osc(host: String, port: Int, OSCContent)
  case file(path: String, FileEncoder.Content)
  case mqtt(MQTTOptions, MQTTDevice)
  case webhook(WebhookOptions, EventEncoder.Options)
  case program(path: String, arguments: [String], EventEncoder.Options)
  /// - Parameter name: the beginning of the names of the streams.
  case lsl(name: String, OutletIdentity)
}

/// The values that the defaults of targets depend on.
package struct TargetDefaults: Sendable {
  package var names: [OSCNames]
  package var environment: ProcessEnvironment
  package var profile: String?

  package init(names: [OSCNames], environment: ProcessEnvironment, profile: String?) {
    (self.names, self.environment, self.profile) = (names, environment, profile)
  }
}

extension PublishTarget {
  /// Parses a target.
  /// - Throws: the reason, with a correct example.
  package init(_ text: String, _ defaults: TargetDefaults) throws(OutletError) {
    guard !TargetURL.containsUser(text) else { throw Self.invalid(text, Self.userAdvice(text)) }
    guard let url = TargetURL(text) else { throw Self.invalid(text, Phrase("it has no known form")) }
    switch TargetScheme(rawValue: url.scheme) {
    case .osc: self = try Self.osc(url, text, defaults)
    case .file: self = try Self.file(url, text, defaults)
    case .http: self = try Self.webhook(url, text, defaults)
    case .exec: self = try Self.program(url, text, defaults)
    case .lsl: self = try Self.lsl(url, text, defaults)
    case .mqtt, .mqtts: self = try Self.mqtt(url, text, defaults)
    case nil where url.scheme == "https":
      throw Self.invalid(
        text, Phrase("https is not supported; post to a proxy on this machine, or use exec: with curl"))
    // Targets of NATS are parsed by Fleet.
    case .nats, .tls, nil: throw Self.invalid(text, Phrase("the scheme '\(url.scheme)' is unknown"))
    }
  }

  /// Advice to show before the first message, such as a password that is sent without encryption.
  package var warning: Phrase? {
    if case .mqtt(let options, _) = self { options.warning } else { nil }
  }

  /// - Parameters:
  ///   - name: the target as the user wrote it.
  ///   - lastNight: reads the last night, if the history is known.
  ///   - perform: performs the commands of targets that accept some.
  package func worker(
    named name: String, lastNight: LastNight? = nil, perform: @escaping @Sendable (OutletCommand) -> Void
  ) -> TargetWorker {
    switch self {
    case .osc(let host, let port, let content):
      TargetWorker(target: name, encoder: OSCEncoder(content)) {
        DatagramTransport(host: host, port: port)
      }
    case .file(let path, let content):
      TargetWorker(target: name, encoder: FileEncoder(content)) { FileTransport(path: path) }
    case .mqtt(let options, let device):
      TargetWorker(target: name, encoder: MQTTEncoder(device: device, lastNight: lastNight), perform: perform)
      {
        MQTTTransport(options: options, device: device)
      }
    case .webhook(let options, let events):
      TargetWorker(target: name, encoder: EventEncoder(events) { SystemClock.wall }) {
        WebhookTransport(options: options)
      }
    case .program(let path, let arguments, let events):
      TargetWorker(target: name, encoder: EventEncoder(events) { SystemClock.wall }) {
        ProgramTransport(path: path, arguments: arguments)
      }
    case .lsl(let streams, let identity):
      TargetWorker(target: name, encoder: LSLEncoder()) { LSLTransport(name: streams, identity: identity) }
    }
  }

  /// Removes what the target keeps, and the number of messages that this requires. Only brokers keep something.
  package func removal(named name: String) -> (worker: TargetWorker, messages: Int)? {
    guard case .mqtt(let options, let device) = self else { return nil }
    let worker = TargetWorker(target: name, encoder: MQTTRemovalEncoder(device: device)) {
      MQTTTransport(options: options, device: device, isRemoval: true)
    }
    return (worker, device.retainedTopics.count)
  }

  private static func osc(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults) throws(OutletError)
    -> PublishTarget
  {
    var content = OSCContent(names: defaults.names)
    for (key, value) in url.query {
      switch key {
      case "names":
        guard let names = OSCNames.list(value) else {
          throw unknown("names=\(value)", text, values: "\(OSCNames.words), all, none")
        }
        content.names = names
      case "chatbox": content.chatBox = try template(value, text)
      case "send":
        guard let address = OSCAddress(value) else {
          throw invalid(
            text,
            Phrase(
              "'send=\(value)' is not valid. Example: \("send=/pulse:hr:float:0.01 (/ADDRESS:VALUE:TYPE:SCALE)")"
            ))
        }
        content.addresses.append(address)
      default: throw unknown(key, text, options: "names, chatbox, send")
      }
    }
    guard url.path.isEmpty else { throw invalid(text, Phrase("'\(url.path)' has no meaning")) }
    return .osc(host: url.host.isEmpty ? "127.0.0.1" : url.host, port: url.port ?? 9000, content)
  }

  private static func file(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults) throws(OutletError)
    -> PublishTarget
  {
    var content = FileEncoder.Content.value(.hr)
    for (key, value) in url.query {
      switch key {
      case "value":
        guard let name = ValueName(rawValue: value) else {
          throw unknown("value=\(value)", text, values: ValueName.list)
        }
        content = .value(name)
      case "text": content = .text(try template(value, text))
      case "format" where value == "prometheus": content = .metrics
      default:
        throw unknown("\(key)=\(value)", text, options: "value=NAME, text=TEMPLATE, format=prometheus")
      }
    }
    // file:///run/hr has an empty host and the absolute path run/hr.
    let isURL = text.dropFirst("file:".count).hasPrefix("//")
    guard url.host.isEmpty else { throw invalid(text, Phrase("an absolute path has three slashes")) }
    let path = isURL ? "/" + url.path : url.path
    guard !path.isEmpty, path != "/" else { throw invalid(text, Phrase("the path is missing")) }
    return .file(path: defaults.environment.expandingTilde(path), content)
  }

  private static func template(_ value: String, _ text: String) throws(OutletError) -> ValueTemplate {
    do throws(ValueTemplate.Invalid) {
      return try ValueTemplate(TargetURL.percentDecoded(value))
    } catch { throw invalid(text, error.message) }
  }

  private static func mqtt(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults) throws(OutletError)
    -> PublishTarget
  {
    let isSecure = url.scheme == "mqtts"
    guard !url.host.isEmpty else { throw invalid(text, Phrase("the host is missing")) }
    var options = MQTTOptions(host: url.host, port: url.port ?? (isSecure ? 8883 : 1883), usesTLS: isSecure)
    var device = MQTTDevice(
      identity: url.path.isEmpty
        ? OutletIdentity(defaults.environment, profile: defaults.profile) : OutletIdentity(id: url.path))
    for (key, value) in url.query {
      let path = defaults.environment.expandingTilde(value)
      switch key {
      case "credentials": options.credentials = path
      case "ca" where isSecure: options.authorities = path
      case "cert" where isSecure: options.certificate = path
      case "key" where isSecure: options.key = path
      default:
        guard device.set(key, TargetURL.percentDecoded(value)) else {
          throw unknown("\(key)=\(value)", text, options: mqttOptions)
        }
      }
    }
    guard (options.certificate == nil) == (options.key == nil) else {
      throw invalid(text, Phrase("cert and key belong together"))
    }
    return .mqtt(options, device)
  }

  private static func webhook(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults)
    throws(OutletError)
    -> PublishTarget
  {
    guard !url.host.isEmpty else { throw invalid(text, Phrase("the host is missing")) }
    var options = WebhookOptions(host: url.host, port: url.port ?? 80, path: "/\(url.path)")
    var events = EventEncoder.Options()
    for (key, value) in url.query where !events.set(key, value) {
      guard key == "secret" else {
        throw unknown("\(key)=\(value)", text, options: "secret=FILE, " + eventOptions)
      }
      options.secret = defaults.environment.expandingTilde(value)
    }
    guard options.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw invalid(text, Phrase("the path contains characters that have to be percent-encoded"))
    }
    return .webhook(options, events)
  }

  private static func program(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults)
    throws(OutletError)
    -> PublishTarget
  {
    let path = defaults.environment.expandingTilde(url.path)
    guard url.host.isEmpty, path.hasPrefix("/") else {
      throw invalid(
        text, Phrase("the absolute path of a program is missing, such as exec:/usr/local/bin/notify"))
    }
    var (arguments, events): ([String], EventEncoder.Options) = ([], EventEncoder.Options())
    for (key, value) in url.query where !events.set(key, value) {
      guard key == "arg" else {
        throw unknown("\(key)=\(value)", text, options: "arg=TEXT, " + eventOptions)
      }
      arguments.append(TargetURL.percentDecoded(value))
    }
    return .program(path: path, arguments: arguments, events)
  }

  private static let mqttOptions = """
    credentials=FILE, name=PERSON, base=TOPIC, discovery=TOPIC, interval=SECONDS, commands=on, page=URL; mqtts://: ca=FILE, \
    cert=FILE, key=FILE
    """
  private static let eventOptions = "events=values,category,session,mark, interval=SECONDS"

  private static func lsl(_ url: TargetURL, _ text: String, _ defaults: TargetDefaults) throws(OutletError)
    -> PublishTarget
  {
    guard url.query.isEmpty, url.host.isEmpty else { throw invalid(text, Phrase("lsl: takes a name only")) }
    let identity = OutletIdentity(defaults.environment, profile: defaults.profile)
    return .lsl(name: url.path.isEmpty ? "stressmon" : url.path, identity)
  }

  /// The reason why a user name and a password in a target are refused.
  private static func userAdvice(_ text: String) -> Phrase {
    guard text.lowercased().hasPrefix("mqtt") else {
      return Phrase("it takes no user name; omit the text before @")
    }
    return Phrase(
      """
      it contains a user name or a password, which other users of this machine can read in the list of processes. Write both to \
      a file, one per line (chmod 600), and add ?credentials=FILE
      """)
  }

  private static func unknown(_ option: String, _ text: String, options: String) -> OutletError {
    invalid(text, Phrase("'\(option)' is not valid; the options are: \(options)"))
  }

  private static func unknown(_ option: String, _ text: String, values: String) -> OutletError {
    invalid(text, Phrase("'\(option)' is not valid; the values are: \(values)"))
  }

  private static func invalid(_ text: String, _ reason: Phrase) -> OutletError {
    OutletError(
      Phrase(
        """
        the target '\(TargetURL.withoutUser(text))' is not valid: \(reason).
        Examples: \(examples)
        """))
  }

  private static let examples = """
    osc://127.0.0.1:9000   file:/tmp/hr   mqtt://127.0.0.1:1883   mqtts://broker.lan?credentials=FILE   lsl:   \
    nats://127.0.0.1/STUDY
    """
}
