//! Who may upload which pictures to which paths in the bucket `server-images`.

use crate::rows::stage::{Persona, Refusal, Stage};

const BUCKET: &str = "insert into storage.buckets (id, name, public)
    values ('server-images', 'server-images', true), ('other', 'other', false)";

async fn stage() -> Stage {
    let stage = Stage::new().await;
    stage.run(BUCKET).await;
    stage
}

fn denied() -> Result<u64, Refusal> {
    let text = "new row violates row-level security policy for table \"objects\"";
    Err(Refusal::new("42501", text))
}

#[tokio::test]
async fn owners_upload_only_to_their_own_folders() {
    const OWN: &str = "insert into storage.objects (bucket_id, name, metadata)
        values ('server-images', md5('olga')::uuid || '/logo.png', '{\"mimetype\": \"image/png\"}')";
    const SPOT: &str = "insert into storage.objects (bucket_id, name, metadata)
        values ('server-images', 'arcade-spots/' || md5('olga')::uuid || '/1.gif',
            '{\"mimetype\": \"image/gif\"}')";
    const TOP: &str =
        "insert into storage.objects (bucket_id, name) values ('server-images', 'a.png')";
    const OTHER: &str = "insert into storage.objects (bucket_id, name)
        values ('other', md5('olga')::uuid || '/a.png')";
    use Persona::{Ada, Anon, Boris, Fanny, Olga, Service, Stan};
    for (persona, own, top, other) in [
        (Olga, true, false, false),
        (Ada, true, true, false),
        (Fanny, true, true, false),
        (Service, true, true, true),
        (Stan, false, false, false),
        (Boris, false, false, false),
        (Anon, false, false, false),
    ] {
        let stage = stage().await;
        for (sql, allowed) in [(OWN, own), (SPOT, own), (TOP, top), (OTHER, other)] {
            let done = stage.act(persona, sql).await;
            assert_eq!(done, if allowed { Ok(1) } else { denied() }, "{persona:?}: {sql}");
        }
    }
}

#[tokio::test]
async fn images_are_public_and_changed_by_their_owners() {
    let stage = stage().await;
    const PUT: &str = "insert into storage.objects (bucket_id, name)
        values ('server-images', md5('olga')::uuid || '/logo.png')";
    assert_eq!(stage.act(Persona::Olga, PUT).await, Ok(1));
    for persona in Persona::ALL {
        let mut transaction = stage.acting(persona).await;
        let count: i64 = sqlx::query_scalar("select count(*) from storage.objects")
            .fetch_one(&mut *transaction)
            .await
            .expect("a count");
        assert_eq!(count, 1, "{persona:?}");
    }
    const CHANGE: &str =
        "update storage.objects set version = 'x' where bucket_id = 'server-images'";
    for (persona, changed) in [
        (Persona::Stan, 0),
        (Persona::Anon, 0),
        (Persona::Boris, 0),
        (Persona::Olga, 1),
        (Persona::Ada, 1),
    ] {
        assert_eq!(stage.act(persona, CHANGE).await, Ok(changed), "{persona:?}");
    }
}

#[tokio::test]
async fn animated_pictures_are_limited_to_arcade_spots() {
    let stage = stage().await;
    const MOVING: &str = "insert into storage.objects (bucket_id, name, metadata)
        values ('server-images', 'x/a.gif', '{\"mimetype\": \"image/gif\"}')";
    for persona in [Persona::Ada, Persona::Service] {
        let refusal = Err(Refusal::new("23514", "GIF is for arcade-spots/ only"));
        assert_eq!(stage.act(persona, MOVING).await, refusal, "{persona:?}");
    }
    const MANY: &str = "insert into storage.objects (bucket_id, name)
        select 'server-images', md5('olga')::uuid || '/' || n from generate_series(1, 300) n";
    assert_eq!(stage.act(Persona::Service, MANY).await, Ok(300));
    const MORE: &str = "insert into storage.objects (bucket_id, name)
        values ('server-images', md5('olga')::uuid || '/more.png')";
    let full = Refusal::new("23514", "This folder holds 300 pictures, which is all it may");
    assert_eq!(stage.act(Persona::Olga, MORE).await, Err(full.clone()));
    assert_eq!(stage.act(Persona::Service, MORE).await, Err(full));
    const AGAIN: &str = "insert into storage.objects (bucket_id, name)
        values ('server-images', md5('olga')::uuid || '/7')
        on conflict (bucket_id, name) do update set version = 'x'";
    assert_eq!(stage.act(Persona::Olga, AGAIN).await, Ok(1), "in another's place");
    const OTHER: &str = "insert into storage.objects (bucket_id, name)
        values ('server-images', 'arcade-spots/' || md5('olga')::uuid || '/1.png')";
    assert_eq!(stage.act(Persona::Olga, OTHER).await, Ok(1));
}

