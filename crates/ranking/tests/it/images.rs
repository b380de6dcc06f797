//! The image optimizer, with a real storage/v1 and real pictures.

use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use compat_http::Entropy;
use compat_storage::bytes::{Files, FilesConfig};
use compat_testkit::{TestResponse, call};
use http::{Method, Request};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder as _, ImageFormat};
use ranking::{Pictures, jobs};

use crate::world::World;

const BUCKET: &str = "insert into storage.buckets (id, name, public)
    values ('server-images', 'server-images', true), ('other', 'other', true)";

/// The counts of a run: total, optimized, skipped, failed, and whether it has ended.
type Run = (i32, i32, i32, i32, bool);

/// The check of a picture: its name, its state, and the reason.
type Check = (String, String, Option<String>);

/// A site with a storage/v1 on a folder.
pub struct Gallery {
    pub world: World,
    pub services: Router,
    folder: PathBuf,
}

impl Gallery {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut compat_storage::Config)) -> Self {
        let world = World::new().await;
        world.sql(BUCKET).await;
        world.account("ada").await;
        world.sql("update public.profiles set role = 'admin' where username = 'ada'").await;
        let folder = std::env::temp_dir().join(format!("images_{}", world.db().name()));
        let store_config = FilesConfig { folder: folder.clone(), keep_free: 0 };
        let bytes = Arc::new(Files::new(store_config, Entropy::system()));
        let acting = world.db().pools().acting.clone();
        let mut config = compat_storage::Config::default();
        change(&mut config);
        let state = compat_storage::State::new(world.personas.environment(), acting, bytes, config);
        let services = Router::new().nest("/storage/v1", compat_storage::router(state));
        Self { world, services, folder }
    }

    /// A client of these services, or of a layer in front of them.
    pub fn pictures(&self, services: &Router) -> Pictures {
        let headers = self.world.personas.as_service();
        let bearer = headers.iter().find(|(name, _)| *name == "authorization");
        let key = bearer.and_then(|(_, value)| value.strip_prefix("Bearer ")).expect("a key");
        Pictures::new(services.clone(), key).expect("a header")
    }

    async fn put(&self, name: &str, kind: &str, bytes: Vec<u8>) {
        let answer = put(&self.services, &self.world, name, kind, bytes).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    pub async fn get(&self, name: &str) -> TestResponse {
        let path = format!("/storage/v1/object/public/server-images/{name}");
        call(&self.services, Request::get(path).body(Body::empty()).expect("a request")).await
    }

    /// Starts a run as an administrator.
    async fn start(&self, failed_only: bool) -> Result<(), String> {
        let mut owner = self.world.begin().await;
        let claims = serde_json::json!({
            "role": "authenticated",
            "sub": self.world.personas.user_id("ada"),
        });
        sqlx::query(
            "select set_config('request.jwt.claims', $1, true),
                set_config('role', 'authenticated', true)",
        )
        .bind(claims.to_string())
        .execute(&mut *owner)
        .await
        .expect("a role");
        let started = sqlx::query("select public.start_image_optimization($1)")
            .bind(failed_only)
            .execute(&mut *owner)
            .await;
        if let Err(error) = started {
            let error = error.into_database_error().expect("a refusal");
            return Err(error.code().unwrap_or_default().into_owned());
        }
        owner.commit().await.expect("committed");
        Ok(())
    }

    /// Runs the optimizer until nothing is pending; returns how many pictures it took.
    async fn work(&self) -> u64 {
        self.work_through(&self.services).await
    }

    async fn work_through(&self, services: &Router) -> u64 {
        let pictures = self.pictures(services);
        jobs::optimize_images(&self.world.state, &pictures).await.expect("worked")
    }

    async fn latest(&self) -> Run {
        let mut owner = self.world.begin().await;
        sqlx::query_as(
            "select total, optimized, skipped, failed, finished_at is not null
             from public.image_runs order by started_at desc limit 1",
        )
        .fetch_one(&mut *owner)
        .await
        .expect("a run")
    }

    async fn checks(&self) -> Vec<Check> {
        let mut owner = self.world.begin().await;
        sqlx::query_as("select name, state, reason from public.image_checks order by name")
            .fetch_all(&mut *owner)
            .await
            .expect("checks")
    }

    async fn saved(&self) -> (i64, i64) {
        let mut owner = self.world.begin().await;
        sqlx::query_as(
            "select sum(bytes_before)::bigint, sum(bytes_after)::bigint from public.image_runs",
        )
        .fetch_one(&mut *owner)
        .await
        .expect("sums")
    }
}

