//! The schema `auth`, as applications, policies and triggers read it.

use compat_auth::SCHEMA;
use compat_testkit::{TestDatabase, every_statement_prepares, queue_table_is_right};

use crate::world::World;

#[tokio::test]
async fn every_statement_is_understood_by_a_server() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    let unknown = every_statement_prepares(env!("CARGO_MANIFEST_DIR"), &db).await;
    let named = ["store/audit.rs: 1", "store/client.rs: 1"];
    assert_eq!(unknown, named, "whose rows are read into a type that is not said");
}

#[tokio::test]
async fn mail_queue_table_has_the_expected_shape() {
    let db = TestDatabase::new(&[SCHEMA]).await;
    queue_table_is_right(&db, "auth.mail_queue").await;
}

#[tokio::test]
async fn auth_tables_have_row_security_without_api_grants() {
    let world = World::new().await;
    let names = world
        .text(
            "select string_agg(relname, ' ' order by relname)
            from pg_catalog.pg_class
            where relnamespace = 'auth'::regnamespace and relkind = 'r' and relname !~ '^_'",
        )
        .await;
    for table in [
        "allowances",
        "audit_log_entries",
        "custom_oauth_providers",
        "flow_state",
        "identities",
        "instances",
        "mail_queue",
        "mfa_amr_claims",
        "mfa_challenges",
        "mfa_factors",
        "oauth_authorizations",
        "oauth_client_states",
        "oauth_clients",
        "oauth_consents",
        "one_time_tokens",
        "refresh_tokens",
        "saml_providers",
        "saml_relay_states",
        "schema_migrations",
        "sessions",
        "sso_domains",
        "sso_providers",
        "users",
        "webauthn_challenges",
        "webauthn_credentials",
    ] {
        assert!(names.split(' ').any(|name| name == table), "{table} is not in {names}");
    }
    let open = world
        .count(
            "select count(*)
            from pg_catalog.pg_class, unnest(array['anon', 'authenticated', 'service_role']) as role
            where relnamespace = 'auth'::regnamespace
                and relkind = 'r'
                and has_table_privilege(role, pg_class.oid, 'select')",
        )
        .await;
    assert_eq!(open, 0);
    let unsecured = world
        .text(
            "select coalesce(string_agg(relname, ' '), '')
            from pg_catalog.pg_class
            where relnamespace = 'auth'::regnamespace
                and relkind = 'r'
                and relname !~ '^_'
                and relname not like '%ledger%'
                and not relrowsecurity",
        )
        .await;
    assert_eq!(unsecured, "");
}

#[tokio::test]
async fn the_columns_of_users_have_the_originals_names() {
    let world = World::new().await;
    let columns = world
        .text(
            "select string_agg(attname, ' ' order by attnum)
            from pg_catalog.pg_attribute
            where attrelid = 'auth.users'::regclass and attnum > 0",
        )
        .await;
    assert_eq!(
        columns,
        "instance_id id aud role email encrypted_password email_confirmed_at invited_at \
         confirmation_token confirmation_sent_at recovery_token recovery_sent_at \
         email_change_token_new email_change email_change_sent_at last_sign_in_at \
         raw_app_meta_data raw_user_meta_data is_super_admin created_at updated_at phone \
         phone_confirmed_at phone_change phone_change_token phone_change_sent_at confirmed_at \
         email_change_token_current email_change_confirm_status banned_until \
         reauthentication_token reauthentication_sent_at is_sso_user deleted_at is_anonymous"
    );
}

#[tokio::test]
async fn identity_functions_read_the_claims_of_either_generation() {
    let world = World::new().await;
    let claims = world
        .text(
            "with told as (
                select set_config(
                    'request.jwt.claims',
                    '{\"sub\":\"6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a\",\"role\":\"authenticated\",\"email\":\"a@b.c\"}',
                    true
                )
            )
            select concat_ws(' ', auth.uid(), auth.role(), auth.email(), auth.jwt() ->> 'role')
            from told",
        )
        .await;
    assert_eq!(claims, "6f1f3a0e-1d0c-4b8e-9d5b-1f2e3d4c5b6a authenticated a@b.c authenticated");
    assert_eq!(world.count("select count(auth.uid())").await, 0);
}

#[tokio::test]
async fn deleted_user_loses_sessions_and_identities() {
    let world = World::new().await;
    let session = world.member("ada").await;
    world.run("delete from auth.users").await;
    let left =
        "select (select count(*) from auth.sessions) + (select count(*) from auth.identities)
        + (select count(*) from auth.refresh_tokens) + (select count(*) from auth.mfa_amr_claims)";
    assert_eq!(world.count(left).await, 0);
    let answer = world.get_as(crate::world::text(&session, "/access_token"), "/user").await;
    crate::world::assert_refused(
        &answer,
        403,
        "user_not_found",
        "User from sub claim in JWT does not exist",
    );
}