#[tokio::test]
async fn image_storage_per_account_is_limited() {
    let stage = stage().await;
    const MOST: &str = "insert into storage.objects (bucket_id, name, metadata)
        select 'server-images', folder || md5('olga')::uuid || '/' || n,
            jsonb_build_object('size', 15 * 1024 * 1024)
        from generate_series(1, 5) n, unnest(array['', 'arcade-spots/']) folder";
    assert_eq!(stage.act(Persona::Service, MOST).await, Ok(10));
    let full = Err(Refusal::new("23514", "The pictures of one account take 150 MiB at most"));
    const ONE: &str = "insert into storage.objects (bucket_id, name, metadata)
        values ('server-images', md5('olga')::uuid || '/one', '{\"size\": 1}')";
    for persona in [Persona::Olga, Persona::Ada, Persona::Service] {
        assert_eq!(stage.act(persona, ONE).await, full, "{persona:?}");
    }
    const GROWN: &str = "update storage.objects set metadata = '{\"size\": 15728641}'
        where name = md5('olga')::uuid || '/1'";
    assert_eq!(stage.act(Persona::Olga, GROWN).await, full);
    const OTHERS: &str = "insert into storage.objects (bucket_id, name, metadata)
        values ('server-images', md5('stan')::uuid || '/one', '{\"size\": 1}')";
    assert_eq!(stage.act(Persona::Service, OTHERS).await, Ok(1));
    const TALK: &str = "insert into storage.objects (bucket_id, name, user_metadata)
        values ('server-images', md5('stan')::uuid || '/two', jsonb_build_object('a', repeat('x', 4096)))";
    let long = Err(Refusal::new("23514", "What is said of a picture has 4096 bytes at most"));
    assert_eq!(stage.act(Persona::Service, TALK).await, long);
}

#[tokio::test]
async fn account_has_ten_resumable_uploads_under_way() {
    let stage = stage().await;
    const MOST: &str = "insert into storage.tus_uploads
            (version, bucket_id, key, upsert, owner_id, metadata, expires_at, is_done)
        select gen_random_uuid(), bucket, n::text, false, 'olga', '', now() + ends, done
        from generate_series(1, 10) n,
            (values ('server-images', interval '1 hour', false), ('server-images', '-1 second', false),
                ('server-images', '1 hour', true), ('other', '1 hour', false)) kinds (bucket, ends, done)";
    assert_eq!(stage.act(Persona::Service, MOST).await, Ok(40));
    const MORE: &str = "insert into storage.tus_uploads
            (version, bucket_id, key, upsert, owner_id, metadata, expires_at)
        values (gen_random_uuid(), 'server-images', 'more', false, 'olga', '', now() + interval '1 hour')";
    let full = "10 uploads of yours are under way, which is all there may be";
    assert_eq!(stage.act(Persona::Service, MORE).await, Err(Refusal::new("23514", full)));
    const OTHERS: &str = "insert into storage.tus_uploads
            (version, bucket_id, key, upsert, owner_id, metadata, expires_at)
        values (gen_random_uuid(), 'other', 'more', false, 'olga', '', now() + interval '1 hour'),
            (gen_random_uuid(), 'server-images', 'more', false, 'stan', '', now() + interval '1 hour')";
    assert_eq!(stage.act(Persona::Service, OTHERS).await, Ok(2));
}