impl Drop for Gallery {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn put(
    services: &Router,
    world: &World,
    name: &str,
    kind: &str,
    bytes: Vec<u8>,
) -> TestResponse {
    let mut request = Request::builder()
        .method(Method::PUT)
        .uri(format!("/storage/v1/object/{}", name.replace(' ', "%20")))
        .header("content-type", kind)
        .header("cache-control", "max-age=60");
    for (header, value) in world.personas.as_service() {
        request = request.header(header, value);
    }
    call(services, request.body(Body::from(bytes)).expect("a request")).await
}

/// A detailed picture as a PNG with weak compression.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let pixel = |at: u32| {
        let (x, y) = (at % width, at / width);
        [(x * 255 / width) as u8, (y * 255 / height) as u8, ((x ^ y) & 63) as u8]
    };
    let pixels: Vec<u8> = (0..width * height).flat_map(pixel).collect();
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::NoFilter)
        .write_image(&pixels, width, height, ExtendedColorType::Rgb8)
        .expect("a PNG");
    bytes
}

fn check(name: &str, state: &str, reason: Option<&str>) -> Check {
    (name.to_owned(), state.to_owned(), reason.map(str::to_owned))
}

#[tokio::test]
async fn images_are_optimized_in_place_and_checked_once() {
    let gallery = Gallery::new().await;
    let before = png(2400, 300);
    gallery.put("server-images/a/wide picture (1).png", "image/png", before.clone()).await;
    gallery.put("server-images/arcade-spots/b/1.gif", "image/gif", b"GIF89a".to_vec()).await;
    gallery.put("server-images/c/torn.png", "image/png", png(40, 40)[..60].to_vec()).await;
    gallery.put("other/d.png", "image/png", png(300, 300)).await;
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.latest().await, (3, 0, 0, 0, false));
    assert_eq!(gallery.work().await, 3);
    assert_eq!(gallery.latest().await, (3, 1, 1, 1, true));
    let known = [
        check("a/wide picture (1).png", "optimized", None),
        check("arcade-spots/b/1.gif", "skipped", Some("animated")),
        check("c/torn.png", "failed", Some("broken")),
    ];
    assert_eq!(gallery.checks().await, known);

    let after = gallery.get("a/wide%20picture%20(1).png").await;
    assert_eq!(after.status, 200);
    assert_eq!(after.header("content-type"), "image/webp");
    assert_eq!(after.header("cache-control"), "max-age=60");
    let read = image::load_from_memory_with_format(&after.body, ImageFormat::WebP);
    let read = read.expect("a WebP");
    assert_eq!((read.width(), read.height()), (1920, 240));
    let sizes = (before.len() as i64, after.body.len() as i64);
    assert_eq!(gallery.saved().await, sizes);
    assert!(sizes.1 * 2 < sizes.0, "{sizes:?}");

    // A new run counts the known results, and retries only what failed.
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.latest().await, (3, 0, 2, 0, false));
    assert_eq!(gallery.work().await, 1);
    assert_eq!(gallery.latest().await, (3, 0, 2, 1, true));
    gallery.put("server-images/c/torn.png", "image/png", png(200, 200)).await;
    gallery.start(true).await.expect("started");
    assert_eq!(gallery.latest().await, (1, 0, 0, 0, false));
    gallery.work().await;
    assert_eq!(gallery.latest().await, (1, 1, 0, 0, true));
    gallery.start(true).await.expect("started");
    assert_eq!(gallery.latest().await, (0, 0, 0, 0, true));

    // A replaced picture is checked again.
    gallery.put("server-images/a/wide picture (1).png", "image/png", before).await;
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.latest().await, (3, 0, 2, 0, false));
}

#[tokio::test]
async fn image_run_refuses_a_concurrent_start() {
    let gallery = Gallery::new().await;
    gallery.put("server-images/a/a.png", "image/png", png(200, 200)).await;
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.start(false).await, Err("55006".to_owned()));
    assert_eq!(gallery.start(true).await, Err("55006".to_owned()));
    gallery.world.sql("delete from public.image_checks where state = 'waiting'").await;
    gallery.world.sql("update public.image_runs set finished_at = now(), is_stopped = true").await;
    assert_eq!(gallery.work().await, 0);
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.work().await, 1);
    assert_eq!(gallery.latest().await, (1, 1, 0, 0, true));
}

