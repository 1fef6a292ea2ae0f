/// Runs on the bus thread what belongs to no actor.
///
/// The runtime lets such a task go on at once wherever it already runs on its own executor, and enqueues it anew at each
/// return from an asynchronous function where that executor is an actor's too: seven times for each notification.
final class BusTaskExecutor: TaskExecutor {
  private let bus: BusExecutor

  init(bus: BusExecutor) { self.bus = bus }

  func enqueue(_ job: consuming ExecutorJob) { bus.enqueue(.free(UnownedJob(job))) }
}

/// A job, and whether it belongs to one of the actors on the bus thread.
enum BusJob {
  case isolated(UnownedJob)
  case free(UnownedJob)
}
