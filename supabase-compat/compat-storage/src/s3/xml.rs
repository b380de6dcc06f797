//! XML: parses small documents and writes responses.

use std::fmt::Display;

use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_xml_entity};
use quick_xml::events::{BytesRef, Event};

use super::S3Refusal;

/// The maximum nesting; no client sends deeper documents.
const DEEPEST: usize = 6;
const NAMESPACE: &str = "http://s3.amazonaws.com/doc/2006-03-01/";

/// Walks a document: calls `each` at the end of every element with the element names from the root
/// on, without namespaces, and with the element's trimmed text. Document type definitions, and with
/// them custom entities, are rejected.
///
/// # Errors
/// [`S3Refusal::MalformedXml`], or an error of `each`.
pub(super) fn walk(
    text: &str,
    mut each: impl FnMut(&[String], &str) -> Result<(), S3Refusal>,
) -> Result<(), S3Refusal> {
    let mut reader = Reader::from_str(text);
    // `each` is called for end tags, and `<Part/>` has one only when it is expanded.
    reader.config_mut().expand_empty_elements = true;
    let (mut path, mut texts): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut is_over = false;
    loop {
        match reader.read_event().map_err(|_| S3Refusal::MalformedXml)? {
            Event::Start(start) if path.len() < DEEPEST && !is_over => {
                path.push(start.local_name().as_ref().to_owned());
                texts.push(String::new());
            }
            Event::End(_) => {
                let text = texts.pop().ok_or(S3Refusal::MalformedXml)?;
                each(&path, text.trim())?;
                path.pop();
                is_over = path.is_empty();
            }
            Event::Text(part) => add(&mut texts, &part.xml10_content())?,
            Event::CData(part) => add(&mut texts, &part.xml10_content())?,
            Event::GeneralRef(reference) => add(&mut texts, &resolved(&reference)?)?,
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof if is_over => return Ok(()),
            _ => return Err(S3Refusal::MalformedXml),
        }
    }
}

/// Adds text to the current element; outside the root only whitespace is allowed.
fn add(texts: &mut [String], part: &str) -> Result<(), S3Refusal> {
    match texts.last_mut() {
        Some(text) => text.push_str(part),
        None if part.trim().is_empty() => {}
        None => return Err(S3Refusal::MalformedXml),
    }
    Ok(())
}

/// Resolves a numeric character reference or one of the five predefined entities.
fn resolved(reference: &BytesRef<'_>) -> Result<String, S3Refusal> {
    let number = reference.resolve_char_ref().map_err(|_| S3Refusal::MalformedXml)?;
    let name = || resolve_xml_entity(&reference.xml10_content()).map(str::to_owned);
    number.map(String::from).or_else(name).ok_or(S3Refusal::MalformedXml)
}

/// Writes a response document.
pub(crate) struct Writer(String);

impl Writer {
    /// Begins a document; [`Self::finish`] closes the root.
    pub(crate) fn root(name: &str) -> Self {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        Self(format!("{head}<{name} xmlns=\"{NAMESPACE}\">"))
    }

    /// Begins a document without a namespace, as errors have none.
    pub(crate) fn plain_root(name: &str) -> Self {
        Self(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name}>"))
    }

    pub(crate) fn open(&mut self, name: &str) -> &mut Self {
        self.0.extend(["<", name, ">"]);
        self
    }

    pub(crate) fn close(&mut self, name: &str) -> &mut Self {
        self.0.extend(["</", name, ">"]);
        self
    }

    /// Writes an element that contains a text.
    pub(crate) fn leaf(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.open(name).text(value).close(name)
    }

    /// Writes text into the open element.
    pub(crate) fn text(&mut self, value: impl Display) -> &mut Self {
        let value = value.to_string();
        let clean: String = value.chars().filter(|character| is_character(*character)).collect();
        self.0.push_str(&escape(clean.as_str()));
        self
    }

    /// Like [`Self::leaf`], if there is a value.
    pub(crate) fn leaf_if(&mut self, name: &str, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.leaf(name, value),
            None => self,
        }
    }

    pub(crate) fn finish(mut self, root: &str) -> String {
        self.close(root);
        self.0
    }
}

/// Whether XML 1.0 permits a character.
fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
        || character > '\u{ffff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(text: &str) -> Result<Vec<String>, S3Refusal> {
        let mut list = Vec::new();
        walk(text, |path, text| {
            list.push(format!("{}={text}", path.join("/")));
            Ok(())
        })?;
        Ok(list)
    }

    #[test]
    fn xml_entities_are_resolved_and_namespaces_dropped() {
        let text = "<?xml version=\"1.0\"?>\n<a xmlns=\"x\"><n:b>1 &lt;&amp;&#x41;</n:b>\
                    <c/><!-- no --><d><![CDATA[<&]]></d></a>\n";
        assert_eq!(leaves(text).unwrap(), ["a/b=1 <&A", "a/c=", "a/d=<&", "a="]);
    }

    #[test]
    fn malformed_documents_are_refused() {
        for text in [
            "",
            "text",
            "<a>",
            "<a></b>",
            "<a/><b/>",
            "<a/>text",
            "<a>&own;</a>",
            "<!DOCTYPE a [<!ENTITY own \"x\">]><a>&own;</a>",
            "<a><a><a><a><a><a><a/></a></a></a></a></a></a>",
        ] {
            assert_eq!(leaves(text), Err(S3Refusal::MalformedXml), "{text}");
        }
    }

    #[test]
    fn random_documents_never_panic_the_reader() {
        let piece =
            "(<a>|</a>|<b/>|&lt;|&#65;|&x;|<!--|-->|<!\\[CDATA\\[|]]>|<!DOCTYPE|[ -~é]){0,12}";
        compat_testkit::property_test("documents", piece, |text: String| {
            let _ = leaves(&text);
        });
    }

    #[test]
    fn random_texts_round_trip() {
        compat_testkit::property_test(
            "texts",
            "[^\\x00-\\x1f\u{fffe}\u{ffff}]{0,20}",
            |text: String| {
                let mut writer = Writer::root("a");
                writer.leaf("b", &text);
                let expected = format!("a/b={}", text.trim());
                assert_eq!(leaves(&writer.finish("a")).unwrap(), [expected, "a=".to_owned()]);
            },
        );
    }
}
