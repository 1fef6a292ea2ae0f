import TestSupport

/// One step of a schedule. Numbers select among what exists at that time, so that a step remains valid without the others.
enum SyncStep: Equatable {
  case startSession(device: Int, id: Int, content: Int)
  case continueSession(device: Int, pick: Int)
  case endSession(device: Int, pick: Int)
  case deleteSession(device: Int, pick: Int)
  case edit(device: Int, record: Int, field: Int, value: Int)
  case deleteRecord(device: Int, record: Int)
  case sync(device: Int)
  /// Killed or out of space after this number of files.
  case interruptedSync(device: Int, files: Int)
  /// The synchroniser copies each file with this probability in percent.
  case copy(from: Int, to: Int, percent: Int, seed: UInt64)
  case setClock(device: Int, error: Int64)
  case backUp(device: Int)
  case restore(device: Int)
  case forget(by: Int, device: Int)
  case enterPassphrase(device: Int)
  case fault(SyncFault, device: Int, pick: Int)
  case keepReplica(device: Int)
  /// Its program is updated to format 2.
  case upgrade(device: Int)
  /// A device writes a file in the name of another one.
  case impersonate(device: Int, victim: Int, pick: Int)
  case replay(device: Int, pick: Int)
}

/// What happens to one file of a replica, or to the replica.
enum SyncFault: CaseIterable {
  case lose, duplicate, truncate, rename, swap, conflictCopy, forge, replayAbout, rollBack, removeDirectory
}

