// HRVTests
