//! How texts that people write are cleaned.

use compat_testkit::property_test_async;
use proptest::prelude::*;

use super::stage::{Persona, Refusal, Stage};

async fn clean(stage: &Stage, text: &str) -> Result<String, Refusal> {
    let mut owner = stage.begin().await;
    sqlx::query_scalar("select public.clean_text($1)")
        .bind(text)
        .fetch_one(&mut *owner)
        .await
        .map_err(Refusal::from)
}

#[tokio::test]
async fn forbidden_markup_goes_and_the_rest_is_escaped() {
    let stage = Stage::empty().await;
    for (input, stored) in [
        ("plain **bold** *it*", "plain **bold** *it*"),
        (
            "Tom & Jerry's <b>\"best\"</b>",
            "Tom &amp; Jerry&#x27;s &lt;b&gt;&quot;best&quot;&lt;/b&gt;",
        ),
        ("a<script>alert(1)</script>b", "ab"),
        ("<script>x</script> keep <script>y</script>", " keep "),
        ("<SCRIPT SRC=//x></SCRIPT>a<ScRiPt>", "a"),
        ("<scr<script>ipt>alert(1)</scr</script>ipt>", ""),
        ("<iframe src=x>old</iframe><object></object><embed src=x><applet/><link rel=x>", ""),
        ("<p onclick=\"steal()\" class=x>hi</p>", "&lt;p  class=x&gt;hi&lt;/p&gt;"),
        ("<img/onerror=alert(1) src=x>", "&lt;img/ src=x&gt;"),
        ("[x](javascript:alert(1)) JAVA\tSCRIPT:x vbscript:y", "[x](alert(1)) x y"),
        ("data:text/html;base64,AAAA and data:image/png,B", "AAAA and data:image/png,B"),
        ("width: expression(alert(1))", "width: alert(1))"),
        ("liberté d'expression (voir plus bas)", "liberté d&#x27;expression (voir plus bas)"),
        ("&lt;script&gt;x&lt;/script&gt;", ""),
        ("5 &lt; 6 &amp; 7", "5 &lt; 6 &amp; 7"),
        ("line\r\none\u{7}", "line\none"),
    ] {
        assert_eq!(clean(&stage, input).await.as_deref(), Ok(stored), "{input}");
    }
}

/// Texts of pieces that occur in attacks, and of some that are harmless.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "<", ">", "</", "script", "<script>", "</script>", "iframe", "<embed ", "link", "java", "script:", "vb",
            "data:", "text/html", ",", " on", "click=", "onload=\"", "'", "\"", "expression", "(", "&", "&amp;", "&lt;",
            "&#x27;", "lt;", " ", "\n", "/", "=", "é", "object", "applet",
        ])
        .prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

#[tokio::test]
async fn random_markup_is_harmless_once_cleaned() {
    let stage = Stage::empty().await;
    property_test_async("markup", hostile(), async |input: String| {
        // A text that is nested too deeply is refused as a whole.
        let Ok(stored) = clean(&stage, &input).await else { return };
        assert!(!stored.contains(['<', '>', '"', '\'']), "{stored}");
        let plain = stored.replace("&lt;", "<").to_lowercase();
        for element in ["<script", "<iframe", "<embed", "<object", "<applet", "<link"] {
            let opens =
                |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            assert!(!plain.split(element).skip(1).any(opens), "{stored}");
        }
        for forbidden in ["javascript:", "vbscript:", "expression("] {
            assert!(!plain.contains(forbidden), "{stored}");
        }
        assert_eq!(clean(&stage, &stored).await.as_deref(), Ok(stored.as_str()));
    })
    .await;
}

#[tokio::test]
async fn overlong_and_deeply_nested_texts_are_refused() {
    let stage = Stage::new().await;
    let deep = "<scr".repeat(20) + "<script>" + &"ipt>".repeat(20);
    assert_eq!(
        clean(&stage, &deep).await,
        Err(Refusal::new("23514", "The text nests forbidden markup too deeply"))
    );
    for sql in [
        "update public.servers set description = repeat('x', 10001) where id = it.id('open')",
        "update public.servers set version = repeat('x', 51) where id = it.id('open')",
        "update public.servers set name = repeat('x', 5000) where id = it.id('open')",
    ] {
        assert_eq!(stage.act(Persona::Olga, sql).await.expect_err(sql).code, "23514");
    }
    let longest =
        "update public.servers set description = repeat('&', 10000) where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, longest).await, Ok(1));
}

#[tokio::test]
async fn server_names_have_3_to_100_characters() {
    let stage = Stage::new().await;
    let refusal = Refusal::new("23514", "Invalid server name - must be 3-100 characters");
    for sql in [
        "update public.servers set name = '  ab  ' where id = it.id('open')",
        "update public.servers set name = repeat('x', 101) where id = it.id('open')",
        "update public.servers set name = '<script>abc</script>' where id = it.id('open')",
        "insert into public.servers (name, game_id) values ('', it.id('game'))",
    ] {
        assert_eq!(stage.act(Persona::Olga, sql).await, Err(refusal.clone()), "{sql}");
    }
    let escaped =
        "update public.servers set name = '  ' || repeat('&', 100) || ' ' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, escaped).await, Ok(1));
    let stored = "select char_length(name) from public.servers where id = it.id('open')";
    assert_eq!(stage.value::<i32>(stored).await, 500);
    let spaced = "update public.servers set name = E' A \\t\\n  B c ' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, spaced).await, Ok(1));
    assert_eq!(
        stage.value::<String>("select name from public.servers where id = it.id('open')").await,
        "A B c"
    );
}

