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

  init(seed: UInt64) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    devices = Int.random(in: 2...6, using: &random)
    let count = Int.random(in: 5...30, using: &random)
    steps = (0..<count).map { [devices] in Self.step($0, devices, &random) }
  }

  private static func step(_ index: Int, _ devices: Int, _ random: inout SeededGenerator) -> SyncStep {
    let device = Int.random(in: 0..<devices, using: &random)
    let other = Int.random(in: 0..<devices, using: &random)
    let pick = Int.random(in: 0..<64, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
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
