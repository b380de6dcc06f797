//! The printed subset of TypeScript: types, and lists.

use icu_properties::CodePointSetData;
use icu_properties::props::{IdContinue, IdStart};

use super::layout::Document;

/// A type.
#[derive(Debug, Clone)]
pub(super) enum Type {
    /// A name or a value that is printed unchanged, such as `string` or `true`.
    Plain(String),
    /// A string literal type.
    Literal(String),
    /// `Record<string, unknown>`.
    Applied(&'static str, [&'static str; 2]),
    /// `Database["public"]["Enums"]["mood"]`: a name and the keys that are looked up in it.
    Lookup(&'static str, Vec<String>),
    Array(Box<Self>),
    Union(Vec<Self>),
    /// The intersection of an object and another type.
    Intersection(Box<Self>, Box<Self>),
    Tuple(Vec<Self>),
    Object(Object),
}

/// The type of an object.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub members: Vec<Member>,
    /// Whether each member has a line of its own.
    pub is_expanded: bool,
}

/// A member of an object.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The key as it is printed, including the mark of an optional member.
    key: String,
    value: Type,
    /// The lines of a comment before the member.
    comment: &'static [&'static str],
}

impl Member {
    /// A required member.
    pub fn new(name: &str, value: Type) -> Self {
        Self { key: key(name), value, comment: &[] }
    }

    /// An optional member.
    pub fn optional(name: &str, value: Type) -> Self {
        Self { key: format!("{}?", key(name)), value, comment: &[] }
    }

    /// The only member of an object without members.
    pub fn none() -> Self {
        Self { key: "[_ in never]".to_owned(), value: Type::plain("never"), comment: &[] }
    }

    /// Adds a comment before the member.
    pub fn with_comment(mut self, comment: &'static [&'static str]) -> Self {
        self.comment = comment;
        self
    }

    fn document(&self) -> Document {
        let mut parts = Vec::new();
        for line in self.comment {
            parts.extend([Document::text(*line), Document::HardLine]);
        }
        parts.extend([Document::text(format!("{}: ", self.key)), self.value.document()]);
        Document::Sequence(parts)
    }
}

impl Type {
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Plain(text.into())
    }

    /// An object with a line for each member.
    pub fn expanded(members: Vec<Member>) -> Self {
        Self::Object(Object { members, is_expanded: true })
    }

    /// An object with a line for each member, or with a member that says that there are none.
    pub fn expanded_or_none(members: Vec<Member>) -> Self {
        Self::expanded(if members.is_empty() { vec![Member::none()] } else { members })
    }

    /// An object on one line if it fits.
    pub fn object(members: Vec<Member>) -> Self {
        Self::Object(Object { members, is_expanded: false })
    }

    /// A union; the members of nested unions become members of it.
    pub fn union(types: impl IntoIterator<Item = Self>) -> Self {
        let mut members = Vec::new();
        for one in types {
            match one {
                Self::Union(types) => members.extend(types),
                other => members.push(other),
            }
        }
        match members.pop() {
            Some(only) if members.is_empty() => only,
            last => Self::Union(members.into_iter().chain(last).collect()),
        }
    }

    pub fn array(self) -> Self {
        Self::Array(Box::new(self))
    }

    /// The type with `[]` after it, which applies to the last part.
    pub fn with_brackets(self) -> Self {
        match self {
            Self::Union(mut types) => {
                let last = types.pop().map(Self::with_brackets);
                Self::Union(types.into_iter().chain(last).collect())
            }
            Self::Intersection(first, last) => {
                Self::Intersection(first, Box::new(last.with_brackets()))
            }
            other => other.array(),
        }
    }

    /// The layout of the type.
    pub fn document(&self) -> Document {
        match self {
            Self::Plain(text) => Document::text(text.as_str()),
            Self::Literal(text) => Document::text(literal(text)),
            Self::Applied(name, arguments) => {
                let list = list(arguments.iter().map(|one| Document::text(*one)).collect(), "");
                Document::Sequence(vec![
                    Document::text(*name),
                    enclosed("<", Document::SoftLine, list, ">"),
                ])
            }
            Self::Lookup(name, keys) => {
                let keys: String = keys.iter().map(|key| format!("[{}]", literal(key))).collect();
                Document::text(format!("{name}{keys}"))
            }
            Self::Array(element) => Document::Sequence(match &**element {
                Self::Union(types) => vec![
                    Document::text("("),
                    enclosed("", Document::SoftLine, alternatives(types), ""),
                    Document::text(")[]"),
                ],
                other => vec![other.document(), Document::text("[]")],
            }),
            Self::Union(types) if has_one_object(types) => {
                let types = types.iter().map(Self::document);
                Document::Sequence(Document::joined(types, &[Document::text(" | ")]))
            }
            Self::Union(types) => {
                let mut parts = alternatives(types);
                parts.insert(0, Document::SoftLine);
                Document::group(vec![Document::Indented(parts)])
            }
            Self::Intersection(object, other) => {
                Document::group(vec![object.document(), Document::text(" & "), other.document()])
            }
            Self::Tuple(types) if types.is_empty() => Document::text("[]"),
            Self::Tuple(types) => {
                let types = list(types.iter().map(Self::document).collect(), ",");
                enclosed("[", Document::SoftLine, types, "]")
            }
            Self::Object(object) if object.members.is_empty() => Document::text("{}"),
            Self::Object(Object { members, is_expanded }) => {
                let line = if *is_expanded { Document::HardLine } else { Document::Line };
                let separator = [Document::IfBroken("", ";"), line.clone()];
                let members = members.iter().map(Member::document);
                enclosed("{", line, Document::joined(members, &separator), "}")
            }
        }
    }
}

