//! Names that cannot be mistaken for another person's.

use std::collections::BTreeMap;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use super::stage::{Persona, Refusal, Stage};

/// Every Unicode character but NUL, which PostgreSQL's text cannot hold.
fn characters() -> impl Iterator<Item = char> {
    (1..=u32::from(char::MAX)).filter_map(char::from_u32)
}

#[tokio::test]
async fn the_database_hides_nothing_that_unicode_ignores() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    let hidden: String = sqlx::query_scalar(
        "select string_agg(chr(i), '' order by i)
         from generate_series(1, 1114111) as i
         where i not between 55296 and 57343 and public.without_hidden_characters(chr(i)) = ''",
    )
    .fetch_one(&mut *owner)
    .await
    .expect("characters");
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let missed: Vec<char> =
        characters().filter(|&c| ignorable.contains(c) && !hidden.contains(c)).collect();
    assert_eq!(missed, Vec::<char>::new());
    let visible: Vec<char> =
        hidden.chars().filter(|c| c.is_alphanumeric() && !ignorable.contains(*c)).collect();
    assert_eq!(visible, Vec::<char>::new());
}

#[tokio::test]
async fn lookalike_characters_fold_like_their_ascii_equivalents() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    let alike: BTreeMap<char, char> = characters()
        .filter(|c| !c.is_ascii() && c.nfkd().eq([*c]))
        .filter_map(|c| {
            let mut twin = skeleton(c.encode_utf8(&mut [0; 4])).fuse().collect::<Vec<_>>();
            let twin = twin.pop().filter(|last| twin.is_empty() && last.is_ascii_alphanumeric())?;
            Some((c, twin))
        })
        .collect();
    assert!(alike.len() > 500, "{}", alike.len());
    let (from, to): (String, String) = alike.into_iter().unzip();
    let (found, expected): (String, String) =
        sqlx::query_as("select public.fold_lookalikes($1), public.fold_lookalikes($2)")
            .bind(from)
            .bind(to)
            .fetch_one(&mut *owner)
            .await
            .expect("folded");
    assert_eq!(found, expected);
}

#[tokio::test]
async fn names_resembling_staff_are_rejected() {
    let stage = Stage::new().await;
    let alike = Err(Refusal::new("23505", "The name looks like that of somebody of the site"));
    let hidden = Err(Refusal::new("23514", "The name holds characters nobody sees"));
    for (sql, outcome) in [
        ("update public.profiles set username = 'FANNY.' where id = it.id('stan')", alike.clone()),
        ("update public.profiles set username = 'Fаnnу' where id = it.id('stan')", alike.clone()),
        ("update public.profiles set username = '𝓕𝓪𝓷𝓷𝔂' where id = it.id('stan')", alike.clone()),
        ("update public.profiles set username = 'Àdá' where id = it.id('stan')", alike),
        (
            "update public.profiles set username = 'Fan' || chr(8203) || 'ny' where id = it.id('stan')",
            hidden.clone(),
        ),
        (
            "update public.profiles set username = 'x' || chr(12644) where id = it.id('stan')",
            hidden.clone(),
        ),
        (
            "update public.profiles set username = chr(8238) || 'nats' where id = it.id('stan')",
            hidden,
        ),
        ("update public.profiles set username = 'Stanislas' where id = it.id('stan')", Ok(1)),
        ("update public.profiles set username = '小明小' where id = it.id('stan')", Ok(1)),
        ("update public.profiles set language = 'en' where id = it.id('stan')", Ok(1)),
    ] {
        assert_eq!(stage.act(Persona::Stan, sql).await, outcome, "{sql}");
    }
    // Two names may look alike if neither belongs to the site's staff.
    assert_eq!(
        stage
            .act(
                Persona::Olga,
                "update public.profiles set username = 'B0ris' where id = it.id('olga')"
            )
            .await,
        Ok(1)
    );
}

/// The length is checked first: later checks would refuse these names with other messages.
#[tokio::test]
async fn overlong_names_are_refused_by_length_first() {
    let stage = Stage::new().await;
    let long = Err(Refusal::new("23514", "A name has 2 to 30 characters"));
    for sql in [
        "update public.profiles set username = repeat(chr(8203), 200000) where id = it.id('stan')",
        "update public.profiles set username = repeat('e' || chr(769), 31) where id = it.id('stan')",
    ] {
        assert_eq!(stage.act(Persona::Stan, sql).await, long, "{sql}");
    }
    // Thirty letters, each of three characters until they are composed.
    let composed = "update public.profiles
        set username = repeat('a' || chr(803) || chr(770), 30) where id = it.id('stan')";
    assert_eq!(stage.act(Persona::Stan, composed).await, Ok(1));
    let pattern = "insert into public.refused_nicknames (pattern) values (repeat('*', 200000))";
    assert_eq!(
        stage.act(Persona::Ada, pattern).await,
        Err(Refusal::new("23514", "A pattern has 2 to 60 characters"))
    );
}

#[tokio::test]
async fn overlong_event_texts_are_refused_before_sanitizing() {
    let stage = Stage::new().await;
    let nested = "update public.server_events
        set title_en = repeat('<scr', 40) || repeat('ipt>', 40) || repeat('x', 600)
        where id = it.id('event')";
    assert_eq!(
        stage.act(Persona::Olga, nested).await,
        Err(Refusal::new("23514", "The text is too long"))
    );
}

#[tokio::test]
async fn sign_up_with_lookalike_name_is_renamed() {
    let stage = Stage::new().await;
    stage
        .run(
            "insert into auth.users (id, email, raw_user_meta_data)
             select md5(n::text)::uuid, n || '@x.test', jsonb_build_object('username', name)
             from (values (1, 'Fаnny'), (2, 'No' || chr(8203) || 'ra')) as wishes (n, name)",
        )
        .await;
    let names = "select array_agg(username order by email) from public.profiles where email like '%@x.test'";
    assert_eq!(stage.value::<Vec<String>>(names).await, ["Fаnny-c4ca", "Nora"]);
}
