import RealModule

/// The spectrum of successive differences: the mean power of their last 32, under a Hann window, at j / 32 cycles a
/// beat for j from 1 to 16. The last 128 beats or so count; older ones fade.
///
/// - Complexity: O(1) per difference; allocates nothing.
struct DifferenceSpectrum: Sendable {
  /// Differences since it began.
  private(set) var count = 0
  /// Sums of powers, and of ones.
  private var power = SIMD16<Float>()
  private var weight: Float = 0
  /// The last 32 differences, newest first from `head` on; held twice, so that they lie in one stretch.
  private var recent = InlineArray<64, Float>(repeating: 0)
  private var head = 0

  private static let length = 32
  /// What is left of the sums at every second difference.
  static let memory: Float = 1 - 1 / 64
  /// The same at every sixteenth.
  private static let longMemory: Float = 0.8816
  /// In ms^2: what is below is rounding.
  private static let floor: Float = 0.02

  /// Takes the next difference, in ms.
  /// - Parameter isNew: Whether each second stretch is to count, as in the first minutes, and not only those that overlap
  ///   by half: that finds sooner, and costs eight times as much.
  mutating func append(_ difference: Float, isNew: Bool) {
    head = (head &- 1) & (Self.length - 1)
    recent[unchecked: head] = difference
    recent[unchecked: head + Self.length] = difference
    count += 1
    guard count >= Self.length, count & (isNew ? 1 : 15) == 0 else { return }
    let kept = isNew ? Self.memory : Self.longMemory
    power = power * kept + newest
    weight = weight * kept + 1
  }

  /// Logarithms of the power, in ms^2.
  var logarithms: SIMD16<Float> {
    var logarithms = power / weight + Self.floor
    for place in logarithms.indices { logarithms[place] = .log(logarithms[place]) }
    return logarithms
  }

  /// Of the last 32 differences. With the phase taken from their middle, the real part is a matter of the sums of the
  /// two at each distance from it and the imaginary part one of their differences: half of the work.
  private var newest: SIMD16<Float> {
    var real = SIMD16<Float>()
    var imaginary = SIMD16<Float>()
    for place in 0..<Self.length / 2 {
      let left = recent[unchecked: head &+ place]
      let right = recent[unchecked: head &+ (Self.length - 1) &- place]
      real += Self.cosines[place] * (left + right)
      imaginary += Self.sines[place] * (left - right)
    }
    return real * real + imaginary * imaginary
  }

  private static let cosines = waves(Double.cos)
  private static let sines = waves(Double.sin)

  /// A wave of each frequency under the window, from the newest difference to the middle.
  private static func waves(_ wave: (Double) -> Double) -> [SIMD16<Float>] {
    let hann = (1...length).map { 0.5 - 0.5 * Double.cos(2 * .pi * Double($0) / Double(length + 1)) }
    let energy = hann.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return (0..<length / 2).map { place in
      let distance = Double(place) - Double(length - 1) / 2
      var row = SIMD16<Float>()
      for frequency in row.indices {
        let angle = 2 * .pi * Double(frequency + 1) / Double(length) * distance
        row[frequency] = Float(hann[place] / energy * wave(angle))
      }
      return row
    }
  }
}