/// Whether one type is an object and all others are `null`; the object is then not indented.
fn has_one_object(types: &[Type]) -> bool {
    let objects = types.iter().filter(|one| matches!(one, Type::Object(_))).count();
    let nulls =
        types.iter().filter(|one| matches!(one, Type::Plain(text) if text == "null")).count();
    objects == 1 && objects + nulls == types.len()
}

/// The members of a union, each after a bar if the union is broken.
fn alternatives(types: &[Type]) -> Vec<Document> {
    let types = types.iter().map(|one| Document::Indented(vec![one.document()]));
    let mut parts = vec![Document::IfBroken("| ", "")];
    parts.extend(Document::joined(types, &[Document::Line, Document::text("| ")]));
    parts
}

/// Parts separated by commas; `last` follows the last one if the group is broken.
pub(super) fn list(parts: Vec<Document>, last: &'static str) -> Vec<Document> {
    let mut parts = Document::joined(parts, &[Document::text(","), Document::Line]);
    parts.push(Document::IfBroken(last, ""));
    parts
}

/// A group between two delimiters.
pub(super) fn enclosed(
    open: &'static str,
    line: Document,
    mut parts: Vec<Document>,
    close: &'static str,
) -> Document {
    parts.insert(0, line.clone());
    Document::group(vec![
        Document::text(open),
        Document::Indented(parts),
        line,
        Document::text(close),
    ])
}

/// A string literal in double quotes, or in single quotes if that needs fewer escapes.
pub(super) fn literal(text: &str) -> String {
    let count = |quote| text.matches(quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut quoted_text = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => quoted_text.push_str("\\\\"),
            '\u{8}' => quoted_text.push_str("\\b"),
            '\u{c}' => quoted_text.push_str("\\f"),
            '\n' => quoted_text.push_str("\\n"),
            '\r' => quoted_text.push_str("\\r"),
            '\t' => quoted_text.push_str("\\t"),
            c if c < ' ' => quoted_text.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c == quote => quoted_text.extend(['\\', c]),
            c => quoted_text.push(c),
        }
    }
    quoted_text.push(quote);
    quoted_text
}

/// The key of a member, in quotes if necessary.
pub(super) fn key(name: &str) -> String {
    let (start, rest) = (CodePointSetData::new::<IdStart>(), CodePointSetData::new::<IdContinue>());
    let mut characters = name.chars();
    let begins = characters.next().is_some_and(|c| matches!(c, '$' | '_') || start.contains(c));
    let goes_on = |c| matches!(c, '$' | '\u{200c}' | '\u{200d}') || rest.contains(c);
    if begins && characters.all(goes_on) { name.to_owned() } else { literal(name) }
}
