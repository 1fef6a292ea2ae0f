import Localization
import NetworkCommands
import Sync

/// Runs the commands of `stressmon sync`.
struct SyncProgram {
  let action: SyncAction
  let options: SyncOptions

  func run() async {
    var folder: String?
    do {
      var member = try await SyncMember(options)
      folder = member.folder
      try perform(&member)
    } catch {
      let failure = SyncFailure(error, folder: folder)
      fail(Phrase(untranslated: failure.message.text), status: failure.status)
    }
  }

  private func perform(_ member: inout SyncMember) throws {
    switch action {
    case .initialize(let folder, let name, let secret, let isConfirmed):
      try SyncSetup.initialize(&member, folder: folder, name: name, secret, isConfirmed: isConfirmed)
      try SyncRun.run(&member).print(asJSON: false)
    case .join(let folder, let name, let secret):
      try SyncSetup.join(&member, folder: folder, name: name, secret)
      try SyncRun.run(&member).print(asJSON: false)
    case .now(watch: true, let asJSON, let isVerbose):
      var watch = SyncWatch(asJSON: asJSON, isVerbose: isVerbose)
      try watch.run(&member)
    case .now(watch: false, let asJSON, _): try SyncRun.run(&member).print(asJSON: asJSON)
    case .status(let asJSON): try SyncState.printStatus(&member, asJSON: asJSON)
    case .devices(let asJSON): try SyncState.printDevices(member, asJSON: asJSON)
    case .forget(let device, let secret, let isConfirmed):
      try SyncKeys.forget(&member, device: device, secret, isConfirmed: isConfirmed)
    case .changePassphrase(let newFile, let secret):
      try SyncKeys.changePassphrase(member, newFile: newFile, secret)
    case .recovery(let secret): try SyncKeys.printRecoveryKey(member, secret)
    case .leave(let isConfirmed): try SyncSetup.leave(&member, isConfirmed: isConfirmed)
    }
  }
}
