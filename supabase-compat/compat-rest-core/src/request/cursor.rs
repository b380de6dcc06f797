//! A reader over one clause of the URL that remembers what it would have accepted.
//!
//! Parsers use checked access only and can always go back; when all alternatives failed, the
//! farthest position reached and the words expected there make the message.

/// Deepest nesting of embeds and logic groups; anything deeper is refused, not recursed into.
pub const MAX_DEPTH: usize = 64;

/// Most items of one level of `select`, and most keys of one `order`: PostgreSQL takes 1664 columns.
pub const MAX_ITEMS: usize = 1600;

/// Most embeds of one request, on all levels together.
pub const MAX_EMBEDS: usize = 256;

/// The name of the end of a clause in messages.
pub const END: &str = "end of input";

/// A parser did not match; the cursor knows why.
#[derive(Clone, Copy, Debug)]
pub struct ParseMiss;

/// Result of one parser.
pub type ParseResult<T> = Result<T, ParseMiss>;

/// Why a clause cannot be parsed, in PostgREST's two texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFailure {
    /// Clause and position: `"failed to parse order (id.x)" (line 1, column 4)`.
    pub message: String,
    /// The text at that position, and what would have been accepted there.
    pub details: String,
}

/// The reader.
#[derive(Debug)]
pub struct Cursor<'a> {
    input: &'a str,
    position: usize,
    depth: usize,
    embeds: usize,
    missed: FurthestMiss,
    stated_reason: Option<(usize, String)>,
}

/// The farthest position at which alternatives failed, the character there, and what would have
/// been accepted.
#[derive(Clone, Debug, Default)]
struct FurthestMiss {
    position: usize,
    found: Option<char>,
    expected: Vec<&'static str>,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning of a clause.
    pub fn new(input: &'a str) -> Self {
        Self {
            input,
            position: 0,
            depth: 0,
            embeds: 0,
            missed: FurthestMiss::default(),
            stated_reason: None,
        }
    }

    /// Runs a parser over a whole clause; `label` is how the message names it.
    pub fn parse<T>(
        input: &'a str,
        label: &str,
        parser: impl FnOnce(&mut Cursor<'a>) -> ParseResult<T>,
    ) -> Result<T, ParseFailure> {
        let mut cursor = Cursor::new(input);
        parser(&mut cursor).map_err(|ParseMiss| cursor.failure(label))
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        self.input.get(self.position..).unwrap_or("")
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Reads one character if it satisfies the test.
    pub fn take_if(&mut self, test: impl Fn(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|c| test(*c))?;
        self.position += next.len_utf8();
        Some(next)
    }

    /// Reads while characters satisfy the test; may be empty.
    pub fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let start = self.position;
        while self.take_if(&test).is_some() {}
        self.input.get(start..self.position).unwrap_or("")
    }

    /// Reads everything left.
    pub fn take_rest(&mut self) -> &'a str {
        let rest = self.rest();
        self.position = self.input.len();
        rest
    }

