//! The layout of short emails. Text that people typed is escaped.

use compat_http::escape_html;
use compat_mail::RenderedEmail;
use page_registry::Language;

/// A short email: what happened, with a link.
#[derive(Debug)]
pub(crate) struct Notification<'a> {
    /// The language of the email.
    pub language: Language,
    /// The name of the site.
    pub site_name: &'a str,
    /// The subject, without the site's name.
    pub title: &'a str,
    /// The first paragraphs.
    pub lines: &'a [String],
    /// A quotation of what somebody wrote.
    pub quote: Option<&'a str>,
    /// The paragraph after the quotation.
    pub then: Option<&'a str>,
    /// The text and the URL of a link.
    pub link: Option<(&'a str, &'a str)>,
}

impl Notification<'_> {
    /// Renders the email.
    pub(crate) fn render(&self) -> RenderedEmail {
        let subject = format!("{} · {}", self.title, self.site_name);
        RenderedEmail { subject, html: self.html(), text: self.text() }
    }

    fn text(&self) -> String {
        let lead = self.lines.join("\n");
        let link = self.link.map(|(words, url)| self.language.labelled(words, url));
        let parts = [Some(&*lead), self.quote, self.then, link.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        parts.join("\n\n") + "\n"
    }

    fn html(&self) -> String {
        let paragraph = |text: &str| format!("<p>{}</p>", escape_html(text));
        let mut body: String = self.lines.iter().map(|line| paragraph(line)).collect();
        if let Some(quote) = self.quote {
            body.push_str(&format!(
                "<blockquote style=\"margin:16px 0;padding:0 16px;border-left:3px solid #e1dcee;\
                 white-space:pre-line\">{}</blockquote>",
                escape_html(quote)
            ));
        }
        body.extend(self.then.map(paragraph));
        if let Some((words, url)) = self.link {
            body.push_str(&format!(
                "<p><a href=\"{}\">{}</a></p>",
                escape_html(url),
                escape_html(words)
            ));
        }
        format!(
            "<!doctype html><html lang=\"{}\"><body style=\"font-family:sans-serif;color:#15171f\">\
             <p style=\"color:#6d3ae6;font-weight:700\">{}</p><h1 style=\"font-size:20px\">{}</h1>\
             {body}</body></html>",
            self.language.code(),
            escape_html(self.site_name),
            escape_html(self.title),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notification_renders_plain_text_and_escaped_html() {
        let notification = Notification {
            language: Language::En,
            site_name: "Palmarès",
            title: "Tom <b>",
            lines: &["One.".into(), "Two.".into()],
            quote: Some("Three <links>"),
            then: Some("Four."),
            link: Some(("See", "https://site.example/?a=1&b=2")),
        };
        let RenderedEmail { subject, html, text } = notification.render();
        assert_eq!(subject, "Tom <b> · Palmarès");
        assert_eq!(
            text,
            "One.\nTwo.\n\nThree <links>\n\nFour.\n\nSee: https://site.example/?a=1&b=2\n"
        );
        assert!(html.starts_with("<!doctype html><html lang=\"en\">"), "{html}");
        for part in [
            "<h1 style=\"font-size:20px\">Tom &lt;b&gt;</h1><p>One.</p><p>Two.</p>",
            "Three &lt;links&gt;</blockquote><p>Four.</p>",
            "<a href=\"https://site.example/?a=1&amp;b=2\">See</a>",
        ] {
            assert!(html.contains(part), "{part} in {html}");
        }
    }

    #[test]
    fn french_link_uses_space_before_colon() {
        let notification = Notification {
            language: Language::Fr,
            site_name: "Palmarès",
            title: "Titre",
            lines: &[],
            quote: None,
            then: None,
            link: Some(("Voir", "https://site.example/")),
        };
        assert_eq!(notification.render().text, "\n\nVoir\u{a0}: https://site.example/\n");
    }
}
