//! Tests of the vault's encrypted secrets.

use compat_extensions::vault::keep_key;
use compat_testkit::TestDatabase;

use crate::world::{database, refusal, run, text_of};

/// A database with a key but without a key file: the function that reads the file returns a fixed
/// key.
async fn with_key() -> TestDatabase {
    let db = database().await;
    compat_pg::prepare_project(&db.pools().owner).await.unwrap();
    set_key(&db, "ab").await;
    db
}

async fn set_key(db: &TestDatabase, byte: &str) {
    let key = byte.repeat(64);
    let read = format!(
        "create or replace function vault._key() returns bytea language sql security definer
         as $$ select decode('{key}', 'hex') $$"
    );
    run(db, &read).await.unwrap();
}

const OPEN: &str =
    "select string_agg(concat_ws(' ', name, decrypted_secret, description), ';' order by name)
    from vault.decrypted_secrets";

#[tokio::test]
async fn secret_is_sealed_and_opened() {
    let db = with_key().await;
    run(
        &db,
        "select vault.create_secret('s3cret ü', 'a', 'what for');
         select vault.create_secret('', 'b');
         insert into vault.secrets (name, secret) values ('c', 'by hand');",
    )
    .await
    .unwrap();
    assert_eq!(text_of(&db, OPEN).await, "a s3cret ü what for;b  ;c by hand ");
    let secret =
        "select count(*) from vault.secrets where secret ~ 'hand|s3cret' or secret !~ '^v1[.]'";
    assert_eq!(text_of(&db, secret).await, "0");
    let twice = "select count(distinct secret) from vault.secrets";
    run(&db, "select vault.create_secret('by hand')").await.unwrap();
    assert_eq!(text_of(&db, twice).await, "4", "the same secret is never sealed alike");
    run(
        &db,
        "select vault.update_secret(id, 'new', 'd') from vault.secrets where name = 'a';
         select vault.update_secret(id, new_description => 'told') from vault.secrets where name = 'c';
         delete from vault.secrets where name = 'b' or name is null",
    )
    .await
    .unwrap();
    assert_eq!(text_of(&db, OPEN).await, "c by hand told;d new what for");
    let duplicate = refusal(&db, "select vault.create_secret('x', 'c')").await;
    assert!(duplicate.contains("secrets_name_idx"), "{duplicate}");
}

#[tokio::test]
async fn changed_moved_or_foreign_secrets_are_not_opened() {
    let db = with_key().await;
    run(&db, "select vault.create_secret('one', 'a'), vault.create_secret('two', 'b')")
        .await
        .unwrap();
    let sealed = text_of(&db, "select secret from vault.secrets where name = 'a'").await;
    let flipped = if sealed.as_bytes()[9] == b'A' { 'B' } else { 'A' };
    let changed = format!("{}{flipped}{}", &sealed[..9], &sealed[10..]);
    let other = text_of(&db, "select id from vault.secrets where name = 'b'").await;
    let own = text_of(&db, "select id from vault.secrets where name = 'a'").await;
    let open = |id: &str, text: &str| format!("select vault._open('{id}', '{text}')");
    run(&db, &open(&own, &sealed)).await.unwrap();
    for wrong in
        [open(&own, &changed), open(&other, &sealed), open(&own, "v1.x"), open(&own, "one")]
    {
        let refusal_text = refusal(&db, &wrong).await;
        assert!(refusal_text.contains("cannot be opened"), "{wrong}: {refusal_text}");
    }
    set_key(&db, "cd").await;
    let refusal_text = refusal(&db, &open(&own, &sealed)).await;
    assert!(refusal_text.contains("cannot be opened"), "{refusal_text}");
    let foreign =
        format!("insert into vault.secrets (id, secret) values (gen_random_uuid(), '{sealed}')");
    let refusal_text = refusal(&db, &foreign).await;
    assert!(refusal_text.contains("sealed with another key or in another row"), "{refusal_text}");
}

#[tokio::test]
async fn sealed_secrets_survive_a_dump_unchanged() {
    let db = with_key().await;
    run(
        &db,
        "select vault.create_secret('one', 'a');
         create table public.dump as select * from vault.secrets;
         delete from vault.secrets;
         insert into vault.secrets select * from public.dump",
    )
    .await
    .unwrap();
    assert_eq!(text_of(&db, OPEN).await, "a one ");
}

#[tokio::test]
async fn only_service_role_reads_vault_secrets() {
    let db = with_key().await;
    run(&db, "select vault.create_secret('one', 'a')").await.unwrap();
    let reads =
        ["select decrypted_secret from vault.decrypted_secrets", "select vault.create_secret('x')"];
    for read in reads {
        run(&db, &format!("set local role service_role; {read}")).await.unwrap();
        for role in ["anon", "authenticated"] {
            let refusal_text = refusal(&db, &format!("set local role {role}; {read}")).await;
            assert!(refusal_text.contains("permission denied"), "{role}: {read}: {refusal_text}");
        }
    }
    for closed in
        ["vault._key()", "vault._proof('', gen_random_uuid(), '')", "vault._whole(null, null)"]
    {
        let refusal_text =
            refusal(&db, &format!("set local role service_role; select {closed}")).await;
        assert!(refusal_text.contains("permission denied"), "{closed}: {refusal_text}");
    }
}

#[tokio::test]
async fn secrets_are_refused_without_vault_key() {
    let db = database().await;
    let refusal_text = refusal(&db, "select vault.create_secret('one')").await;
    assert!(
        refusal_text.contains("the key of the vault is not where this database could read it"),
        "{refusal_text}"
    );
    assert_eq!(text_of(&db, "select count(*) from vault.secrets").await, "0");
}

#[test]
fn vault_key_file_has_private_permissions() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = std::env::temp_dir().join(format!("vault-{}", std::process::id()));
    std::fs::create_dir_all(home.join("data/15")).unwrap();
    for _ in 0..2 {
        keep_key(&home, &home.join("data/15"), &"secret".to_owned().into()).unwrap();
    }
    let mode =
        |path: &str| std::fs::metadata(home.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("vault"), mode("vault/key")), (0o700, 0o600));
    assert_eq!(std::fs::read_dir(home.join("vault")).unwrap().count(), 1);
    std::fs::remove_dir_all(home).unwrap();
}
