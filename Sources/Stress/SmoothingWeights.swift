/// What Benchmarks/smoothing_weights.py printed: one model for each number of neighbours.
extension SmoothingModel {
  /// For mean intervals of 700 ms and more.
  static let slow = [
    SmoothingModel(
      meanOf: 2, starts: [4.842, 4.718, 5.302, 4.679, 4.640, 4.279],
      interval: -0.875, length: 0.051,
      bands: [-0.144, 0.191, -0.070, 0.389, -0.364, -1.151],
      depths: [-0.212, -0.193, -0.140, -0.031, -0.023, -0.141],
      grown: [-0.011, -0.062, -0.091, -0.042, -0.038, -0.014]),
    SmoothingModel(
      meanOf: 3, starts: [-24.667, -25.455, -25.392, -25.110, -25.861, -28.004],
      interval: 4.220, length: 0.029,
      bands: [-0.367, 0.207, -0.013, -0.537, -0.603, -0.371],
      depths: [-0.356, -0.281, -0.173, -0.198, -0.192],
      grown: [0.023, -0.031, 0.031, -0.161, -0.194]),
    SmoothingModel(
      meanOf: 4, starts: [-39.955, -39.145, -38.655, -38.997, -38.653, -39.166],
      interval: 6.256, length: -0.096,
      bands: [-0.108, 0.301, -0.395, -0.461, -0.408, -0.623],
      depths: [-0.482, -0.388, -0.118, -0.056],
      grown: [-0.119, 0.159, -0.172, -0.157]),
    SmoothingModel(
      meanOf: 5, starts: [-30.647, -30.184, -31.205, -30.673, -31.639, -31.989],
      interval: 5.456, length: -0.063,
      bands: [-0.024, -0.188, -0.295, -0.370, -0.502, -0.596],
      depths: [-0.451, -0.330, -0.284, -0.149],
      grown: [-0.120, -0.072, -0.084, -0.156]),
    SmoothingModel(
      meanOf: 6, starts: [-19.636, -19.785, -18.984, -18.612, -19.108, -19.853],
      interval: 3.664, length: -0.300,
      bands: [-0.038, -0.200, -0.211, -0.333, -0.605, -0.582],
      depths: [-0.700, -0.334, -0.116],
      grown: [0.029, -0.178, -0.303]),
    SmoothingModel(
      meanOf: 7, starts: [-13.411, -12.786, -13.090, -13.376, -13.979, -14.040],
      interval: 3.037, length: -0.627,
      bands: [-0.110, -0.326, -0.373, -0.342, -0.513, -0.554],
      depths: [-0.533, -0.350, -0.378],
      grown: [0.058, 0.024, -0.142]),
    SmoothingModel(
      meanOf: 8, starts: [-14.720, -14.036, -13.986, -14.208, -14.214, -14.472],
      interval: 3.101, length: -0.078,
      bands: [-0.145, -0.257, -0.266, -0.354, -0.544, -0.559],
      depths: [-0.626, -0.550],
      grown: [-0.163, -0.085]),
  ]

  /// For shorter ones, where fast waves are small in hearts, too: the means of two and three look like those.
  static let fast = [
    SmoothingModel(
      meanOf: 4, starts: [-36.609, -36.915, -36.914, -36.194, -36.373, -36.497],
      interval: 5.199, length: -0.598,
      bands: [-0.026, 0.167, -0.237, -0.353, -0.370, -0.616],
      depths: [-0.533, -0.346, -0.274, -0.212],
      grown: [0.078, -0.200, -0.041, 0.089]),
    SmoothingModel(
      meanOf: 5, starts: [-24.450, -24.672, -24.575, -24.566, -24.731, -24.530],
      interval: 3.325, length: -1.041,
      bands: [0.103, 0.215, -0.290, -0.073, -0.331, -0.907],
      depths: [-0.387, -0.275, -0.092, -0.149],
      grown: [-0.044, -0.186, -0.360, -0.240]),
    SmoothingModel(
      meanOf: 6, starts: [-3.001, -3.054, -3.281, -3.197, -3.199, -3.874],
      interval: -0.210, length: -1.388,
      bands: [0.322, 0.137, -0.142, -0.328, -0.246, -0.744],
      depths: [-0.610, -0.521, -0.106],
      grown: [0.008, -0.412, -0.260]),
    SmoothingModel(
      meanOf: 7, starts: [-26.512, -26.018, -26.115, -26.659, -26.434, -26.450],
      interval: 3.521, length: -1.062,
      bands: [0.329, 0.039, -0.221, -0.220, -0.446, -0.581],
      depths: [-0.692, -0.501, -0.285],
      grown: [0.045, -0.285, -0.102]),
    SmoothingModel(
      meanOf: 8, starts: [-30.528, -30.230, -30.845, -30.936, -31.429, -31.673],
      interval: 4.453, length: -1.466,
      bands: [0.256, 0.059, -0.111, -0.253, -0.620, -0.548],
      depths: [-0.610, -0.408],
      grown: [-0.015, -0.389]),
  ]
}
