//! The layouts of the cards of servers, games and competitive events.

use ranking::{CardFacts, EventCard, GamesCard, ServerCard};

use super::pictures::PictureRequest;
use super::svg::{Card, FIGURE, PodiumEntry, Tile, medal};
use super::text_layout::drawable;
use super::words::{counted, days, month, text};

use crate::figures::number;
use page_registry::Language;
use page_registry::SHORTCUTS;

/// A card before its pictures are fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardLayout {
    /// The drawing as SVG.
    pub svg: String,
    /// The pictures that the drawing contains.
    pub requests: Vec<PictureRequest>,
}

/// The content of a card.
#[derive(Clone, Copy)]
pub struct CardInput<'a> {
    /// The language of the card.
    pub language: Language,
    /// The name of the site.
    pub site: &'a str,
    /// The word of the shortcut, if the card is that of a shortcut.
    pub shortcut: Option<&'a str>,
    /// The facts that the card shows.
    pub facts: &'a CardFacts,
}

/// Lays out a card with those pictures that exist, according to `has`.
pub fn layout(input: &CardInput<'_>, has: &dyn Fn(&str) -> bool) -> CardLayout {
    let card = match input.facts {
        CardFacts::Server(server) => server_card(input, server, has),
        CardFacts::Games(games) => games_card(input, games, has),
        CardFacts::Event(event) => event_card(input, event, has),
    };
    let (svg, requests) = card.finish();
    CardLayout { svg, requests }
}

fn server_card<'a>(
    input: &CardInput<'_>,
    server: &ServerCard,
    has: &'a dyn Fn(&str) -> bool,
) -> Card<'a> {
    let language = input.language;
    let (backdrop, accent) = (server.backdrop_url.as_deref(), server.accent_color.as_deref());
    let mut card = Card::new(input.site, backdrop, accent, has);
    let name = display_name(&server.name, &server.slug);
    let game = drawable(&server.game_name);
    card.title(server.logo_url.as_deref(), &name, &game);
    let votes = i64::from(server.monthly_votes);
    card.tiles(&[
        Tile {
            figure: place(language, server.game_rank),
            colour: medal(server.game_rank),
            caption: text(language, "ofGame", &[("game", &game)]),
        },
        Tile {
            figure: number(language, votes),
            colour: FIGURE,
            caption: counted(
                language,
                "votesIn",
                votes,
                &[("month", &month(language, server.month))],
            ),
        },
    ]);
    card
}

fn games_card<'a>(
    input: &CardInput<'_>,
    games: &GamesCard,
    has: &'a dyn Fn(&str) -> bool,
) -> Card<'a> {
    let language = input.language;
    let (backdrop, accent) = (games.backdrop_url.as_deref(), games.accent_color.as_deref());
    let mut card = Card::new(input.site, backdrop, accent, has);
    let together = input.shortcut.and_then(|word| SHORTCUTS.get(word)?.name.as_deref());
    let name = display_name(together.unwrap_or(&games.name), &games.slug);
    let servers = counted(language, "servers", games.server_count, &[]);
    card.title(games.logo_url.as_deref(), &name, &servers);
    let names: Vec<_> = games.first.iter().map(|it| display_name(&it.name, &it.slug)).collect();
    let podium: Vec<_> = (1..)
        .zip(games.first.iter().zip(&names))
        .map(|(rank, (server, name))| PodiumEntry {
            name,
            logo: server.logo_url.as_deref(),
            place: place(language, rank),
            votes: counted(language, "votes", server.monthly_votes.into(), &[]),
        })
        .collect();
    card.podium(&podium);
    card
}

fn event_card<'a>(
    input: &CardInput<'_>,
    event: &EventCard,
    has: &'a dyn Fn(&str) -> bool,
) -> Card<'a> {
    let language = input.language;
    let mut card = Card::new(input.site, Some(EVERY_GAME), None, has);
    let label = text(language, "event", &[]);
    let name = display_name(&event.name, &label);
    card.heading(&label, &name, &days(language, event.starts_on, event.ends_on));
    let (goal, winners) = (i64::from(event.target_votes), i64::from(event.winner_count));
    let prize = counted(language, "days", event.prestige_days.into(), &[]);
    card.tiles(&[
        Tile {
            figure: number(language, goal),
            colour: FIGURE,
            caption: counted(language, "goal", goal, &[]),
        },
        Tile {
            figure: number(language, winners),
            colour: medal(1),
            caption: format!("{} · {prize}", counted(language, "winners", winners, &[])),
        },
    ]);
    card
}

/// The backdrop of cards that are not about a single game.
const EVERY_GAME: &str = "/pictures/backdrop.svg";

fn place(language: Language, rank: i32) -> String {
    text(language, "place", &[("rank", &number(language, rank.into()))])
}

/// The name without characters that the fonts lack; if nothing is left, the words of the slug.
fn display_name(name: &str, slug: &str) -> String {
    let name = drawable(name);
    if name.is_empty() { drawable(&slug.replace(['-', '_'], " ")) } else { name }
}