#[tokio::test]
async fn server_addresses_are_ipv4_or_host_names() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    for (address, good) in [
        ("1.2.3.4", true),
        ("0.0.0.0:1", true),
        ("255.255.255.255:65535", true),
        ("play.server.example", true),
        ("PLAY.server-1.example:25565", true),
        ("localhost", true),
        ("256.1.1.1", false),
        ("999.999.999.999", false),
        ("1.2.3.4:", false),
        ("1.2.3.4:123456", false),
        ("1.2.3.4.", false),
        ("-play.example", false),
        ("play.example-", false),
        ("play.example:", false),
        ("play.example:abc", false),
        ("play example", false),
        ("http://play.example", false),
        ("{ip}", false),
        ("set realmlist logon.example", false),
        ("plàÿ.example", false),
        ("", false),
    ] {
        let found: bool = sqlx::query_scalar("select public.is_server_address($1)")
            .bind(address)
            .fetch_one(&mut *owner)
            .await
            .expect("an answer");
        assert_eq!(found, good, "{address}");
    }
    drop(owner);
    let too_long = stage.value::<bool>("select public.is_server_address(repeat('a', 256))");
    assert!(!too_long.await);
}

#[tokio::test]
async fn blank_address_becomes_na_and_invalid_is_refused() {
    let stage = Stage::new().await;
    assert_eq!(
        stage
            .value::<String>("select ip_address from public.servers where id = it.id('open')")
            .await,
        "N/A"
    );
    let bad = "update public.servers set ip_address = 'not an address' where id = it.id('open')";
    assert_eq!(
        stage.act(Persona::Olga, bad).await,
        Err(Refusal::new("23514", "Invalid IP address format"))
    );
    let blank = "update public.servers set ip_address = '  ' where id = it.id('open')";
    assert_eq!(stage.act(Persona::Olga, blank).await, Ok(1));
    assert_eq!(
        stage
            .value::<String>("select ip_address from public.servers where id = it.id('open')")
            .await,
        "N/A"
    );
}

#[tokio::test]
async fn games_have_the_slugs_their_names_give() {
    let stage = Stage::empty().await;
    let different = "select count(*) from public.games where slug <> public.slugify(name)";
    assert_eq!(stage.value::<i64>(different).await, 0);
    assert_eq!(stage.value::<i64>("select count(*) from public.games").await, 25);
    let shared = "select array_agg(name order by name) from public.games where page_slug <> slug";
    let expected = [
        "Archlord",
        "Black Desert Online",
        "Cabal Online",
        "Flyff",
        "Ragnarok Online",
        "Rappelz",
        "Silkroad Online",
    ];
    assert_eq!(stage.value::<Vec<String>>(shared).await, expected);
}

#[tokio::test]
async fn event_texts_are_sanitized_and_need_a_title() {
    let stage = Stage::new().await;
    let write = "update public.server_events set title_fr = ' <script>x</script>Fête & co ', description_es = ' '
        where id = it.id('event')";
    assert_eq!(stage.act(Persona::Olga, write).await, Ok(1));
    let stored = "select title_fr || '/' || coalesce(description_es, 'none') from public.server_events where id = it.id('event')";
    assert_eq!(stage.value::<String>(stored).await, "Fête &amp; co/none");
    let untitled =
        "update public.server_events set title_fr = '<script></script>' where id = it.id('event')";
    assert_eq!(stage.act(Persona::Olga, untitled).await.expect_err("no title").code, "23514");
}

#[tokio::test]
async fn comments_are_sanitized_and_limited_to_2000_characters() {
    let stage = Stage::new().await;
    let write = "update public.reviews set comment = ' <script>x</script>L''île & co\n' where id = it.id('review')";
    assert_eq!(stage.act(Persona::Stan, write).await, Ok(1));
    let stored = "select comment from public.reviews where id = it.id('review')";
    assert_eq!(stage.value::<String>(stored).await, "L&#x27;île &amp; co");
    let longest =
        "update public.reviews set comment = repeat('&', 2000) where id = it.id('review')";
    assert_eq!(stage.act(Persona::Stan, longest).await, Ok(1));
    for sql in [
        "update public.reviews set comment = repeat('x', 2001) where id = it.id('review')",
        "update public.reviews set comment = repeat('x', 70000) where id = it.id('review')",
        "update public.reviews set comment = E' \\n ' where id = it.id('review')",
        "update public.reviews set comment = '<script>x</script>' where id = it.id('review')",
    ] {
        assert_eq!(
            stage.act(Persona::Stan, sql).await,
            Err(Refusal::new("23514", "A comment has 1 to 2000 characters")),
            "{sql}"
        );
    }
}
