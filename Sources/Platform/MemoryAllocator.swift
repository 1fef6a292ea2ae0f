import CMalloc

/// The memory allocator of the C library.
package enum MemoryAllocator {
  /// Uses one heap for all threads. Called before the program starts further threads.
  ///
  /// By default, glibc gives threads separate heaps, and each one retains memory that was freed. The heap of a session stays
  /// below 1.5 MB, but its resident memory increased by up to 5 MB in two days. The threads of a session rarely allocate
  /// memory at the same time, so they do not wait for one another.
  package static func useSingleHeap() { _ = mallopt(M_ARENA_MAX, 1) }
}
