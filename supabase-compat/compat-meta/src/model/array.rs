//! Parses arrays in PostgreSQL's text form (its manual, "Array Input and Output Syntax").

/// A step in parsing an array.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// The start of a dimension.
    Begin,
    /// The end of a dimension.
    End,
    /// A null element.
    Null,
    /// An element, without its quotes.
    Value(String),
}

/// The steps of one array. For an invalid text, they stop at some point.
pub(super) struct Elements<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Elements<'a> {
    /// Starts to parse; bounds of dimensions, as in `[0:1]={5,6}`, are skipped.
    pub fn new(text: &'a str) -> Self {
        let rest = match text.strip_prefix('[') {
            Some(_) => text.split_once('=').map_or(text, |(_, rest)| rest),
            None => text,
        };
        Self { rest, depth: 0 }
    }

    fn quoted(&mut self) -> String {
        let mut value = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, one)) = characters.next() {
            match one {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return value;
                }
                '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
                other => value.push(other),
            }
        }
        self.rest = "";
        value
    }
}

impl Iterator for Elements<'_> {
    type Item = Element;

    fn next(&mut self) -> Option<Element> {
        let rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        let first = rest.chars().next()?;
        let behind = &rest[first.len_utf8()..];
        match first {
            '{' => {
                (self.rest, self.depth) = (behind, self.depth + 1);
                Some(Element::Begin)
            }
            '}' if self.depth > 0 => {
                (self.rest, self.depth) = (behind, self.depth - 1);
                Some(Element::End)
            }
            _ if self.depth == 0 => None,
            '"' => {
                self.rest = behind;
                Some(Element::Value(self.quoted()))
            }
            _ => {
                let end = rest.find([',', '}']).unwrap_or(rest.len());
                let (value, behind) = rest.split_at(end);
                self.rest = behind;
                Some(match value {
                    "NULL" => Element::Null,
                    value => Element::Value(value.to_owned()),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_array_literals_terminate_iteration() {
        for text in ["", "x", "{", "{\"", "{\"\\", "}", "{,", "[", "[1=", "{a}b"] {
            assert!(Elements::new(text).count() < 10, "{text}");
        }
    }
}
