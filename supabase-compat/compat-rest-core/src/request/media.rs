//! Media types: what the client sends and what it accepts.

/// A media type this dialect knows, or any other by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    Any,
    Json,
    GeoJson,
    Csv,
    PlainText,
    Xml,
    OctetStream,
    UrlEncoded,
    OpenApi,
    /// One object instead of an array.
    SingularJson {
        strip_nulls: bool,
    },
    /// The array without null keys.
    StrippedArrayJson,
    /// The query plan of a request for another media type.
    Plan(Box<PlanMedia>),
    Other(String),
}

/// A request for a query plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlanMedia {
    /// The media type whose statement is explained.
    pub subject: MediaType,
    pub json: bool,
    pub options: Vec<PlanOption>,
}

/// Options of `EXPLAIN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlanOption {
    Analyze,
    Verbose,
    Settings,
    Buffers,
    Wal,
}

impl PlanOption {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "analyze" => Some(Self::Analyze),
            "verbose" => Some(Self::Verbose),
            "settings" => Some(Self::Settings),
            "buffers" => Some(Self::Buffers),
            "wal" => Some(Self::Wal),
            _ => None,
        }
    }

    /// The word both the header and `EXPLAIN` use.
    pub fn word(self) -> &'static str {
        match self {
            Self::Analyze => "analyze",
            Self::Verbose => "verbose",
            Self::Settings => "settings",
            Self::Buffers => "buffers",
            Self::Wal => "wal",
        }
    }
}

impl MediaType {
    /// Reads one media type with its parameters; a quality value is ignored.
    pub fn parse(text: &str) -> Self {
        let mut parts = split_parameters(text).into_iter();
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        let parameters: Vec<(String, String)> = parts.map(|part| parameter(&part)).collect();
        let get = |key: &str| {
            parameters.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
        };
        let strip_nulls = get("nulls") == Some("stripped");
        match essence.as_str() {
            "" | "*/*" => Self::Any,
            "application/json" => Self::Json,
            "application/geo+json" => Self::GeoJson,
            "text/csv" => Self::Csv,
            "text/plain" => Self::PlainText,
            "text/xml" => Self::Xml,
            "application/octet-stream" => Self::OctetStream,
            "application/x-www-form-urlencoded" => Self::UrlEncoded,
            "application/openapi+json" => Self::OpenApi,
            "application/vnd.pgrst.object" | "application/vnd.pgrst.object+json" => {
                Self::SingularJson { strip_nulls }
            }
            // Without `nulls=stripped` PostgREST's array type is plain JSON.
            "application/vnd.pgrst.array" | "application/vnd.pgrst.array+json" => {
                if strip_nulls {
                    Self::StrippedArrayJson
                } else {
                    Self::Json
                }
            }
            "application/vnd.pgrst.plan"
            | "application/vnd.pgrst.plan+text"
            | "application/vnd.pgrst.plan+json" => Self::Plan(Box::new(PlanMedia {
                subject: get("for").map_or(Self::Json, Self::parse),
                json: essence.ends_with("+json"),
                options: get("options")
                    .unwrap_or("")
                    .split('|')
                    .filter_map(|word| PlanOption::from_word(word.trim()))
                    .collect(),
            })),
            _ => Self::Other(essence),
        }
    }

    /// The media type as an error message and a handler's domain name spell it.
    pub fn essence(&self) -> String {
        match self {
            Self::Any => "*/*".into(),
            Self::Json => "application/json".into(),
            Self::GeoJson => "application/geo+json".into(),
            Self::Csv => "text/csv".into(),
            Self::PlainText => "text/plain".into(),
            Self::Xml => "text/xml".into(),
            Self::OctetStream => "application/octet-stream".into(),
            Self::UrlEncoded => "application/x-www-form-urlencoded".into(),
            Self::OpenApi => "application/openapi+json".into(),
            Self::SingularJson { strip_nulls: false } => "application/vnd.pgrst.object+json".into(),
            Self::SingularJson { strip_nulls: true } => {
                "application/vnd.pgrst.object+json;nulls=stripped".into()
            }
            Self::StrippedArrayJson => "application/vnd.pgrst.array+json;nulls=stripped".into(),
            Self::Plan(plan) => plan.essence(),
            Self::Other(name) => name.clone(),
        }
    }

