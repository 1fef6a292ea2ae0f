import Localization

/// The steps to the first value, for a profile without measurements.
struct FirstRun: Sendable {
  let context: PageContext

  var html: HTML {
    """
    <section class="card" aria-labelledby="first-title"><div class="waiting">\(BuddyPicture.html)</div>
    <h2 id="first-title">\(context.localized("Your first value in three steps"))</h2>
    <ol class="steps">
    <li><h3>\(context.localized("Put on the strap"))</h3><p>\(context.localized("Moisten the electrodes and disconnect the strap from phones and watches. Without a strap, select the simulated one below."))</p></li>
    <li><h3>\(context.localized("Take a reading"))</h3><p>\(context.localized("Sit still for one minute. The first stress value appears after 30 seconds of good data."))</p></li>
    <li><h3>\(context.localized("Read the number"))</h3><p>\(context.localized("0 is relaxed, 100 is high stress. It compares the variation between your heart beats and your heart rate with your personal baseline, which is estimated from your minutes at rest and is mostly your own after one day with rest. The confidence states how far you can trust it."))</p></li>
    </ol>
    </section>
    """
  }
}