#[tokio::test]
async fn restarted_optimizers_do_no_picture_twice() {
    let gallery = Gallery::new().await;
    for name in ["a", "b", "c", "d"] {
        let name = format!("server-images/{name}/logo.png");
        gallery.put(&name, "image/png", png(200, 200)).await;
    }
    gallery.start(false).await.expect("started");
    // A process claims the first picture and dies.
    gallery.world.sql("select public.claim_image_check(now() + interval '20 years', 0)").await;
    let extend_lease = "update public.image_checks set leased_until = $1 where attempts = 1";
    let mut owner = gallery.world.begin().await;
    let until = gallery.world.clock().now() + chrono::Duration::seconds(60);
    sqlx::query(extend_lease).bind(until).execute(&mut *owner).await.expect("a lease");
    owner.commit().await.expect("committed");
    // Two other processes share the rest.
    let second_process = gallery.world.second_process();
    let pictures = gallery.pictures(&gallery.services);
    let (one, two) = tokio::join!(
        jobs::optimize_images(&gallery.world.state, &pictures),
        jobs::optimize_images(&second_process.state, &pictures),
    );
    assert_eq!(one.expect("worked") + two.expect("worked"), 3);
    assert_eq!(gallery.latest().await, (4, 3, 0, 0, false));
    // After the lease has ended, another process continues.
    gallery.world.clock().advance(std::time::Duration::from_secs(61));
    assert_eq!(gallery.work().await, 1);
    assert_eq!(gallery.latest().await, (4, 4, 0, 0, true));
}

#[tokio::test]
async fn repeatedly_claimed_image_is_given_up() {
    let gallery = Gallery::new().await;
    gallery.put("server-images/a/a.png", "image/png", png(200, 200)).await;
    gallery.start(false).await.expect("started");
    for _ in 0..3 {
        gallery.world.sql("select public.claim_image_check('2000-01-01', 0)").await;
    }
    assert_eq!(gallery.work().await, 1);
    assert_eq!(gallery.checks().await, [check("a/a.png", "failed", Some("gave_up"))]);
}

/// Services behind a layer that replaces or deletes a picture as soon as it was read.
fn meanwhile(gallery: &Gallery, name: &'static str, bytes: Option<Vec<u8>>) -> Router {
    let (services, headers) = (gallery.services.clone(), gallery.world.personas.as_service());
    Router::new().fallback(move |request: Request<Body>| {
        let (services, headers, bytes) = (services.clone(), headers.clone(), bytes.clone());
        async move {
            if request.method() == Method::PUT {
                let method = if bytes.is_some() { Method::PUT } else { Method::DELETE };
                let mut theirs = Request::builder()
                    .method(method)
                    .uri(format!("/storage/v1/object/server-images/{name}"))
                    .header("content-type", "image/png");
                for (header, value) in headers {
                    theirs = theirs.header(header, value);
                }
                let body = bytes.map_or_else(Body::empty, Body::from);
                let answer = call(&services, theirs.body(body).expect("a request")).await;
                assert_eq!(answer.status, 200, "{}", answer.text());
            }
            use tower::ServiceExt as _;
            services.oneshot(request).await
        }
    })
}

#[tokio::test]
async fn pictures_replaced_meanwhile_are_never_overwritten() {
    let gallery = Gallery::new().await;
    gallery.put("server-images/a/a.png", "image/png", png(200, 200)).await;
    gallery.start(false).await.expect("started");
    let theirs = png(90, 90);
    let services = meanwhile(&gallery, "a/a.png", Some(theirs.clone()));
    assert_eq!(gallery.work_through(&services).await, 1);
    assert_eq!(gallery.get("a/a.png").await.body, theirs);
    assert_eq!(gallery.checks().await, [check("a/a.png", "skipped", Some("changed"))]);
}

#[tokio::test]
async fn pictures_removed_meanwhile_stay_removed() {
    let gallery = Gallery::new().await;
    gallery.put("server-images/a/a.png", "image/png", png(200, 200)).await;
    gallery.start(false).await.expect("started");
    let services = meanwhile(&gallery, "a/a.png", None);
    assert_eq!(gallery.work_through(&services).await, 1);
    assert_eq!(gallery.get("a/a.png").await.status, 400);
    assert_eq!(gallery.checks().await, [check("a/a.png", "skipped", Some("gone"))]);
}

#[tokio::test]
async fn without_a_renderer_each_picture_says_so() {
    let gallery = Gallery::with(|config| config.images = None).await;
    gallery.put("server-images/a/a.png", "image/png", png(200, 200)).await;
    gallery.start(false).await.expect("started");
    assert_eq!(gallery.work().await, 1);
    assert_eq!(gallery.checks().await, [check("a/a.png", "failed", Some("renderer_off"))]);
}

#[tokio::test]
async fn clients_cannot_set_optimized_from_metadata() {
    let gallery = Gallery::new().await;
    let statement = "select set_config('request.jwt.claims', json_build_object(
            'role', 'authenticated', 'sub', (select id from public.profiles where username = 'ada')
        )::text, true);
        set local role authenticated;
        insert into storage.objects (bucket_id, name, user_metadata)
        values ('server-images', 'a.png', '{\"optimized_from\": \"x\", \"by\": \"me\"}')";
    gallery.world.sql(statement).await;
    let mut owner = gallery.world.begin().await;
    let metadata: String = sqlx::query_scalar("select user_metadata::text from storage.objects")
        .fetch_one(&mut *owner)
        .await
        .expect("what is kept");
    assert_eq!(metadata, "{\"by\": \"me\"}");
}
