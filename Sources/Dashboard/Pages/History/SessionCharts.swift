import HRV
import HeartRate
import LiveSession
import Localization
import Plot
import Reports
import Stress

/// The figures and metrics of a session.
struct SessionCharts: Sendable {
  let details: SessionDetails
  let analysis: SessionAnalysis
  let context: PageContext

  var html: HTML {
    guard !analysis.classified.isEmpty else {
      return EmptyState(
        context.localized("No beats"),
        advice: context.localized(
          "The strap sent no RR intervals in this session. Moisten the electrodes and try again."),
        action: nil
      ).html
    }
    return """
      <section class="stack"><h3>\(context.localized("Beats"))</h3>\(tachogram)</section>
      <div class="halves"><section class="stack"><h3>\(context.localized("Poincaré plot"))</h3>\(poincare)</section>
      <section class="stack"><h3>\(context.localized("Spectrum"))</h3>\(spectrum)</section></div>
      <section class="stack"><h3>\(context.localized("Metrics"))</h3>\(metrics.html)</section>
      """
  }

  private var figure: BeatFigure {
    BeatFigure(beats: analysis.classified, texts: context.language.figureTexts)
  }

  // MARK: Tachogram

  private var tachogram: HTML {
    let minutes = SessionCourse.thinned(details.minutes)
    let values = minutes.map { ($0.at.seconds, 60_000 / max($0.heartRate ?? 60, 1)) }
    let name = context.localized("RR intervals of the session")
    let chart = figure.tachogram(name: name, at: values)
    let rows = zip(minutes, chart.points).map { DataTable.Row(cells($0), point: $1) }
    let table = DataTable(
      caption: context.localized("The last measurement of each minute, or of each longer step."),
      headings: [
        context.localized("at"), context.localized("HR"), "RMSSD ms", "SDNN ms",
      ], rows: rows)
    return ChartFigure("beats", chart, caption: caption, table: table, context).html
  }

  private var caption: String {
    let beats = analysis.classified.count
    let abnormal = beats - (analysis.verdicts[.normal] ?? 0)
    return context.localized("\(beats) beats, \(abnormal) of them not normal.")
  }

  private func cells(_ minute: SessionDetails.Minute) -> [DataTable.Cell] {
    [
      .init(clockText(seconds: minute.at.seconds)), .init(context.value(minute.heartRate, 0)),
      .init(context.value(minute.rmssd, 1)), .init(context.value(minute.sdnn, 1)),
    ]
  }

  // MARK: Poincaré plot and spectrum

  private var poincare: HTML {
    let metrics: [MetricDefinition] = [.sd1, .sd2, .rmssd, .sdnn]
    return small(
      "poincare", figure.poincare(name: context.localized("Poincaré plot of the NN intervals")),
      context.localized("Each NN interval against the one before it; the ellipse shows SD1 and SD2."), metrics
    )
  }

  private var spectrum: HTML {
    let bands = SpectralBands(lombScargle: NNSegments(analysis.classified))
    return small(
      "spectrum", figure.spectrum(bands, name: context.localized("Spectrum of the NN intervals")),
      context.localized("Power of the variation of heart beats by frequency."),
      [.vlf, .lf, .hf, .totalPower, .lfHF])
  }

  private func small(
    _ id: String, _ figure: InlineFigure, _ caption: String, _ metrics: [MetricDefinition]
  ) -> HTML {
    let rows = metrics.map { metric in
      DataTable.Row([
        .init(metric.heading), .init(context.value(analysis.series.first?.metrics[metric], metric.decimals)),
      ])
    }
    let table = DataTable(
      caption: caption, headings: [context.localized("metric"), context.localized("value")], rows: rows)
    return ChartFigure(id, figure, caption: caption, table: table, context).html
  }

  // MARK: Metrics

  private var metrics: DataTable {
    let values = analysis.series.first?.metrics.metrics ?? []
    let rows = values.map { value in
      let text = context.value(value.value, value.metric.decimals)
      return DataTable.Row([
        .init(value.metric.name), .init(text), .init(value.metric.unit),
        .init(
          value.absence.map { context.localized($0.phrase) } ?? MetricSentences.text(value.metric, context)),
      ])
    }
    return DataTable(
      caption: context.localized("Metrics of the normal beats of the whole session."),
      headings: [
        context.localized("metric"), context.localized("value"), context.localized("unit"),
        context.localized("meaning"),
      ], rows: rows)
  }
}
