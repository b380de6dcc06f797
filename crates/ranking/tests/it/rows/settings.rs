//! Settings: which values are refused, and that the others take effect.

use super::stage::{Persona, Stage};
use crate::world::SCHEMAS;

#[tokio::test]
async fn known_settings_take_values_of_their_kind_only() {
    let stage = Stage::new().await;
    let mut wrong = Vec::new();
    let long = format!("\"{}\"", "x".repeat(501));
    for (key, value, good) in [
        ("vote_cooldown_seconds", "7200", true),
        ("vote_cooldown_seconds", "\"7200\"", true),
        ("vote_cooldown_seconds", "59", false),
        ("vote_cooldown_seconds", "-1", false),
        ("vote_cooldown_seconds", "\"two hours\"", false),
        ("site_timezone", "\"America/Bogota\"", true),
        ("site_timezone", "\"Mars/Olympus\"", false),
        ("vote_limit_address_hour", "0", true),
        ("vote_limit_network_hour", "\"many\"", false),
        ("vote_limit_server_minute", "-1", false),
        ("total_servers", "12000", true),
        ("total_servers", "null", true),
        ("total_servers", "-1", false),
        ("total_servers", "\"many\"", false),
        ("base_server_limit", "0", true),
        ("base_server_limit", "2.5", false),
        ("competitive_event_finalize_after_hours", "0", true),
        ("competitive_event_finalize_after_hours", "\"never\"", false),
        ("auto_approve_servers", "false", true),
        ("auto_approve_servers", "\"perhaps\"", false),
        ("structured_data_fallback_rating", "4.5", true),
        ("structured_data_fallback_rating", "6", false),
        ("structured_data_fallback_rating", "null", true),
        ("all_games_backdrop_url", "\"javascript:x\"", false),
        ("seller_address", "\"1, rue Haute\\n75001 Paris\"", true),
        ("publication_director", "\"\"", true),
        ("host_particulars", long.as_str(), false),
        ("site_name", "\"Anything\"", true),
        ("something_else", "{\"a\": [1]}", true),
        ("something_else", "not json", false),
        ("Not A Key", "1", false),
    ] {
        let mut ada = stage.acting(Persona::Ada).await;
        let answer = sqlx::query(
            "insert into public.site_settings (setting_key, setting_value) values ($1, $2)
             on conflict (setting_key)
             do update set setting_key = excluded.setting_key, setting_value = excluded.setting_value",
        )
        .bind(key)
        .bind(value)
        .execute(&mut *ada)
        .await;
        if answer.is_ok() != good {
            wrong.push(format!("{key} = {value}: {answer:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_missing_setting_has_its_default() {
    let stage = Stage::empty().await;
    stage.run("delete from public.site_settings").await;
    assert_eq!(
        stage.value::<i64>("select extract(epoch from public.vote_cooldown())::int8").await,
        7200
    );
    assert_eq!(stage.value::<i32>("select public.calculate_arcade_spot_price(1)").await, 1000);
    assert_eq!(
        stage.value::<String>("select public.site_day('2031-05-31 22:30Z')::text").await,
        "2031-06-01"
    );
    stage
        .run("insert into public.servers (name, game_id) select 'Default', id from public.games where slug = 'rust'")
        .await;
    assert!(stage.value::<bool>("select is_approved from public.servers").await);
}

#[tokio::test]
async fn days_are_the_sites() {
    let stage = Stage::empty().await;
    stage.run("update public.site_settings set setting_value = '\"America/Bogota\"' where setting_key = 'site_timezone'").await;
    assert_eq!(
        stage.value::<String>("select public.site_day('2031-06-01 04:30Z')::text").await,
        "2031-05-31"
    );
}

#[tokio::test]
async fn migration_seeds_the_catalogue_and_keeps_edits() {
    let stage = Stage::empty().await;
    for (table, rows) in [
        ("select count(*) from public.server_tags", 20),
        ("select count(distinct color) from public.server_tags", 10),
        ("select count(*) from public.event_types", 12),
        (
            "select count(*) from public.games where logo_url = '/pictures/games/' || slug || '/logo.svg'",
            25,
        ),
        ("select count(*) from public.prestige_pricing", 8),
        ("select count(*) from public.site_settings", 24),
    ] {
        assert_eq!(stage.value::<i64>(table).await, rows, "{table}");
    }
    stage
        .run("update public.games set name = 'Renamed', slug = 'renamed' where slug = 'rust'")
        .await;
    let report = compat_pg::migrate(stage.owner(), &SCHEMAS).await;
    assert!(report.expect("migrated").is_empty());
    assert_eq!(
        stage.value::<i64>("select count(*) from public.games where slug = 'rust'").await,
        0
    );
}
