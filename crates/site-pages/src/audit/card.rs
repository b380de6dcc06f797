//! Rules for the social card of a page.

use super::context::{PageCheck, Picture, SiteContext};
use super::rule::{Rule, RuleResults};

/// The elements that every card needs.
const PARTS: [&str; 8] = [
    "og:title",
    "og:description",
    "og:url",
    "og:type",
    "og:locale",
    "og:site_name",
    "og:image",
    "twitter:card",
];

/// The width and height of a card's picture.
const SIZE: (usize, usize) = (1200, 630);

pub fn check(check: &PageCheck<'_>, context: &SiteContext, results: &mut RuleResults) {
    if !check.is_indexed() {
        return;
    }
    let card = |name: &str| check.snapshot.card(name);
    let missing: Vec<String> =
        PARTS.into_iter().filter(|part| card(part).is_empty()).map(str::to_owned).collect();
    results.record_all(Rule::CardThere, &missing, PARTS.join(" "));
    let (address, canonical) = (card("og:url"), check.snapshot.canonical());
    results.record(Rule::CardAddress, address == canonical, address, canonical);
    let image = card("og:image");
    let picture = context.pictures.get(image).cloned().unwrap_or_default();
    let stated_size = (card("og:image:width"), card("og:image:height"));
    let is_fine = is_card(&picture) && stated_size == ("1200", "630");
    let size = picture.size.map(|(width, height)| format!("{width}x{height}"));
    let values = [image, &picture.status.to_string(), &picture.kind, &size.unwrap_or_default()];
    results.record(Rule::CardPicture, is_fine, values.join(" ").trim(), "200 1200x630");
}

fn is_card(picture: &Picture) -> bool {
    let kinds = ["image/png", "image/jpeg", "image/webp"];
    picture.status == 200 && kinds.contains(&&*picture.kind) && picture.size == Some(SIZE)
}

#[cfg(test)]
mod tests {
    use super::super::context::tests::{ORIGIN, broken, sample};
    use super::super::snapshot::PageSnapshot;
    use super::*;

    #[test]
    fn social_card_tags_and_image_are_checked() {
        let image = format!("{ORIGIN}/card.png");
        let mut html = format!("<link rel=canonical href='{ORIGIN}/leaderboard'>");
        for part in PARTS.into_iter().chain(["og:image:width", "og:image:height"]) {
            let value = match part {
                "og:url" => format!("{ORIGIN}/leaderboard"),
                "og:image" => image.clone(),
                "og:image:width" => "1200".to_owned(),
                "og:image:height" => "630".to_owned(),
                _ => "x".to_owned(),
            };
            html += &format!("<meta property='{part}' content='{value}'>");
        }
        let html = html.replace("property='twitter", "name='twitter");
        let snapshot = PageSnapshot::read(200, "", &html);
        let broken_rules = |size| {
            let picture = Picture { status: 200, kind: "image/png".into(), size };
            let pictures = [(image.clone(), picture)].into();
            broken(check, &sample(), &snapshot, SiteContext { pictures, ..SiteContext::default() })
        };
        assert_eq!(broken_rules(Some(SIZE)), []);
        assert_eq!(broken_rules(Some((1200, 600))), [Rule::CardPicture]);
        assert_eq!(
            broken(check, &sample(), &snapshot, SiteContext::default()),
            [Rule::CardPicture]
        );
        let bare = broken(check, &sample(), &PageSnapshot::default(), SiteContext::default());
        assert_eq!(bare, [Rule::CardThere, Rule::CardPicture]);
    }
}
