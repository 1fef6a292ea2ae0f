/// A labelled control of a form with its hint and its error.
struct FormField: Sendable {
  /// Name of the field and ID of the control.
  let name: String
  let label: String
  var hint: String?
  var error: String?

  init(_ name: String, _ label: String, hint: String? = nil, error: String? = nil) {
    (self.name, self.label, self.hint, self.error) = (name, label, hint, error)
  }

  /// One line of text.
  /// - Parameters:
  ///   - type: the type of the input element.
  ///   - inputMode: the keyboard that touch screens show.
  func text(
    _ value: String?, type: String = "text", inputMode: String? = nil, longest: Int? = nil,
    isRequired: Bool = false, list: String? = nil
  ) -> HTML {
    field(
      """
      <input id="\(name)" name="\(name)" type="\(type)"\(attribute: "value", value)\
      \(attribute: "inputmode", inputMode)\(attribute: "maxlength", longest.map(String.init))\
      \(attribute: "list", list)\(attribute: "required", if: isRequired)\(described)>
      """)
  }

  /// Several lines of text. The server checks the length, because `maxlength` counts UTF-16 code units and cuts pasted text
  /// without a message. A line feed after the start tag is not part of the text.
  func area(_ value: String?) -> HTML {
    field(
      """
      <textarea id="\(name)" name="\(name)" rows="4"\(described)>
      \(value ?? "")</textarea>
      """)
  }

  /// A list of options, one of which is selected.
  func select(_ options: [(value: String, text: String)], _ selected: String?) -> HTML {
    let items = options.map { option in
      """
      <option value="\(option.value)"\(attribute: "selected", if: option.value == selected)>\(option.text)</option>
      """ as HTML
    }
    return field("<select id=\"\(name)\" name=\"\(name)\"\(described)>\(items)</select>")
  }

  private func field(_ control: HTML) -> HTML {
    """
    <div class="field"><label for="\(name)">\(label)</label>
    \(hint.map { "<p class=\"quiet small\" id=\"\(name)-hint\">\($0)</p>" as HTML })\
    \(error.map { "<p class=\"field-error\" id=\"\(name)-error\">\($0)</p>" as HTML })\(control)</div>
    """
  }

  private var described: HTML {
    let ids = [hint.map { _ in "\(name)-hint" }, error.map { _ in "\(name)-error" }].compactMap(\.self)
    let list = ids.isEmpty ? nil : ids.joined(separator: " ")
    return "\(attribute: "aria-describedby", list)\(attribute: "aria-invalid", error == nil ? nil : "true")"
  }
}

/// A group of radio buttons or check boxes.
struct FormChoices: Sendable {
  let name: String
  let legend: String
  var isMultiple = false
  var error: String?

  init(_ name: String, _ legend: String, isMultiple: Bool = false, error: String? = nil) {
    (self.name, self.legend, self.isMultiple, self.error) = (name, legend, isMultiple, error)
  }

  /// - Parameter selected: the values of the selected options.
  func html(_ options: [(value: String, label: HTML)], _ selected: Set<String>) -> HTML {
    let type = isMultiple ? "checkbox" : "radio"
    let items = options.enumerated().map { place, option in
      let id = place == 0 ? name : nil
      return """
        <label class="choice"><input type="\(type)"\(attribute: "id", id) name="\(name)" value="\(option.value)"\
        \(attribute: "checked", if: selected.contains(option.value))> \(option.label)</label>
        """ as HTML
    }
    return """
      <fieldset class="choices"><legend>\(legend)</legend>\
      \(error.map { "<p class=\"field-error\">\($0)</p>" as HTML })<div class="row">\(items)</div></fieldset>
      """
  }
}
