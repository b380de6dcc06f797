//! Email templates: the part of Go's `text/template` that the original's email templates use.
//!
//! `{{ .Path.To.Value }}`, `{{ if … }}`, `{{ else if … }}`, `{{ else }}`, `{{ end }}`, comments,
//! trim marks, and in conditions `eq`, `ne`, `and`, `or`, `not` and parentheses. Values are escaped
//! for HTML where the body is HTML.

use serde_json::Value;

mod parse;

/// A compiled template.
#[derive(Debug, Clone, PartialEq)]
pub struct Template(Vec<Node>);

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Text(String),
    Print(Expression),
    If { condition: Expression, then: Vec<Node>, otherwise: Vec<Node> },
}

#[derive(Debug, Clone, PartialEq)]
enum Expression {
    Path(Vec<String>),
    Literal(Value),
    Call(Function, Vec<Expression>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Eq,
    Ne,
    And,
    Or,
    Not,
}

/// An error in a template, and the character at which it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem} at character {at}")]
pub struct TemplateError {
    problem: String,
    at: usize,
}

impl Template {
    /// # Errors
    /// [`TemplateError`] with the position of the first error.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        parse::template(text).map(Self)
    }

    /// Renders the template with the values of `data`; `print` escapes each printed value.
    pub fn render(&self, data: &Value, print: fn(&str) -> String) -> String {
        let mut out = String::new();
        render(&self.0, data, print, &mut out);
        out
    }
}

fn render(nodes: &[Node], data: &Value, print: fn(&str) -> String, out: &mut String) {
    for node in nodes {
        match node {
            Node::Text(text) => out.push_str(text),
            Node::Print(expression) => out.push_str(&print(&display_text(&expression.value(data)))),
            Node::If { condition, then, otherwise } => {
                let branch = if is_true(&condition.value(data)) { then } else { otherwise };
                render(branch, data, print, out);
            }
        }
    }
}

impl Expression {
    fn value(&self, data: &Value) -> Value {
        match self {
            Self::Literal(value) => value.clone(),
            Self::Path(path) => {
                let value_at_path = path.iter().try_fold(data, |value, key| value.get(key));
                value_at_path.cloned().unwrap_or(Value::Null)
            }
            Self::Call(function, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|one| one.value(data)).collect();
                function.call(&values)
            }
        }
    }
}

impl Function {
    fn call(self, values: &[Value]) -> Value {
        let first = values.first().cloned().unwrap_or(Value::Null);
        let mut rest = values.iter().skip(1);
        match self {
            Self::Eq => Value::Bool(rest.any(|other| *other == first)),
            Self::Ne => Value::Bool(rest.all(|other| *other != first)),
            Self::Not => Value::Bool(!is_true(&first)),
            Self::And => values
                .iter()
                .find(|one| !is_true(one))
                .or(values.last())
                .cloned()
                .unwrap_or(Value::Null),
            Self::Or => values
                .iter()
                .find(|one| is_true(one))
                .or(values.last())
                .cloned()
                .unwrap_or(Value::Null),
        }
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(boolean) => *boolean,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

fn display_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use compat_http::escape_html;

    fn rendered(template: &str) -> String {
        let data = json!({
            "Email": "a&b@c.d",
            "Data": {"lang": "fr", "plan": {"name": "gold"}},
            "Empty": "",
        });
        Template::parse(template).unwrap().render(&data, escape_html)
    }

    #[test]
    fn template_values_are_escaped_and_missing_ones_empty() {
        assert_eq!(
            rendered("<{{ .Email }}|{{.Data.plan.name}}|{{ .Nope.x }}>"),
            "<a&amp;b@c.d|gold|>"
        );
    }

    #[test]
    fn conditions_choose_a_branch() {
        let template = "{{ if eq .Data.lang \"es\" }}hola{{ else if eq .Data.lang \"fr\" }}salut{{ else }}hi{{ end }}";
        assert_eq!(rendered(template), "salut");
        assert_eq!(rendered("{{if .Empty}}a{{else}}b{{end}}"), "b");
        assert_eq!(rendered("{{if and .Email (not .Empty)}}a{{end}}"), "a");
        assert_eq!(rendered("{{if or .Empty (ne .Data.lang \"fr\")}}a{{end}}"), "");
    }

    #[test]
    fn trim_marks_and_comments_leave_nothing() {
        assert_eq!(rendered("a \n {{- /* note */ -}} \n b"), "ab");
    }

    #[test]
    fn mistakes_name_their_place() {
        for (template, problem) in [
            ("{{ .A", "an action is not closed"),
            ("x{{ if .A }}y", "an if is not ended"),
            ("{{ end }}", "an end without an if"),
            ("{{ else }}", "an else without an if"),
            ("{{ range .A }}{{ end }}", "unknown function or action: range"),
            ("{{ eq \"a }}", "a string is not closed"),
        ] {
            let error = Template::parse(template).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{template}: {error}");
        }
    }

    /// Valid and invalid pieces of templates in any order.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[{}. a-z\"()/*\\-]{0,12}",
            "\\PC{0,8}",
            Just("{{ if .Data.plan }}".to_owned()),
            Just("{{ if and (eq .Email \"a\") (not .Token) -}}".to_owned()),
            Just("{{- else if or .A (ne .B .C) }}".to_owned()),
            Just("{{ else }}".to_owned()),
            Just("{{ end }}".to_owned()),
            Just("{{/* note */}}".to_owned()),
            Just("{{ .Data.plan.name }}".to_owned()),
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    #[test]
    fn random_templates_render_or_name_a_mistake() {
        let data = json!({"Email": "<a>", "Data": {"plan": {"name": "<b>"}}});
        property_test("templates", pieces(), |text| {
            if let Ok(template) = Template::parse(&text) {
                let display_text = template.render(&data, escape_html);
                assert!(text.contains('<') || !display_text.contains('<'), "{display_text}");
            }
        });
    }

    #[test]
    fn template_nesting_depth_is_limited() {
        for open in ["{{if .A}}", "{{if .A}}{{else if .B}}", "{{not ("] {
            assert!(Template::parse(&open.repeat(100_000)).is_err());
        }
    }
}
