//! Parses the text form of PostgreSQL's query trees: nodes with named fields, lists, words.

use super::lineage::Tokens;

/// The deepest tree that is parsed.
const MOST_LEVELS: usize = 200;

/// A part of a query tree.
#[derive(Debug)]
pub(super) enum Tree<'a> {
    /// Fields by name, each with all values that follow it.
    Node(Vec<(&'a str, Vec<Tree<'a>>)>),
    List(Vec<Tree<'a>>),
    Word(&'a str),
}

impl<'a> Tree<'a> {
    /// Reads a tree; `None` for one that is cut off or too deep.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let mut tokens = Tokens::of(text);
        let first = tokens.next()?;
        parsed(&mut tokens, first, MOST_LEVELS)
    }

    /// The single value of a node's field.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        let Self::Node(fields) = self else { return None };
        let (_, values) = fields.iter().find(|(field, _)| *field == name)?;
        values.first().filter(|_| values.len() == 1)
    }

    /// The single word of a node's field.
    pub(super) fn word(&self, name: &str) -> Option<&'a str> {
        match self.field(name)? {
            Self::Word(word) => Some(word),
            Self::Node(_) | Self::List(_) => None,
        }
    }

    /// The members of a list; empty for anything else.
    pub(super) fn members(&self) -> &[Self] {
        match self {
            Self::List(members) => members,
            Self::Node(_) | Self::Word(_) => &[],
        }
    }

    /// The member of a list that has only one.
    pub(super) fn only(&self) -> Option<&Self> {
        match self.members() {
            [member] => Some(member),
            _ => None,
        }
    }
}

fn parsed<'a>(tokens: &mut Tokens<'a>, first: &'a str, levels: usize) -> Option<Tree<'a>> {
    let levels = levels.checked_sub(1)?;
    match first {
        "{" => node(tokens, levels),
        "(" => {
            let mut members = Vec::new();
            loop {
                match tokens.next()? {
                    ")" => return Some(Tree::List(members)),
                    token => members.push(parsed(tokens, token, levels)?),
                }
            }
        }
        word => Some(Tree::Word(word)),
    }
}

fn node<'a>(tokens: &mut Tokens<'a>, levels: usize) -> Option<Tree<'a>> {
    tokens.next()?;
    let mut fields: Vec<(&str, Vec<Tree<'_>>)> = Vec::new();
    loop {
        match tokens.next()? {
            "}" => return Some(Tree::Node(fields)),
            token => match (token.strip_prefix(':'), fields.last_mut()) {
                (Some(field), _) => fields.push((field, Vec::new())),
                (None, Some((_, values))) => values.push(parsed(tokens, token, levels)?),
                (None, None) => return None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_tree_finds_fields_lists_and_words() {
        let tree = Tree::parse("({QUERY :a 1 :b ({X :c <>} {X :c a\\ b}) :d 4 [ 1 0 ]})");
        let tree = tree.expect("a tree");
        let query = tree.only().expect("a query");
        assert_eq!(query.word("a"), Some("1"));
        let list = query.field("b").expect("a list");
        let words: Vec<_> = list.members().iter().map(|member| member.word("c")).collect();
        assert_eq!(words, [Some("<>"), Some("a\\ b")]);
        assert!(query.field("d").is_none(), "a datum is no single value");
        assert!(list.only().is_none());
    }

    #[test]
    fn truncated_or_too_deep_tree_is_refused() {
        for text in ["", "(", "({QUERY :a 1", "({QUERY", "{", "({Q a})"] {
            assert!(Tree::parse(text).is_none(), "{text}");
        }
        assert!(Tree::parse(&"(".repeat(100_000)).is_none());
        let deep = format!("{}{}", "(".repeat(150), ")".repeat(150));
        assert!(Tree::parse(&deep).is_some());
    }
}
