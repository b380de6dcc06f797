//! The `Prefer` header and its echo.

/// What a write answers with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Return {
    Minimal,
    HeadersOnly,
    Representation,
}

/// What happens to rows that already exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    MergeDuplicates,
    IgnoreDuplicates,
}

/// How the total is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    Exact,
    Planned,
    Estimated,
}

/// What a key missing from the body means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingColumns {
    Default,
    Null,
}

/// Whether the transaction is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransactionEnd {
    Commit,
    Rollback,
}

/// Whether unknown preferences are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handling {
    Strict,
    Lenient,
}

/// All preferences of a request; the first valid one of each kind counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preferences {
    pub returned: Option<Return>,
    pub resolution: Option<Resolution>,
    pub count: Option<Count>,
    pub missing: Option<MissingColumns>,
    pub transaction: Option<TransactionEnd>,
    pub handling: Option<Handling>,
    pub timezone: Option<String>,
    pub max_affected: Option<i64>,
    /// What was not understood, in order.
    pub invalid: Vec<String>,
}

impl Preferences {
    /// Reads the header values; `transaction_override` says whether `tx` may be chosen by the
    /// client.
    pub fn parse<'a>(
        headers: impl IntoIterator<Item = &'a str>,
        transaction_override: bool,
    ) -> Self {
        let mut preferences = Self::default();
        for token in headers.into_iter().flat_map(|h| h.split(',')).map(str::trim) {
            if !token.is_empty() && !preferences.accept(token, transaction_override) {
                preferences.invalid.push(token.to_owned());
            }
        }
        preferences
    }

    fn accept(&mut self, token: &str, transaction_override: bool) -> bool {
        let Some((key, value)) = token.split_once('=') else { return false };
        let (key, value) = (key.trim(), value.trim());
        match key {
            "return" => keep(&mut self.returned, returned(value)),
            "resolution" => keep(&mut self.resolution, resolution(value)),
            "count" => keep(&mut self.count, count(value)),
            "missing" => keep(&mut self.missing, missing(value)),
            "tx" => {
                let end = transaction(value);
                if transaction_override { keep(&mut self.transaction, end) } else { end.is_some() }
            }
            "handling" => keep(&mut self.handling, handling(value)),
            "timezone" => keep(&mut self.timezone, Some(value.to_owned())),
            "max-affected" => keep(&mut self.max_affected, value.parse().ok()),
            _ => false,
        }
    }

    /// True when the client wants unknown preferences refused.
    pub fn strict(&self) -> bool {
        self.handling == Some(Handling::Strict)
    }

    /// The bound on affected rows, which only counts under strict handling.
    pub fn enforced_max_affected(&self) -> Option<i64> {
        self.max_affected.filter(|_| self.strict())
    }

    /// The value of `Preference-Applied`, in PostgREST's order; `None` when nothing applied.
    pub fn applied(&self) -> Option<String> {
        let mut parts = Vec::new();
        parts.extend(self.resolution.map(|r| match r {
            Resolution::MergeDuplicates => "resolution=merge-duplicates".to_owned(),
            Resolution::IgnoreDuplicates => "resolution=ignore-duplicates".to_owned(),
        }));
        parts.extend(self.missing.map(|m| match m {
            MissingColumns::Default => "missing=default".to_owned(),
            MissingColumns::Null => "missing=null".to_owned(),
        }));
        parts.extend(self.returned.map(|r| match r {
            Return::Minimal => "return=minimal".to_owned(),
            Return::HeadersOnly => "return=headers-only".to_owned(),
            Return::Representation => "return=representation".to_owned(),
        }));
        parts.extend(self.count.map(|c| match c {
            Count::Exact => "count=exact".to_owned(),
            Count::Planned => "count=planned".to_owned(),
            Count::Estimated => "count=estimated".to_owned(),
        }));
        parts.extend(self.transaction.map(|t| match t {
            TransactionEnd::Commit => "tx=commit".to_owned(),
            TransactionEnd::Rollback => "tx=rollback".to_owned(),
        }));
        parts.extend(self.handling.map(|h| match h {
            Handling::Strict => "handling=strict".to_owned(),
            Handling::Lenient => "handling=lenient".to_owned(),
        }));
        parts.extend(self.timezone.as_ref().map(|zone| format!("timezone={zone}")));
        parts.extend(self.max_affected.map(|rows| format!("max-affected={rows}")));
        if parts.is_empty() { None } else { Some(parts.join(", ")) }
    }
}

/// Keeps the first valid value; a later valid one is ignored without being an error.
fn keep<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let valid = value.is_some();
    if slot.is_none() {
        *slot = value;
    }
    valid
}

fn returned(value: &str) -> Option<Return> {
    match value {
        "minimal" => Some(Return::Minimal),
        "headers-only" => Some(Return::HeadersOnly),
        "representation" => Some(Return::Representation),
        _ => None,
    }
}

fn resolution(value: &str) -> Option<Resolution> {
    match value {
        "merge-duplicates" => Some(Resolution::MergeDuplicates),
        "ignore-duplicates" => Some(Resolution::IgnoreDuplicates),
        _ => None,
    }
}

fn count(value: &str) -> Option<Count> {
    match value {
        "exact" => Some(Count::Exact),
        "planned" => Some(Count::Planned),
        "estimated" => Some(Count::Estimated),
        _ => None,
    }
}

fn missing(value: &str) -> Option<MissingColumns> {
    match value {
        "default" => Some(MissingColumns::Default),
        "null" => Some(MissingColumns::Null),
        _ => None,
    }
}

fn transaction(value: &str) -> Option<TransactionEnd> {
    match value {
        "commit" => Some(TransactionEnd::Commit),
        "rollback" => Some(TransactionEnd::Rollback),
        _ => None,
    }
}

fn handling(value: &str) -> Option<Handling> {
    match value {
        "strict" => Some(Handling::Strict),
        "lenient" => Some(Handling::Lenient),
        _ => None,
    }
}
