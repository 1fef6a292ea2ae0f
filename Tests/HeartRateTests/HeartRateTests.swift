// HeartRateTests
