import DBus

// Pairing and agents (bluez src/agent.c, src/device.c).

extension DaemonState {
  // MARK: AgentManager1

  func performAgentManager(_ call: DBusMessage) throws(BusError) -> [DBusValue] {
    switch (call.member, call.signature) {
    case ("RegisterAgent", "os"): try registerAgent(call)
    case ("UnregisterAgent", "o"): forget(try ownAgent(call))
    case ("RequestDefaultAgent", "o"):
      let agent = try ownAgent(call)
      defaultAgents.removeAll { $0 == agent }
      defaultAgents.insert(agent, at: 0)
    default: throw .unknown(call, objectExists: true)
    }
    return []
  }

  private func registerAgent(_ call: DBusMessage) throws(BusError) {
    let known = ["", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
    guard let path = call.arguments[0].text, let capability = call.arguments[1].text,
      known.contains(capability)
    else { throw .invalidArguments }
    guard !agents.contains(where: { $0.client == call.sender }) else { throw .alreadyExists }
    let agent = Agent(
      client: call.sender, path: path, capability: capability.isEmpty ? "KeyboardDisplay" : capability)
    agents.append(agent)
    if defaultAgents.isEmpty { defaultAgents = [agent] }
  }

  private func ownAgent(_ call: DBusMessage) throws(BusError) -> Agent {
    let path = call.arguments[0].text
    guard let agent = agents.first(where: { $0.client == call.sender && $0.path == path }) else {
      throw .doesNotExist
    }
    return agent
  }

  /// The end of an agent also ends the pairing that uses it.
  func forget(_ agent: Agent) {
    agents.removeAll { $0 == agent }
    defaultAgents.removeAll { $0 == agent }
    for device in devices where device.bonding?.agent == agent { finish(device, .authenticationCanceled) }
  }

  // MARK: Pair

  func pair(_ call: DBusMessage, _ device: Device) throws(BusError) -> [DBusValue]? {
    guard !device.paired else { throw .alreadyExists }
    guard device.bonding == nil, device.pendingConnect == nil else { throw .inProgress }
    guard device.adapter.powered else { throw .authenticationFailed }
    keep(device)
    let bonding = Bonding(call: call) { [weak device] error in
      if let error {
        self.reply(call, error)
      } else if let device {
        self.answerWhenResolved(call, device)
      }
    }
    device.bonding = bonding
    let strap = device.strap
    after(strap.script.connectDelay) { [weak device] in
      guard let device, device.bonding === bonding else { return }
      if !device.connected, strap.isReachable { self.linkIsUp(device) }
      guard device.connected else { return self.giveUpPairing(device, bonding) }
      self.ask(device, bonding)
    }
    return nil
  }

  /// Pair is answered after service discovery, which follows a new bond.
  private func answerWhenResolved(_ call: DBusMessage, _ device: Device) {
    if device.resolved { reply(call) } else { device.whenResolved.append { self.reply(call) } }
  }

  /// Pairing with an absent strap times out like Connect.
  private func giveUpPairing(_ device: Device, _ bonding: Bonding) {
    after(device.strap.script.connectTimeout) { [weak device] in
      if let device, device.bonding === bonding { self.finish(device, .connectionAttemptFailed) }
    }
  }

  func cancelPairing(_ device: Device) throws(BusError) -> [DBusValue] {
    guard let bonding = device.bonding else { throw .doesNotExist }
    if let agent = bonding.agent { callAgent(agent, "Cancel", []) { _ in } }
    finish(device, .authenticationCanceled)
    return []
  }

  /// bluetoothd pairs automatically because the strap requires encryption. Without an agent there is no answer: the ATT request
  /// times out, and then the device object is removed without a preceding Connected=false.
  func pairOnDemand(_ call: DBusMessage, _ device: Device, _ finished: @escaping (BusError?) -> Void) {
    guard device.bonding == nil else { return }
    guard agent(for: call.sender) != nil else {
      after(options.attributeTimeout) { [weak device] in if let device { self.drop(device) } }
      return
    }
    let bonding = Bonding(call: call) { finished($0 == nil ? nil : .att(0x0e)) }
    device.bonding = bonding
    ask(device, bonding)
  }

  // MARK: Questions to the agent

  /// The caller's own agent, else the default one.
  private func agent(for client: String) -> Agent? {
    agents.first { $0.client == client } ?? defaultAgents.first
  }

  private func ask(_ device: Device, _ bonding: Bonding) {
    guard let agent = agent(for: bonding.call?.sender ?? "") else {
      return finish(device, .authenticationFailed)
    }
    bonding.agent = agent
    let object = DBusValue.objectPath(device.path)
    let cannotType = ["NoInputNoOutput", "DisplayOnly", "DisplayYesNo"].contains(agent.capability)
    let cannotShow = ["NoInputNoOutput", "KeyboardOnly"].contains(agent.capability)
    switch device.strap.profile.pairing {
    case .rejected: finish(device, .authenticationFailed)
    case .justWorks: ask(device, bonding, "RequestAuthorization", [object]) { _ in true }
    case .passkeyEntry where cannotType, .passkeyDisplay where cannotShow, .confirmation where cannotShow:
      finish(device, .authenticationFailed)
    case .passkeyEntry(let passkey):
      ask(device, bonding, "RequestPasskey", [object]) { $0.first?.uint32 == passkey }
    case .confirmation(let passkey):
      ask(device, bonding, "RequestConfirmation", [object, .uint32(passkey)]) { _ in true }
    case .passkeyDisplay(let passkey):
      callAgent(agent, "DisplayPasskey", [object, .uint32(passkey), .uint16(0)]) { _ in }
      after(device.strap.script.pairingDelay) { [weak device] in
        if let device, device.bonding === bonding { self.finish(device, nil) }
      }
    }
  }

  /// Asks the agent; the pairing succeeds when it answers and `accepts` its answer.
  private func ask(
    _ device: Device, _ bonding: Bonding, _ member: String, _ arguments: [DBusValue],
    accepts: @escaping ([DBusValue]) -> Bool
  ) {
    guard let agent = bonding.agent else { return }
    callAgent(agent, member, arguments) { [weak device] answer in
      guard let device, device.bonding === bonding else { return }
      if case .success(let values) = answer, accepts(values) {
        self.finish(device, nil)
      } else {
        self.finish(device, .authenticationFailed)
      }
    }
  }

  private func callAgent(
    _ agent: Agent, _ member: String, _ arguments: [DBusValue],
    _ answered: @escaping (Result<[DBusValue], BusError>) -> Void
  ) {
    guard let connection, let message = DBusMessage.call(agent.call(member, arguments)) else { return }
    expectedReplies[connection.send(message)] = answered
  }

  /// Ends a pairing, successfully if `error` is nil.
  func finish(_ device: Device, _ error: BusError?) {
    guard let bonding = device.bonding else { return }
    device.bonding = nil
    if error == nil {
      device.paired = true
      store(device)
      publish(device.path, Interface.device, ["Bonded": .bool(true)])
      publish(device.path, Interface.device, ["Paired": .bool(true)])
    }
    bonding.finished(error)
  }
}
