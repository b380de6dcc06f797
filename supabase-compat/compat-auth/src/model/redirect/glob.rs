//! Globs of the allow list: `*` stops at `.` and `/`, `**` does not; `?`, `[…]` and `{a,b}` as
//! usual.

/// One compiled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob(Vec<Vec<Token>>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// Any one character except a separator.
    One,
    /// Any sequence of characters without separators.
    Run,
    /// Any sequence of characters.
    Deep,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

/// The maximum number of alternatives in one pattern; more are taken for a mistake or an attack.
const MAX_ALTERNATIVES: usize = 256;

impl Glob {
    /// Compiles `pattern`; `None` when brackets or braces do not close, or braces nest too far.
    pub fn parse(pattern: &str) -> Option<Self> {
        if pattern.is_empty() {
            return None;
        }
        let characters: Vec<char> = pattern.chars().collect();
        let alternatives = expand(&characters)?;
        alternatives.iter().map(|text| tokens(text)).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Whether the whole of `text` matches.
    pub fn matches(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.0.iter().any(|tokens| matches(tokens, &text))
    }
}

/// Expands `{a,b}` into separate patterns.
fn expand(pattern: &[char]) -> Option<Vec<Vec<char>>> {
    let mut pending = vec![pattern.to_vec()];
    let mut done = Vec::new();
    while let Some(next) = pending.pop() {
        if pending.len() + done.len() > MAX_ALTERNATIVES {
            return None;
        }
        match innermost_braces(&next)? {
            None => done.push(next),
            Some((open, close)) => {
                let (before, after) = (next.get(..open)?, next.get(close + 1..)?);
                for choice in next.get(open + 1..close)?.split(|c| *c == ',') {
                    pending.push([before, choice, after].concat());
                }
            }
        }
    }
    Some(done)
}

/// The last opening brace and its closing brace, between which there are no other braces.
/// `Some(None)` if there are no braces.
fn innermost_braces(pattern: &[char]) -> Option<Option<(usize, usize)>> {
    let open = pattern.iter().rposition(|c| *c == '{');
    let Some(open) = open else {
        return if pattern.contains(&'}') { None } else { Some(None) };
    };
    let close = pattern.iter().skip(open).position(|c| *c == '}')?;
    Some(Some((open, open + close)))
}

fn tokens(pattern: &[char]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = pattern.iter().copied().peekable();
    while let Some(c) = rest.next() {
        tokens.push(match c {
            '*' if rest.peek() == Some(&'*') => {
                rest.next();
                Token::Deep
            }
            '*' => Token::Run,
            '?' => Token::One,
            '\\' => Token::Literal(rest.next()?),
            '[' => class(&mut rest)?,
            _ => Token::Literal(c),
        });
    }
    Some(tokens)
}

fn class(rest: &mut impl Iterator<Item = char>) -> Option<Token> {
    let mut inside = Vec::new();
    loop {
        match rest.next()? {
            ']' if !inside.is_empty() => break,
            c => inside.push(c),
        }
    }
    let negated = matches!(inside.first(), Some('!' | '^'));
    let mut members = inside.into_iter().skip(usize::from(negated)).peekable();
    let mut ranges = Vec::new();
    while let Some(low) = members.next() {
        if members.peek() == Some(&'-') {
            members.next();
            ranges.push((low, members.next().unwrap_or('-')));
        } else {
            ranges.push((low, low));
        }
    }
    Some(Token::Class { negated, ranges })
}

/// Tracks every possible position in the pattern, so that matching takes at most pattern length
/// times text length steps.
fn matches(tokens: &[Token], text: &[char]) -> bool {
    let mut states = vec![false; tokens.len() + 1];
    states[0] = true;
    settle(tokens, &mut states);
    for c in text {
        let mut next = vec![false; tokens.len() + 1];
        for (at, token) in tokens.iter().enumerate().filter(|(at, _)| states[*at]) {
            if token.accepts(*c) {
                let stays = matches!(token, Token::Run | Token::Deep);
                next[if stays { at } else { at + 1 }] = true;
            }
        }
        settle(tokens, &mut next);
        states = next;
    }
    states[tokens.len()]
}

/// A sequence may be empty, so a position before it is also a position after it.
fn settle(tokens: &[Token], states: &mut [bool]) {
    for (at, token) in tokens.iter().enumerate() {
        if states[at] && matches!(token, Token::Run | Token::Deep) {
            states[at + 1] = true;
        }
    }
}

impl Token {
    fn accepts(&self, c: char) -> bool {
        let is_separator = matches!(c, '.' | '/');
        match self {
            Self::Literal(own) => *own == c,
            Self::One | Self::Run => !is_separator,
            Self::Deep => true,
            Self::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated
            }
        }
    }
}
