//! The part of TypeScript that is printed: types, and lists of texts.

use icu_properties::CodePointSetData;
use icu_properties::props::{IdContinue, IdStart};

use super::layout::Document;

/// A type.
#[derive(Debug, Clone)]
pub(super) enum Type {
    /// A name or a value that is written as it is, like `string` or `true`.
    Plain(String),
    /// A text as a type.
    Literal(String),
    /// `Record<string, unknown>`.
    Applied(&'static str, [&'static str; 2]),
    /// `Database["public"]["Enums"]["mood"]`: a name and what is looked up in it.
    Lookup(&'static str, Vec<String>),
    Array(Box<Self>),
    Union(Vec<Self>),
    /// An object and another type.
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
    /// As it is written, with its mark of being optional.
    key: String,
    value: Type,
    /// A comment before it, line by line.
    comment: &'static [&'static str],
}

impl Member {
    /// A member that is always there.
    pub fn new(name: &str, value: Type) -> Self {
        Self { key: key(name), value, comment: &[] }
    }

    /// A member that may be missing.
    pub fn optional(name: &str, value: Type) -> Self {
        Self { key: format!("{}?", key(name)), value, comment: &[] }
    }

    /// The one member of an object that has none.
    pub fn none() -> Self {
        Self { key: "[_ in never]".to_owned(), value: Type::plain("never"), comment: &[] }
    }

    /// The same behind a comment.
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

    /// The same, which says that it has none.
    pub fn expanded_or_none(members: Vec<Member>) -> Self {
        Self::expanded(if members.is_empty() { vec![Member::none()] } else { members })
    }

    /// An object on one line where it fits.
    pub fn object(members: Vec<Member>) -> Self {
        Self::Object(Object { members, is_expanded: false })
    }

    /// One of several; they are members of the same union if they are unions themselves.
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

    /// The text of a type with `[]` behind it, which binds to the last part.
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

    /// How it is laid out.
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

/// Whether one is an object and the others are `null`: the object then keeps its place.
fn has_one_object(types: &[Type]) -> bool {
    let objects = types.iter().filter(|one| matches!(one, Type::Object(_))).count();
    let nulls =
        types.iter().filter(|one| matches!(one, Type::Plain(text) if text == "null")).count();
    objects == 1 && objects + nulls == types.len()
}

/// The members of a union, each behind a bar where it is broken.
fn alternatives(types: &[Type]) -> Vec<Document> {
    let types = types.iter().map(|one| Document::Indented(vec![one.document()]));
    let mut parts = vec![Document::IfBroken("| ", "")];
    parts.extend(Document::joined(types, &[Document::Line, Document::text("| ")]));
    parts
}

/// Parts behind commas; `last` stands behind the last one where the group is broken.
pub(super) fn list(parts: Vec<Document>, last: &'static str) -> Vec<Document> {
    let mut parts = Document::joined(parts, &[Document::text(","), Document::Line]);
    parts.push(Document::IfBroken(last, ""));
    parts
}

/// A group between two marks.
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

/// A text in quotes: double ones, unless single ones spare escapes.
pub(super) fn literal(text: &str) -> String {
    let count = |quote| text.matches(quote).count();
    let quote = if count('"') > count('\'') { '\'' } else { '"' };
    let mut written = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => written.push_str("\\\\"),
            '\u{8}' => written.push_str("\\b"),
            '\u{c}' => written.push_str("\\f"),
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            c if c < ' ' => written.push_str(&format!("\\u{:04x}", u32::from(c))),
            c if c == quote => written.extend(['\\', c]),
            c => written.push(c),
        }
    }
    written.push(quote);
    written
}

/// The name of a member, in quotes if it has to be.
pub(super) fn key(name: &str) -> String {
    let (start, rest) = (CodePointSetData::new::<IdStart>(), CodePointSetData::new::<IdContinue>());
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| matches!(c, '$' | '_') || start.contains(c));
    let goes_on = |c| matches!(c, '$' | '\u{200c}' | '\u{200d}') || rest.contains(c);
    if begins && letters.all(goes_on) { name.to_owned() } else { literal(name) }
}
