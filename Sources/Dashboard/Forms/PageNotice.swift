import Localization
import Stress

/// What an action of a form did, shown once on the page to which it redirects.
enum PageNotice: String, CaseIterable, Sendable {
  case added
  case answered
  case answeredBefore
  case changed
  case deleted
  case kept
  case marked
  case paired
  case unpaired

  /// The query parameter.
  static let parameter = "notice"

  /// The notice of a request, if it has one.
  static func html(_ context: PageContext) -> HTML? {
    guard let notice = context.query.text(parameter).flatMap(PageNotice.init) else { return nil }
    return notice.html(context)
  }

  func html(_ context: PageContext) -> HTML {
    "<p class=\"notice\" role=\"status\">\(context.localized(text))</p>"
  }

  /// A path with the notice as its parameter.
  static func path(_ path: String, _ notice: PageNotice) -> String {
    "\(path)\(path.contains("?") ? "&" : "?")\(parameter)=\(notice.rawValue)"
  }

  private var text: Phrase {
    switch self {
    case .added: Phrase("Saved: the new entry is in the list.")
    case .answered: Phrase("Your answer is stored.")
    case .answeredBefore: Phrase("The question was answered before; that answer is kept.")
    case .changed: Phrase("Your changes are saved.")
    case .deleted: Phrase("The data are deleted permanently.")
    case .kept: Phrase("Nothing was deleted.")
    case .marked: Phrase("The moment is marked, and noted in the journal if the session is stored.")
    case .paired: Phrase("The strap is paired. It is used for the next measurement.")
    case .unpaired: Phrase("The pairing is removed. Sessions measured with the strap are kept.")
    }
  }
}

/// The content of a page without data.
struct EmptyState: Sendable {
  let title: String
  let advice: String
  var action: HTML?

  init(_ title: String, advice: String, action: HTML? = nil) {
    (self.title, self.advice, self.action) = (title, advice, action)
  }

  var html: HTML {
    "<div class=\"empty\">\(BuddyPicture.waiting(.sleeping))<h2>\(title)</h2><p>\(advice)</p>\(action.map { "<p class=\"row\">\($0)</p>" as HTML })</div>"
  }
}