/// A random sequence of steps, the same for the same seed.
struct SyncSchedule {
  let seed: UInt64
  let devices: Int
  var steps: [SyncStep]
  /// Whether the programs of all devices know only format 1 until they are updated.
  var startsWithFormat1 = false

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    devices = Int.random(in: 2...6, using: &random)
    let count = Int.random(in: 5...30, using: &random)
    steps = (0..<count).map { [devices] in Self.step($0, devices, &random) }
  }

  /// A schedule in which device 0 forgets device 1 while 1 to 3 other devices do not have the new key.
  init(forgettingWith seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed ^ 0xF0F0)
    devices = 3 + Int(seed % 3)
    let last = devices - 1
    var steps = (0..<Int.random(in: 3...10, using: &random)).map { [devices] in
      Self.step($0, devices, &random, faults: false)
    }
    // Most of the devices know each other before.
    for other in 1...last {
      steps += [.sync(device: other), .copy(from: other, to: 0, percent: 100, seed: 0)]
    }
    steps.append(.sync(device: 0))
    for other in 1...last where Int.random(in: 0..<4, using: &random) > 0 {
      steps += [.copy(from: 0, to: other, percent: 100, seed: 0), .sync(device: other)]
      if Bool.random(using: &random) { steps.append(.copy(from: other, to: 0, percent: 100, seed: 0)) }
    }
    steps.append(.forget(by: 0, device: 1))
    for _ in 0..<Int.random(in: 6...24, using: &random) {
      steps += Self.stepAfterForgetting(steps.count, devices, &random)
    }
    self.steps = steps
  }

  /// A schedule in which devices are updated to format 2 at different times, with faults, replayed files, and in half of the
  /// schedules with a forgotten device; devices write files in the name of others.
  init(upgradingWith seed: UInt64) {
    self = seed.isMultiple(of: 2) ? SyncSchedule(seed: seed) : SyncSchedule(forgettingWith: seed)
    startsWithFormat1 = true
    var random = SeededGenerator(seed: seed ^ 0x2ED2)
    for device in 0..<devices {
      let place = Int.random(in: 0...steps.count, using: &random)
      steps.insert(contentsOf: [.upgrade(device: device), .sync(device: device)], at: place)
    }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let (device, victim) = (
        Int.random(in: 0..<devices, using: &random), Int.random(in: 0..<devices, using: &random)
      )
      let pick = Int.random(in: 0..<64, using: &random)
      let added: [SyncStep] =
        switch pick % 4 {
        case 0: [.keepReplica(device: device)]
        case 1: [.replay(device: device, pick: pick), .sync(device: device)]
        default: [.impersonate(device: seed.isMultiple(of: 2) ? device : 1, victim: victim, pick: pick)]
        }
      steps.insert(contentsOf: added, at: Int.random(in: 0...steps.count, using: &random))
    }
  }

  /// The forgotten device changes everything and reaches the devices that are behind, with and without the file of the new key.
  private static func stepAfterForgetting(
    _ index: Int, _ devices: Int, _ random: inout SeededGenerator
  ) -> [SyncStep] {
    let behind = Int.random(in: 2..<devices, using: &random)
    let pick = Int.random(in: 0..<64, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<3: return [.edit(device: 1, record: pick % 4, field: pick / 4 % 3, value: index)]
    case 3: return [.deleteRecord(device: 1, record: pick % 4)]
    case 4, 5: return [.deleteSession(device: 1, pick: pick)]
    case 6: return [.continueSession(device: 1, pick: pick)]
    case 7..<11:
      let percent = pick % 3 == 0 ? 50 : 100
      return [
        .sync(device: 1), .copy(from: 1, to: behind, percent: percent, seed: random.next()),
        .sync(device: behind),
      ]
    case 11: return [.setClock(device: pick % devices, error: [-1, 1, 4][pick % 3] * 31_536_000_000)]
    case 12: return [.copy(from: 0, to: behind, percent: 50, seed: random.next()), .sync(device: behind)]
    case 13: return [.enterPassphrase(device: behind), .sync(device: behind)]
    case 14: return [.copy(from: behind, to: 0, percent: 100, seed: 0), .sync(device: 0)]
    case 15: return [.interruptedSync(device: behind, files: pick % 3)]
    default: return [step(index, devices, &random, faults: false)]
    }
  }

  private static func step(
    _ index: Int, _ devices: Int, _ random: inout SeededGenerator, faults: Bool = true
  ) -> SyncStep {
    let device = Int.random(in: 0..<devices, using: &random)
    let other = Int.random(in: 0..<devices, using: &random)
    let pick = Int.random(in: 0..<64, using: &random)
    switch Int.random(in: 0..<(faults ? 100 : 80), using: &random) {
    case 0..<10: return .startSession(device: device, id: index, content: pick < 8 ? pick % 2 : 100 + index)
    case 10..<13: return .continueSession(device: device, pick: pick)
    case 13..<22: return .endSession(device: device, pick: pick)
    case 22..<25: return .deleteSession(device: device, pick: pick)
    case 25..<37:
      return .edit(device: device, record: pick % 4, field: pick / 4 % 3, value: index)
    case 37..<39: return .deleteRecord(device: device, record: pick % 4)
    case 39..<54: return .sync(device: device)
    case 54..<58: return .interruptedSync(device: device, files: pick % 3)
    case 58..<78:
      return .copy(from: device, to: other, percent: [30, 70, 100, 100][pick % 4], seed: random.next())
    case 78..<80: return .setClock(device: device, error: [-1, 1, 4][pick % 3] * 31_536_000_000)
    case 80: return .backUp(device: device)
    case 81: return .restore(device: device)
    case 82..<84: return .forget(by: device, device: other)
    case 84..<86: return .enterPassphrase(device: device)
    case 86..<88: return .keepReplica(device: device)
    default:
      return .fault(SyncFault.allCases.randomElement(using: &random) ?? .lose, device: device, pick: pick)
    }
  }

  /// Removes steps as long as `fails` remains true.
  func shrunk(_ fails: (SyncSchedule) -> Bool) -> SyncSchedule {
    var best = self
    var length = max(1, best.steps.count / 2)
    while length >= 1 {
      var start = 0
      var isShorter = false
      while start < best.steps.count {
        var candidate = best
        candidate.steps.removeSubrange(start..<min(start + length, best.steps.count))
        if fails(candidate) {
          (best, isShorter) = (candidate, true)
        } else {
          start += length
        }
      }
      if !isShorter || length > 1 { length /= 2 }
    }
    return best
  }
}
