//! Splits a file of SQL into its statements as PostgreSQL's lexer would: a semicolon inside a
//! string, a name, a comment, parentheses or a body of `begin atomic` ends nothing.

/// One statement with its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SqlStatement<'a> {
    /// The text without its semicolon, and without the space and comments before it.
    pub text: &'a str,
    /// Where it begins in the file, in bytes.
    pub at: usize,
}

impl SqlStatement<'_> {
    /// Its first words in lower case, without quotes, by which a caller recognises the statement.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut cut = StatementSplitter::new(self.text);
        while words.len() < 12 {
            let at = cut.at;
            match cut.next() {
                None => break,
                Some(Token::Word | Token::Quoted) => {
                    let word = self.text.get(at..cut.at).unwrap_or_default();
                    words.push(word.trim_matches('"').to_lowercase());
                }
                Some(_) => {}
            }
        }
        words
    }
}

/// The first words of a statement, in lower case.
pub(crate) fn first_words(text: &str) -> Vec<String> {
    SqlStatement { text, at: 0 }.words()
}

/// The statements of a file, in order; comments alone are no statement.
pub(crate) fn statements(text: &str) -> Vec<SqlStatement<'_>> {
    let mut list = Vec::new();
    let mut cut = StatementSplitter::new(text);
    let mut begins: Option<usize> = None;
    let (mut parentheses, mut blocks) = (0_usize, 0_usize);
    let mut word_before = String::new();
    loop {
        let at = cut.at;
        let token = cut.next();
        let is_end = match token {
            None => true,
            Some(Token::Other(b';')) => parentheses == 0 && blocks == 0,
            _ => false,
        };
        if is_end {
            if let Some(from) = begins.take() {
                let text = text.get(from..at).unwrap_or_default().trim_end();
                list.push(SqlStatement { text, at: from });
            }
            (parentheses, blocks) = (0, 0);
            word_before.clear();
        }
        match token {
            None => return list,
            Some(Token::Blank) => continue,
            Some(Token::Other(b';')) if is_end => continue,
            Some(Token::Other(b'(')) => parentheses += 1,
            Some(Token::Other(b')')) => parentheses = parentheses.saturating_sub(1),
            Some(Token::Word) => {
                let word = text.get(at..cut.at).unwrap_or_default().to_lowercase();
                match &*word {
                    "atomic" if word_before == "begin" => blocks += 1,
                    // `case` is closed by an `end` as well, which must not close the body.
                    "case" if blocks > 0 => blocks += 1,
                    "end" if blocks > 0 => blocks -= 1,
                    _ => {}
                }
                word_before = word;
            }
            Some(_) => {}
        }
        begins.get_or_insert(at);
    }
}

/// The kinds of token that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    /// Space or a comment.
    Blank,
    /// A keyword or a plain name.
    Word,
    /// A quoted name.
    Quoted,
    /// A string, in quotes or dollar-quoted.
    Text,
    /// One byte of anything else.
    Other(u8),
}

