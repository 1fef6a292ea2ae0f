extension NNSums {
  /// Creates the sums over intervals in ticks, without their successive differences.
  init(_ lengths: ArraySlice<Int32>) {
    self.init()
    for length in lengths { add(Int64(length)) }
  }

  /// Creates the sums over all NN intervals, with the successive differences within each run.
  init(_ segments: NNSegments) {
    self.init(segments.lengths[...])
    for run in segments.runs {
      for index in run.dropFirst() {
        add(difference: Int64(segments.lengths[index]) - Int64(segments.lengths[index - 1]))
      }
    }
  }
}
