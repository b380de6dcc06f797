//! Which values columns for URLs and hosts accept.

use super::stage::{Persona, Refusal, Stage};

#[tokio::test]
async fn unsafe_and_malformed_addresses_are_refused() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    for (text, is_web, is_picture) in [
        ("https://a.example", true, true),
        ("HTTP://a.example:8080/x?y=1#z", true, true),
        ("https://café.example/é?a=[b]&c=d@e", true, true),
        ("https://[2001:db8::1]:8443/", true, true),
        ("/pictures/a.png", false, true),
        ("/", false, true),
        ("https://a\njavascript:alert(1)", false, false),
        ("https://a.example\n", false, false),
        (" https://a.example", false, false),
        ("https://a.example/b c", false, false),
        ("https://a.example/\u{200b}", false, false),
        ("https://a.example/\u{202e}gnp", false, false),
        ("https://a.example\u{3000}b", false, false),
        ("//host/x", false, false),
        ("/\\host/x", false, false),
        ("https://user@host/", false, false),
        ("https://user:pass@host/", false, false),
        ("https://a\\@host/", false, false),
        ("https://%00/", false, false),
        ("https://", false, false),
        ("https:///x", false, false),
        ("https:a.example", false, false),
        ("javascript:alert(1)", false, false),
        ("data:text/html,x", false, false),
        ("ftp://a.example", false, false),
        ("a.example", false, false),
        ("", false, false),
    ] {
        let found: (bool, bool) =
            sqlx::query_as("select public.is_web_address($1), public.is_picture_address($1)")
                .bind(text)
                .fetch_one(&mut *owner)
                .await
                .expect("an answer");
        assert_eq!(found, (is_web, is_picture), "{text:?}");
    }
    for (text, is_host) in [
        ("mc.example", true),
        ("192.0.2.1", true),
        ("2001:db8::1", true),
        ("::1", true),
        ("", false),
        ("a b", false),
        ("a\nb", false),
        ("mc.example:25565", false),
        ("http://mc.example", false),
        ("user@mc.example", false),
    ] {
        let found: bool = sqlx::query_scalar("select public.is_host($1)")
            .bind(text)
            .fetch_one(&mut *owner)
            .await
            .expect("an answer");
        assert_eq!(found, is_host, "{text:?}");
    }
}

/// Columns that hold addresses, according to their names, but have no constraint that checks them.
const UNCHECKED: &str = "
    select coalesce(array_agg(c.relname || '.' || a.attname), '{}')
    from pg_catalog.pg_attribute as a
    inner join pg_catalog.pg_class as c on c.oid = a.attrelid
    where
        c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not a.attisdropped
        and (a.attname like '%url' or a.attname = 'host')
        and not exists (
            select from pg_catalog.pg_constraint as k
            where
                k.conrelid = c.oid and k.contype = 'c' and k.convalidated
                and pg_get_constraintdef(k.oid) ~ (
                    'is_(web|picture)_address\\((' || a.attname || '|\\s*CASE .*ELSE ' || a.attname || '\\s+END)\\)'
                    || '|is_host\\(host\\)'
                )
        )";

#[tokio::test]
async fn private_addresses_are_not_public_hosts() {
    let stage = Stage::empty().await;
    let mut owner = stage.begin().await;
    for (url, is_public) in [
        ("https://hook.example/x", true),
        ("https://1-2-3-4.hook.example", true),
        ("http://9.255.255.255:8080/", true),
        ("http://192.0.1.0", true),
        ("https://[2a00::1]/x", true),
        ("http://127.0.0.1:9/x", false),
        ("http://10.1.2.3", false),
        ("http://172.31.255.255/", false),
        ("http://192.168.0.1?x", false),
        ("http://169.254.169.254/latest", false),
        ("http://999.1.1.1/", false),
        ("http://localhost:3000", false),
        ("http://LOCALHOST./", false),
        ("https://a.localhost/", false),
        ("http://127.1/", false),
        ("http://2130706433/", false),
        ("http://0x7f000001/", false),
        ("http://0x7f.1", false),
        ("http://[::1]/", false),
        ("http://[::ffff:127.0.0.1]/", false),
        ("http://[fd00::1]/", false),
        ("http://[2001:db8::1]/", false),
        ("http://[zz]/", false),
    ] {
        let found: bool = sqlx::query_scalar("select public.names_public_host($1)")
            .bind(url)
            .fetch_one(&mut *owner)
            .await
            .expect("an answer");
        assert_eq!(found, is_public, "{url}");
    }
}

#[tokio::test]
async fn internal_webhook_is_refused_to_owners_only() {
    let stage = Stage::new().await;
    let inside = "update public.webhooks set url = 'http://127.0.0.1:9/x' where id = it.id('hook')";
    let refusal = stage.act(Persona::Olga, inside).await;
    assert_eq!(refusal, Err(Refusal::new("23514", "The address is not on the public internet")));
    assert_eq!(stage.act(Persona::Ada, inside).await, Ok(1));
    let elsewhere = "update public.webhooks set is_active = true where id = it.id('hook')";
    assert_eq!(stage.act(Persona::Olga, elsewhere).await, Ok(1));
}

#[tokio::test]
async fn every_column_that_holds_an_address_is_checked() {
    let stage = Stage::empty().await;
    assert_eq!(stage.value::<Vec<String>>(UNCHECKED).await, Vec::<String>::new());
}

#[tokio::test]
async fn invalid_addresses_in_rows_are_refused() {
    let stage = Stage::new().await;
    for (persona, sql) in [
        (
            Persona::Olga,
            "update public.servers set website_url = e'https://a\\njavascript:x' where id = it.id('open')",
        ),
        (
            Persona::Olga,
            "update public.servers set logo_image_url = '//host/x' where id = it.id('open')",
        ),
        (
            Persona::Olga,
            "update public.webhooks set url = 'https://u:p@hook.example' where id = it.id('hook')",
        ),
        (
            Persona::Olga,
            "update public.votifier_configs set host = 'a b' where id = it.id('votifier')",
        ),
        (
            Persona::Ada,
            "update public.partners set url = 'https://a b' where id = it.id('partner')",
        ),
        (Persona::Ada, "update public.games set logo_url = '//host/x' where id = it.id('game')"),
        (
            Persona::Ada,
            "update public.arcade_spots set image_url = '//host/x' where id = it.id('spot')",
        ),
        (
            Persona::Ada,
            "insert into public.site_settings (setting_key, setting_value)
             values ('all_games_backdrop_url', '\"//host/x\"')
             on conflict (setting_key) do update set setting_value = excluded.setting_value",
        ),
    ] {
        let refusal = stage.act(persona, sql).await.expect_err(sql);
        assert_eq!(refusal.code, "23514", "{sql}");
    }
}
