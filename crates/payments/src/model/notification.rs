//! The emails to payers, in three languages.

use chrono::NaiveDate;
use compat_http::escape_html;
use compat_mail::RenderedEmail;
use page_registry::{Language, path_of};
use serde::Deserialize;
use uuid::Uuid;

use super::money::amount;
use super::order::purchase;

/// The values that are stored with an email when it is enqueued, so that a retry sends the same
/// text.
#[derive(Debug, Deserialize)]
pub(crate) struct Payload {
    /// The id of the payment.
    pub subject_id: Uuid,
    pub kind: String,
    pub amount_cents: i32,
    pub refund_reason: Option<String>,
    pub receipt_number: Option<i64>,
}

/// All values that an email to a payer contains.
#[derive(Debug, Clone, sqlx_macros::FromRow)]
pub(crate) struct Notification {
    /// `counted`, `failed`, `to_refund`, `withdrawn`, `refunded` or `disputed`.
    pub kind: String,
    pub email: String,
    pub language: String,
    pub server_name: Option<String>,
    pub spot_position: Option<i32>,
    pub start_date: Option<NaiveDate>,
    pub end_date: Option<NaiveDate>,
    pub days: i32,
    pub amount_cents: i32,
    pub currency: String,
    pub refund_reason: Option<String>,
    pub receipt_number: Option<i64>,
}

/// The site that sends the email.
pub(crate) struct Site<'a> {
    pub name: &'a str,
    /// Its address, without the last slash.
    pub url: &'a str,
}

/// The texts of one email, each a sentence or two.
struct Wording {
    subject: &'static str,
    lead: String,
    then: String,
}

/// Renders the email.
pub(crate) fn render(site: &Site<'_>, notification: &Notification) -> RenderedEmail {
    let language = Language::parse(&notification.language).unwrap_or(Language::Fr);
    let bought = purchase(
        language,
        notification.days,
        notification.server_name.as_deref(),
        notification.spot_position,
        notification.start_date.zip(notification.end_date),
    );
    let wording = wording(language, notification);
    let links = links(site, language, notification);
    let mut text = format!("{bought}\n\n{}\n\n{}\n", wording.lead, wording.then);
    let mut led = String::new();
    for (words, url) in &links {
        text.push_str(&format!("\n{}\n", language.labelled(words, url)));
        led.push_str(&format!(
            "<p><a href=\"{}\" style=\"color:#6d3ae6;font-weight:600\">{words}</a></p>",
            escape_html(url)
        ));
    }
    let html = format!(
        "<!doctype html><html lang=\"{}\"><body style=\"margin:0;background:#f4f4f6\">\
         <div style=\"max-width:520px;margin:0 auto;padding:32px 24px;background:#fff;\
         font:16px/1.55 system-ui,-apple-system,'Segoe UI',sans-serif;color:#1c1e26\">\
         <p style=\"margin:0 0 24px;color:#6d3ae6;font-size:18px;font-weight:700\">{}</p>\
         <h1 style=\"font-size:22px;margin:0 0 16px\">{}</h1><p style=\"font-weight:600\">{}</p>\
         <p>{}</p><p>{}</p>{led}</div></body></html>",
        language.code(),
        escape_html(site.name),
        escape_html(wording.subject),
        escape_html(&bought),
        escape_html(&wording.lead),
        escape_html(&wording.then),
    );
    RenderedEmail { subject: format!("{} · {}", wording.subject, site.name), html, text }
}

/// The links to the receipt and to the payer's purchases.
fn links(
    site: &Site<'_>,
    language: Language,
    notification: &Notification,
) -> Vec<(&'static str, String)> {
    let address = |page, name: &str| format!("{}{}", site.url, path_of(page, name, language));
    let (document, all) = match language {
        Language::Fr => (["Voir le reçu", "Voir l’avoir"], "Voir mes achats"),
        Language::En => (["See the receipt", "See the credit note"], "See my purchases"),
        Language::Es => (["Ver el recibo", "Ver el abono"], "Ver mis compras"),
    };
    let document = document[usize::from(notification.kind == "refunded")];
    let mut links = Vec::new();
    if let Some(number) = notification.receipt_number {
        links.push((document, address("receipt", &number.to_string())));
    }
    links.push((all, address("profile", "")));
    links
}