    /// The value of `Content-Type`: with a charset for the types whose encoding we know.
    pub fn content_type(&self) -> String {
        match self {
            Self::Any | Self::OctetStream => "application/octet-stream".into(),
            Self::Other(name) => name.clone(),
            known => format!("{}; charset=utf-8", known.essence()),
        }
    }
}

impl PlanMedia {
    fn essence(&self) -> String {
        let format = if self.json { "json" } else { "text" };
        let subject = self.subject.essence();
        let mut text = format!("application/vnd.pgrst.plan+{format}; for=\"{subject}\"");
        if !self.options.is_empty() {
            let words: Vec<_> = self.options.iter().map(|option| option.word()).collect();
            text.push_str("; options=");
            text.push_str(&words.join("|"));
        }
        text
    }
}

/// Reads an `Accept` header: best quality first, then the more specific, then in written order.
pub fn accepted(header: Option<&str>) -> Vec<MediaType> {
    let Some(header) = header.filter(|text| !text.trim().is_empty()) else {
        return vec![MediaType::Any];
    };
    let mut ranked: Vec<(i32, i32, MediaType)> = split_outside_quotes(header, ',')
        .into_iter()
        .filter(|text| !text.trim().is_empty())
        .filter_map(|text| {
            let quality = (quality(&text) * 1000.0) as i32;
            let rank = specificity(&text);
            (quality > 0).then(|| (-quality, -rank, MediaType::parse(&text)))
        })
        .collect();
    ranked.sort_by_key(|(quality, rank, _)| (*quality, *rank));
    ranked.into_iter().map(|(_, _, media)| media).collect()
}

fn quality(text: &str) -> f32 {
    let q = split_parameters(text).into_iter().skip(1).map(|p| parameter(&p)).find(|p| p.0 == "q");
    q.and_then(|(_, value)| value.parse::<f32>().ok()).unwrap_or(1.0).clamp(0.0, 1.0)
}

fn specificity(text: &str) -> i32 {
    let essence = text.split(';').next().unwrap_or("").trim();
    match essence.split_once('/') {
        None | Some(("*", _)) => 0,
        Some((_, "*")) => 1,
        Some(_) => 2,
    }
}

fn parameter(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    (name.trim().to_ascii_lowercase(), value.trim().trim_matches('"').to_owned())
}

fn split_parameters(text: &str) -> Vec<String> {
    split_outside_quotes(text, ';').into_iter().map(|part| part.trim().to_owned()).collect()
}

fn split_outside_quotes(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        if c == separator && !quoted {
            parts.push(String::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_then_specificity_then_order_decide() {
        let accepted_types = accepted(Some("*/*;q=0.5, text/csv;q=0.9, application/json"));
        assert_eq!(accepted_types, [MediaType::Json, MediaType::Csv, MediaType::Any]);
        assert_eq!(accepted(None), [MediaType::Any]);
        assert_eq!(
            accepted(Some("*/*, text/html")).first(),
            Some(&MediaType::Other("text/html".into()))
        );
    }

    #[test]
    fn a_plan_names_its_subject_and_options() {
        let media = MediaType::parse(
            "application/vnd.pgrst.plan+json; for=\"application/vnd.pgrst.object+json\"; options=analyze|verbose",
        );
        let MediaType::Plan(plan) = &media else { panic!("{media:?}") };
        assert_eq!(plan.subject, MediaType::SingularJson { strip_nulls: false });
        assert_eq!(plan.options, [PlanOption::Analyze, PlanOption::Verbose]);
        assert_eq!(
            media.content_type(),
            "application/vnd.pgrst.plan+json; for=\"application/vnd.pgrst.object+json\"; options=analyze|verbose; charset=utf-8"
        );
    }
}
