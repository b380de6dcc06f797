//! The mail to an owner whose webhook or vote listener was switched off.

use compat_mail::RenderedEmail;
use page_registry::{Language, path_of};
use uuid::Uuid;

use super::notification::Notification;

/// The facts of one mail.
pub(crate) struct ReceiverDisabled<'a> {
    pub language: Language,
    pub site_name: &'a str,
    /// The site's address, without the last slash.
    pub site_url: &'a str,
    pub server: Uuid,
    pub server_name: &'a str,
    /// Whether the receiver is a webhook; otherwise it is a Votifier listener.
    pub is_hook: bool,
}

/// Renders the mail.
pub(crate) fn render(facts: &ReceiverDisabled<'_>) -> RenderedEmail {
    let (receiver, section) =
        if facts.is_hook { ("webhook", "webhook") } else { ("Votifier", "votifier") };
    let name = facts.server_name;
    let (subject, lead, then, link) = match facts.language {
        Language::Fr => (
            format!("{receiver} désactivé\u{a0}: {name}"),
            format!(
                "Depuis trop longtemps, les votes de {name} n’arrivent plus par {receiver}\u{a0}: nous avons cessé d’essayer."
            ),
            "Corrigez le réglage, réactivez-le, puis renvoyez depuis le journal ce qui n’est pas arrivé. Les votes, eux, comptent toujours.",
            "Voir le réglage",
        ),
        Language::En => (
            format!("{receiver} switched off: {name}"),
            format!(
                "For too long the votes of {name} have not arrived by {receiver}, so we stopped trying."
            ),
            "Correct the setting, switch it on again, and resend from the log what did not arrive. The votes themselves always count.",
            "See the setting",
        ),
        Language::Es => (
            format!("{receiver} desactivado: {name}"),
            format!(
                "Desde hace demasiado tiempo, los votos de {name} no llegan por {receiver}; hemos dejado de intentarlo."
            ),
            "Corrige el ajuste, vuelve a activarlo y reenvía desde el registro lo que no llegó. Los votos siguen contando.",
            "Ver el ajuste",
        ),
    };
    let url = format!(
        "{}{}?section={section}",
        facts.site_url,
        path_of("editServerIntegrations", &facts.server.to_string(), facts.language)
    );
    let notification = Notification {
        language: facts.language,
        site_name: facts.site_name,
        title: &subject,
        lines: &[lead],
        quote: None,
        then: Some(then),
        link: Some((link, &url)),
    };
    notification.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disabled_webhook_email_links_to_its_setting() {
        let facts = ReceiverDisabled {
            language: Language::En,
            site_name: "Palmarès",
            site_url: "https://site.example",
            server: Uuid::nil(),
            server_name: "Tom <b>",
            is_hook: true,
        };
        let mail = render(&facts);
        assert_eq!(mail.subject, "webhook switched off: Tom <b> · Palmarès");
        assert!(mail.html.contains("Tom &lt;b&gt;") && !mail.html.contains("<b>"));
        let address = "https://site.example/en/edit-server/00000000-0000-0000-0000-000000000000/integrations?section=webhook";
        assert!(mail.text.contains(address), "{}", mail.text);
    }
}