fn wording(language: Language, notification: &Notification) -> Wording {
    let cents = amount(language, notification.amount_cents, &notification.currency);
    match notification.kind.as_str() {
        "counted" => counted(language, &cents),
        "failed" => failed(language),
        "withdrawn" => withdrawn(language, &cents),
        "refunded" => refunded(language, &cents),
        "disputed" => disputed(language),
        _ => to_refund(
            language,
            &cents,
            reason_text(language, notification.refund_reason.as_deref()),
        ),
    }
}

fn counted(language: Language, cents: &str) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Paiement reçu",
            lead: format!("Nous avons bien reçu votre paiement de {cents}. Merci\u{202f}!"),
            then: "Votre achat est pris en compte. Le reçu reste à votre disposition.".into(),
        },
        Language::En => Wording {
            subject: "Payment received",
            lead: format!("We have received your payment of {cents}. Thank you!"),
            then: "Your purchase counts from now on. The receipt stays available to you.".into(),
        },
        Language::Es => Wording {
            subject: "Pago recibido",
            lead: format!("Hemos recibido tu pago de {cents}. ¡Gracias!"),
            then: "Tu compra ya cuenta. El recibo queda a tu disposición.".into(),
        },
    }
}

fn failed(language: Language) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Paiement refusé",
            lead: "Votre paiement n’a pas abouti, et rien n’a été débité.".into(),
            then: "Vous pouvez recommencer quand vous le souhaitez.".into(),
        },
        Language::En => Wording {
            subject: "Payment refused",
            lead: "Your payment did not go through, and nothing was charged.".into(),
            then: "You can try again whenever you like.".into(),
        },
        Language::Es => Wording {
            subject: "Pago rechazado",
            lead: "Tu pago no se ha completado y no se ha cobrado nada.".into(),
            then: "Puedes volver a intentarlo cuando quieras.".into(),
        },
    }
}

fn withdrawn(language: Language, cents: &str) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Rétractation enregistrée",
            lead: "Nous avons bien reçu votre rétractation. Ce message en est la confirmation\u{a0}: conservez-le.".into(),
            then: format!(
                "{cents} vous seront remboursés par le moyen de paiement que vous avez utilisé, sans autre démarche de votre part."
            ),
        },
        Language::En => Wording {
            subject: "Withdrawal received",
            lead: "We have received your withdrawal. This message confirms it: please keep it.".into(),
            then: format!(
                "{cents} will be given back by the means you paid with; you have nothing else to do."
            ),
        },
        Language::Es => Wording {
            subject: "Desistimiento recibido",
            lead: "Hemos recibido tu desistimiento. Este mensaje lo confirma: consérvalo.".into(),
            then: format!(
                "Se te devolverán {cents} por el medio con el que pagaste, sin que tengas que hacer nada más."
            ),
        },
    }
}

fn to_refund(language: Language, cents: &str, reason: &str) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Votre paiement va être remboursé",
            lead: reason.into(),
            then: format!(
                "{cents} vous seront remboursés par le moyen de paiement que vous avez utilisé."
            ),
        },
        Language::En => Wording {
            subject: "Your payment will be refunded",
            lead: reason.into(),
            then: format!("{cents} will be given back by the means you paid with."),
        },
        Language::Es => Wording {
            subject: "Se te devolverá el pago",
            lead: reason.into(),
            then: format!("Se te devolverán {cents} por el medio con el que pagaste."),
        },
    }
}

fn reason_text(language: Language, reason: Option<&str>) -> &'static str {
    match (reason, language) {
        (Some("subject_gone"), Language::Fr) => {
            "Ce que vous avez payé n’existe plus\u{a0}: le serveur ou la réservation a été supprimé."
        }
        (Some("subject_gone"), Language::En) => {
            "What you paid for is no longer there: the server or the booking was removed."
        }
        (Some("subject_gone"), Language::Es) => {
            "Lo que pagaste ya no existe: el servidor o la reserva se ha eliminado."
        }
        (Some("days_taken"), Language::Fr) => {
            "Votre paiement est arrivé après la fin de la réservation, et ces jours ont été pris entre-temps."
        }
        (Some("days_taken"), Language::En) => {
            "Your payment came after the end of the reservation, and the days have been taken since."
        }
        (Some("days_taken"), Language::Es) => {
            "Tu pago llegó después del final de la reserva y esos días ya están ocupados."
        }
        (Some("amount_differs"), Language::Fr) => {
            "Le montant reçu n’est pas celui de la commande, qui n’a donc pas été prise en compte."
        }
        (Some("amount_differs"), Language::En) => {
            "The amount received is not that of the order, which therefore does not count."
        }
        (Some("amount_differs"), Language::Es) => {
            "El importe recibido no es el del pedido, que por eso no cuenta."
        }
        (_, Language::Fr) => "Notre équipe a décidé de vous rembourser.",
        (_, Language::En) => "Our team has decided to give your money back.",
        (_, Language::Es) => "Nuestro equipo ha decidido devolverte el dinero.",
    }
}

