//! Lays text out in lines of 80 columns: a group is printed on one line if it fits, otherwise on
//! several.
//!
//! The algorithm is that of Prettier, which `oxfmt` follows: a group is flat if it and the text up
//! to the next possible line break fit into the rest of the line.

use unicode_width::UnicodeWidthStr as _;

/// The width of a line in columns.
const WIDTH: usize = 80;

/// A document whose line breaks are not chosen yet.
#[derive(Debug, Clone)]
pub(super) enum Document {
    Text(String),
    /// A space, or a line break if the group is broken.
    Line,
    /// Nothing, or a line break if the group is broken.
    SoftLine,
    /// Always a line break; it breaks every enclosing group.
    HardLine,
    /// The first text if the group is broken, otherwise the second.
    IfBroken(&'static str, &'static str),
    Indented(Vec<Self>),
    Sequence(Vec<Self>),
    Group {
        parts: Vec<Self>,
        is_broken: bool,
    },
}

impl Document {
    /// A text of one line.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A group, which is broken if it contains a hard line break.
    pub fn group(parts: Vec<Self>) -> Self {
        let is_broken = parts.iter().any(Self::is_broken);
        Self::Group { parts, is_broken }
    }

    fn is_broken(&self) -> bool {
        match self {
            Self::HardLine => true,
            Self::Group { is_broken, .. } => *is_broken,
            Self::Indented(parts) | Self::Sequence(parts) => parts.iter().any(Self::is_broken),
            Self::Text(_) | Self::Line | Self::SoftLine | Self::IfBroken(..) => false,
        }
    }

    /// Documents with a separator between them.
    pub fn joined(parts: impl IntoIterator<Item = Self>, separator: &[Self]) -> Vec<Self> {
        let mut joined = Vec::new();
        for part in parts {
            if !joined.is_empty() {
                joined.extend_from_slice(separator);
            }
            joined.push(part);
        }
        joined
    }

    /// The laid-out text, without a line break at the end.
    pub fn render(&self) -> String {
        let mut printer = Printer { text: String::new(), column: 0 };
        let mut rest = vec![Command { indent: 0, is_flat: false, document: self }];
        while let Some(command) = rest.pop() {
            printer.print(command, &mut rest);
        }
        printer.text
    }
}

/// A document to print.
#[derive(Clone, Copy)]
struct Command<'a> {
    indent: usize,
    is_flat: bool,
    document: &'a Document,
}

impl<'a> Command<'a> {
    fn push_parts(self, indent: usize, parts: &'a [Document], rest: &mut Vec<Self>) {
        rest.extend(parts.iter().rev().map(|document| Self { indent, document, ..self }));
    }
}

struct Printer {
    text: String,
    column: usize,
}

impl Printer {
    fn print<'a>(&mut self, command: Command<'a>, rest: &mut Vec<Command<'a>>) {
        let Command { indent, is_flat, document } = command;
        match document {
            Document::Text(text) => self.push(text),
            Document::IfBroken(_, flat) if is_flat => self.push(flat),
            Document::IfBroken(broken, _) => self.push(broken),
            Document::Line if is_flat => self.push(" "),
            Document::SoftLine if is_flat => {}
            Document::Line | Document::SoftLine | Document::HardLine => self.end_line(indent),
            Document::Indented(parts) => command.push_parts(indent + 2, parts, rest),
            Document::Sequence(parts) => command.push_parts(indent, parts, rest),
            Document::Group { parts, is_broken } => {
                let flat = Command { is_flat: true, ..command };
                let is_flat = !is_broken && (is_flat || self.fits(flat, rest));
                Command { is_flat, ..command }.push_parts(indent, parts, rest);
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.width();
    }

    fn end_line(&mut self, indent: usize) {
        let length = self.text.trim_end_matches(' ').len();
        self.text.truncate(length);
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Whether a document fits into the line, together with the text up to the next line break.
    fn fits(&self, next: Command<'_>, rest: &[Command<'_>]) -> bool {
        let mut left = WIDTH.saturating_sub(self.column);
        let mut following = rest.iter().rev();
        let mut commands = vec![next];
        loop {
            let Some(command) = commands.pop().or_else(|| following.next().copied()) else {
                return true;
            };
            let width = match command.document {
                Document::Text(text) => text.width(),
                Document::IfBroken(_, flat) if command.is_flat => flat.width(),
                Document::IfBroken(broken, _) => broken.width(),
                Document::Line if command.is_flat => 1,
                Document::SoftLine if command.is_flat => 0,
                Document::Line | Document::SoftLine | Document::HardLine => return true,
                Document::Indented(parts) | Document::Sequence(parts) => {
                    command.push_parts(0, parts, &mut commands);
                    0
                }
                Document::Group { parts, is_broken } => {
                    let is_flat = command.is_flat && !is_broken;
                    Command { is_flat, ..command }.push_parts(0, parts, &mut commands);
                    0
                }
            };
            match left.checked_sub(width) {
                Some(less) => left = less,
                None => return false,
            }
        }
    }
}