/// Reads the text token by token; `at` is where the next one begins.
struct StatementSplitter<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> StatementSplitter<'a> {
    fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<Token> {
        let first = self.peek(0)?;
        Some(match (first, self.peek(1)) {
            (b'-', Some(b'-')) => {
                self.while_true(|byte| byte != b'\n');
                Token::Blank
            }
            (b'/', Some(b'*')) => {
                self.comment();
                Token::Blank
            }
            (b'e' | b'E', Some(b'\'')) => {
                self.at += 1;
                self.quoted(b'\'', true);
                Token::Text
            }
            (b'\'', _) => {
                self.quoted(b'\'', false);
                Token::Text
            }
            (b'"', _) => {
                self.quoted(b'"', false);
                Token::Quoted
            }
            (b'$', _) => self.dollar(),
            _ if first.is_ascii_whitespace() => {
                self.while_true(|byte| byte.is_ascii_whitespace());
                Token::Blank
            }
            // A `$` in a name belongs to the name (PostgreSQL, Lexical Structure): `a$b$` opens no
            // string.
            _ if is_of_word(first) => {
                self.while_true(|byte| is_of_word(byte) || byte == b'$');
                Token::Word
            }
            _ => {
                self.at += 1;
                Token::Other(first)
            }
        })
    }

    fn while_true(&mut self, goes_on: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&goes_on) {
            self.at += 1;
        }
    }

    /// Skips a block comment; block comments can be nested.
    fn comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(b'/'), Some(b'*')) => (depth, self.at) = (depth + 1, self.at + 2),
                (Some(b'*'), Some(b'/')) => (depth, self.at) = (depth - 1, self.at + 2),
                (Some(_), _) => self.at += 1,
                (None, _) => return,
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips from one quote to the next that is neither doubled nor, if `escapes`, escaped.
    fn quoted(&mut self, quote: u8, escapes: bool) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == b'\\' && escapes && self.peek(0).is_some() {
                self.at += 1;
            } else if byte == quote {
                if self.peek(0) != Some(quote) {
                    return;
                }
                self.at += 1;
            }
        }
    }

    /// Reads a dollar-quoted string, or a lone dollar, such as that of a parameter.
    fn dollar(&mut self) -> Token {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let length = rest.iter().take_while(|byte| is_of_word(**byte)).count();
        let is_tag =
            rest.get(length) == Some(&b'$') && !rest.first().is_some_and(u8::is_ascii_digit);
        if !is_tag {
            self.at += 1;
            return Token::Other(b'$');
        }
        let tag = self.bytes.get(self.at..self.at + length + 2).unwrap_or_default();
        self.at += tag.len();
        let body = self.bytes.get(self.at..).unwrap_or_default();
        let ends = body.windows(tag.len()).position(|part| part == tag);
        self.at = ends.map_or(self.bytes.len(), |ends| self.at + ends + tag.len());
        Token::Text
    }
}

/// Whether a byte belongs to a word. Every byte of a non-ASCII letter does.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::prelude::*;

    use super::*;

    fn texts(file: &str) -> Vec<&str> {
        statements(file).into_iter().map(|statement| statement.text).collect()
    }

    #[test]
    fn semicolons_end_statements_and_nothing_else_does() {
        assert_eq!(
            texts("select 1; -- one;\n/* two; /* three; */ */ select 2"),
            ["select 1", "select 2"]
        );
        assert_eq!(
            texts("select ';', 'it''s;', E'\\';', \"a;\"\"b\" ; select 2;"),
            ["select ';', 'it''s;', E'\\';', \"a;\"\"b\"", "select 2"]
        );
        assert_eq!(
            texts("do $$ begin; end $$; do $a$ $$; $a$;"),
            ["do $$ begin; end $$", "do $a$ $$; $a$"]
        );
        assert_eq!(
            texts("create rule r as on insert to t do (select 1; select 2); select 3"),
            ["create rule r as on insert to t do (select 1; select 2)", "select 3"]
        );
        let body = "create function f() returns int begin atomic select case when true then 1 end; select 2; end";
        assert_eq!(texts(&format!("{body}; begin; end;")), [body, "begin", "end"]);
        assert_eq!(texts("-- nothing\n;;\n/* */"), Vec::<&str>::new());
        assert_eq!(texts("select $1; select a$b$c"), ["select $1", "select a$b$c"]);
    }

    #[test]
    fn a_statement_knows_its_place_and_its_words() {
        let parsed =
            statements("select 1;\n\n  create extension if not exists \"pgJWT\" with schema x;");
        let last = parsed.last().unwrap();
        assert_eq!(last.at, 13);
        assert_eq!(
            last.words(),
            ["create", "extension", "if", "not", "exists", "pgjwt", "with", "schema", "x"]
        );
    }

    #[test]
    fn random_files_lose_only_space_and_comments() {
        let parts = prop::collection::vec(
            prop::sample::select(vec![
                "'", "\"", "$$", "$a$", ";", "--", "\n", "/*", "*/", "(", ")", "é", "begin", " ",
                "atomic", "end", "E'", "\\",
            ]),
            0..40,
        );
        property_test("files of SQL", parts, |parts| {
            let file = parts.concat();
            let mut from = 0;
            for statement in statements(&file) {
                assert!(statement.at >= from && !statement.text.is_empty());
                assert_eq!(
                    file.get(statement.at..statement.at + statement.text.len()),
                    Some(statement.text)
                );
                from = statement.at + statement.text.len();
            }
        });
    }
}