#[cfg(test)]
pub mod tests {
    use chrono::NaiveDate;
    use ranking::PlacedServer;

    use super::*;

    fn day(month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, month, day).expect("a day")
    }

    /// The facts of a server with this name.
    pub fn server(name: &str) -> CardFacts {
        CardFacts::Server(ServerCard {
            slug: "a-server_1".into(),
            name: name.into(),
            game_name: "Minecraft".into(),
            accent_color: Some("#3fae4a".into()),
            logo_url: Some("/pictures/demo/logos/1.svg".into()),
            backdrop_url: Some("/pictures/games/minecraft/backdrop.svg".into()),
            game_rank: 1,
            monthly_votes: 12_345,
            month: day(11, 1),
        })
    }

    /// The facts of a game with two servers.
    pub fn games() -> CardFacts {
        let placed = |name: &str, logo_url: Option<&str>, monthly_votes| PlacedServer {
            slug: "placed".into(),
            name: name.into(),
            logo_url: logo_url.map(str::to_owned),
            monthly_votes,
        };
        CardFacts::Games(GamesCard {
            name: "Rust".into(),
            slug: "rust".into(),
            accent_color: Some("red\"/>".into()),
            logo_url: Some("/pictures/games/rust/logo.svg".into()),
            backdrop_url: None,
            server_count: 1_204,
            first: vec![
                placed("Les Chevaliers de la Table Ronde", Some("/pictures/a.svg"), 9_000),
                placed("Ödland", None, 1),
            ],
        })
    }

    /// The facts of a competitive event.
    pub fn event() -> CardFacts {
        CardFacts::Event(EventCard {
            name: "La Course d’automne".into(),
            starts_on: day(11, 1),
            ends_on: day(11, 30),
            target_votes: 50_000,
            winner_count: 3,
            prestige_days: 7,
        })
    }

    fn drawn(facts: &CardFacts, language: Language, shortcut: Option<&str>) -> CardLayout {
        let input = CardInput { language, site: "Palmarès", shortcut, facts };
        layout(&input, &|address| address.starts_with('/'))
    }

    #[test]
    fn nothing_a_server_is_called_leaves_its_place() {
        let svg = drawn(&server("<script>\"A\" & \u{202e}B</script>"), Language::Fr, None).svg;
        assert!(svg.contains("&lt;script&gt;&quot;A&quot; &amp;"), "{svg}");
        assert!(!svg.contains("<script") && !svg.contains('\u{202e}'), "{svg}");
        assert!(!drawn(&games(), Language::Fr, None).svg.contains("red"), "a colour is one");
    }

    #[test]
    fn server_card_shows_place_and_monthly_votes() {
        for (language, input) in Language::ALL.into_iter().zip([
            ["#1", "du classement Minecraft", "12\u{202f}345", "votes en novembre"],
            ["#1", "in the Minecraft ranking", "12,345", "votes in November"],
            ["#1", "de la clasificación de Minecraft", "12\u{a0}345", "votos en noviembre"],
        ]) {
            let svg = drawn(&server("Astra"), language, None).svg;
            for text in input {
                assert!(svg.contains(&format!(">{text}</text>")), "{text}\n{svg}");
            }
        }
    }

    #[test]
    fn external_logo_is_replaced_by_the_initial() {
        let CardFacts::Server(facts) = server("épée") else { unreachable!("a server") };
        let logo_url = Some("https://elsewhere.example/a.png".to_owned());
        let facts = CardFacts::Server(ServerCard { logo_url, ..facts });
        let CardLayout { svg, requests } = drawn(&facts, Language::Fr, None);
        let requests: Vec<_> = requests.iter().map(|picture| &*picture.address).collect();
        assert_eq!(
            requests,
            ["/pictures/games/minecraft/backdrop.svg", "/pictures/brand/mark.svg"]
        );
        assert!(svg.contains(">É</text>") && !svg.contains("elsewhere"), "{svg}");
    }

    #[test]
    fn undrawable_name_falls_back_to_the_slug() {
        let svg = drawn(&server("冬の戦争 🔥"), Language::Fr, None).svg;
        assert!(svg.contains(">a server 1</text>"), "{svg}");
    }

    #[test]
    fn shortcut_card_uses_the_shortcut_name() {
        let svg = drawn(&games(), Language::Fr, Some("dofus")).svg;
        assert!(svg.contains(">Dofus</text>") && svg.contains(">#2</text>"), "{svg}");
        assert!(svg.contains(">1\u{202f}204 serveurs classés</text>"), "{svg}");
    }

    #[test]
    fn event_card_shows_dates_target_and_prize() {
        let svg = drawn(&event(), Language::En, None).svg;
        for text in ["November 1 – November 30, 2026", "50,000", "winners · 7 days of Prestige"]
        {
            assert!(svg.contains(&format!(">{text}</text>")), "{text}\n{svg}");
        }
    }
}