    /// Reads this exact text, if it stands here.
    pub fn take(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.position += text.len();
        }
        is_next
    }

    /// Like [`Cursor::take`] without regard to ASCII case.
    pub fn take_ignoring_case(&mut self, text: &str) -> bool {
        let is_next =
            self.rest().get(..text.len()).is_some_and(|head| head.eq_ignore_ascii_case(text));
        if is_next {
            self.position += text.len();
        }
        is_next
    }

    /// Demands this exact text; `label` is how the message calls it.
    pub fn expect(&mut self, text: &str, label: &'static str) -> ParseResult<()> {
        if self.take(text) { Ok(()) } else { Err(self.miss(label)) }
    }

    /// Demands the end of the clause.
    pub fn end(&mut self) -> ParseResult<()> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.miss(END)) }
    }

    /// Skips blanks.
    pub fn blanks(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    }

    /// Tries a parser; a miss restores everything except complaints about nesting.
    pub fn attempt<T>(&mut self, parser: impl FnOnce(&mut Self) -> ParseResult<T>) -> Option<T> {
        let missed = self.missed.clone();
        let result = self.probe(parser);
        if result.is_none() {
            self.missed = missed;
        }
        result
    }

    /// Tries a parser; on a miss the position is as before, but what it missed is remembered.
    pub fn probe<T>(&mut self, parser: impl FnOnce(&mut Self) -> ParseResult<T>) -> Option<T> {
        let (position, depth) = (self.position, self.depth);
        match parser(self) {
            Ok(value) => Some(value),
            Err(ParseMiss) => {
                self.position = position;
                self.depth = depth;
                None
            }
        }
    }

    /// True if a parser would match here; never moves.
    pub fn sees(&mut self, text: &str) -> bool {
        self.rest().starts_with(text)
    }

    /// Runs a parser one level deeper, refusing beyond [`MAX_DEPTH`].
    pub fn nested<T>(
        &mut self,
        parser: impl FnOnce(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.complain(format!("nesting deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let result = parser(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }

    /// Refuses an item too many for one level.
    pub fn room_for(&mut self, items: usize) -> ParseResult<()> {
        if items < MAX_ITEMS {
            return Ok(());
        }
        Err(self.complain(format!("more than {MAX_ITEMS} items")))
    }

    /// Counts an embed, refusing beyond [`MAX_EMBEDS`].
    pub fn count_embed(&mut self) -> ParseResult<()> {
        self.embeds += 1;
        if self.embeds <= MAX_EMBEDS {
            return Ok(());
        }
        Err(self.complain(format!("more than {MAX_EMBEDS} embeds")))
    }

    /// Records what would have been accepted here; at one position the first miss names the
    /// culprit.
    pub fn miss(&mut self, label: &'static str) -> ParseMiss {
        self.miss_at(self.peek(), label)
    }

    /// Records that this text would have been accepted here: the culprit is the first character
    /// that differs from it.
    pub fn miss_text(&mut self, text: &str, label: &'static str) -> ParseMiss {
        let mut characters = self.rest().chars();
        let unexpected_character = text.chars().find_map(|expected| match characters.next() {
            Some(c) if c == expected => None,
            other => Some(other),
        });
        self.miss_at(unexpected_character.unwrap_or(self.peek()), label)
    }

    fn miss_at(&mut self, found: Option<char>, label: &'static str) -> ParseMiss {
        let missed = &mut self.missed;
        if self.position > missed.position || missed.expected.is_empty() {
            *missed = FurthestMiss { position: self.position, found, expected: Vec::new() };
        }
        if self.position == missed.position && !missed.expected.contains(&label) {
            missed.expected.push(label);
        }
        ParseMiss
    }

    /// True if nothing was missed beyond this position.
    pub fn is_last_miss(&self) -> bool {
        self.missed.expected.is_empty() || self.missed.position <= self.position
    }

    /// Records a reason in words; the first one stands.
    pub fn complain(&mut self, reason: String) -> ParseMiss {
        let position = self.position;
        self.stated_reason.get_or_insert((position, reason));
        ParseMiss
    }

    fn failure(&self, label: &str) -> ParseFailure {
        let (position, details) = match &self.stated_reason {
            Some((position, reason)) => (*position, reason.clone()),
            None => (self.missed.position, self.unexpected()),
        };
        let before = self.input.get(..position).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = format!("\"failed to parse {label}\" (line {line}, column {column})");
        ParseFailure { message, details }
    }

    fn unexpected(&self) -> String {
        let expected = &self.missed.expected;
        let found = match self.missed.found {
            None => "end of input".to_owned(),
            Some(c) if expected.contains(&END) => format!("'{c}'"),
            Some(c) => format!("\"{c}\""),
        };
        match expected.as_slice() {
            [] => format!("unexpected {found}"),
            [only] => format!("unexpected {found} expecting {only}"),
            [most @ .., last] => {
                format!("unexpected {found} expecting {} or {last}", most.join(", "))
            }
        }
    }
}