fn refunded(language: Language, cents: &str) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Remboursement effectué",
            lead: format!("{cents} vous ont été remboursés."),
            then: "Selon votre banque, la somme apparaît sur votre compte sous quelques jours."
                .into(),
        },
        Language::En => Wording {
            subject: "Refund made",
            lead: format!("{cents} have been given back to you."),
            then: "Depending on your bank, they show on your account within a few days.".into(),
        },
        Language::Es => Wording {
            subject: "Reembolso realizado",
            lead: format!("Se te han devuelto {cents}."),
            then: "Según tu banco, aparecerán en tu cuenta en unos días.".into(),
        },
    }
}

fn disputed(language: Language) -> Wording {
    match language {
        Language::Fr => Wording {
            subject: "Paiement contesté",
            lead: "Votre banque nous dit que ce paiement est contesté.".into(),
            then: "Si c’est une erreur, répondez-nous ou prévenez votre banque.".into(),
        },
        Language::En => Wording {
            subject: "Payment disputed",
            lead: "Your bank tells us that this payment is disputed.".into(),
            then: "If this is a mistake, write to us or tell your bank.".into(),
        },
        Language::Es => Wording {
            subject: "Pago impugnado",
            lead: "Tu banco nos dice que este pago está impugnado.".into(),
            then: "Si es un error, escríbenos o avisa a tu banco.".into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notification(kind: &str, language: &str) -> Notification {
        Notification {
            kind: kind.into(),
            email: "ada@example.test".into(),
            language: language.into(),
            server_name: Some("Tom &amp; &lt;b&gt;Co&lt;/b&gt;".into()),
            spot_position: None,
            start_date: None,
            end_date: None,
            days: 30,
            amount_cents: 3000,
            currency: "eur".into(),
            refund_reason: None,
            receipt_number: None,
        }
    }

    fn rendered(notification: &Notification) -> RenderedEmail {
        render(&Site { name: "Palmarès", url: "https://site.example" }, notification)
    }

    #[test]
    fn payment_email_links_receipt_and_escapes_html() {
        let mail =
            rendered(&Notification { receipt_number: Some(7), ..notification("counted", "en") });
        assert_eq!(mail.subject, "Payment received · Palmarès");
        assert!(mail.text.contains("Prestige, 30 days · Tom & <b>Co</b>"), "{}", mail.text);
        assert!(mail.text.contains("See the receipt: https://site.example/en/profile/receipts/7"));
        assert!(mail.text.contains("€30.00"));
        assert!(mail.html.contains("Tom &amp; &lt;b&gt;Co") && !mail.html.contains("<b>"));
    }

    #[test]
    fn each_notification_kind_has_its_own_subject() {
        let mut leads = std::collections::BTreeSet::new();
        for kind in ["counted", "failed", "to_refund", "withdrawn", "refunded", "disputed"] {
            for language in ["fr", "en", "es"] {
                let mail = rendered(&notification(kind, language));
                assert!(leads.insert(mail.subject.clone()), "{kind} {language}: {}", mail.subject);
            }
        }
        let reasons = ["subject_gone", "days_taken", "amount_differs", "administrator"];
        let texts: std::collections::BTreeSet<_> = reasons
            .into_iter()
            .map(|reason| {
                let refund = Notification {
                    refund_reason: Some(reason.into()),
                    ..notification("to_refund", "fr")
                };
                rendered(&refund).text
            })
            .collect();
        assert_eq!(texts.len(), reasons.len());
    }

    #[test]
    fn french_sets_its_blanks() {
        let mail = rendered(&notification("withdrawn", "fr"));
        assert!(mail.text.contains("confirmation\u{a0}: conservez-le"), "{}", mail.text);
        assert!(mail.text.contains("30,00\u{a0}€"));
        let mail =
            rendered(&Notification { receipt_number: Some(7), ..notification("counted", "fr") });
        assert!(mail.text.contains("Voir le reçu\u{a0}: https://"), "{}", mail.text);
    }
}
