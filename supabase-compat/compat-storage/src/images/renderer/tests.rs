use std::sync::atomic::AtomicUsize;

use futures_util::FutureExt as _;
use image::{ImageFormat, RgbImage};
use tokio::sync::Notify;
use uuid::Uuid;

use super::*;
use crate::images::Kind;

fn picture(width: u32, height: u32) -> Bytes {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbImage::new(width, height).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner().into()
}

fn key(number: u128) -> RenderKey {
    RenderKey { version: Uuid::from_u128(number), transform: "width:4".to_owned(), webp: false }
}

fn client(number: u8) -> IpAddr {
    IpAddr::from([10, 0, 0, number])
}

fn narrow() -> Transform {
    Transform { width: Some(4), ..Transform::default() }
}

async fn ask(
    renderer: &Renderer,
    number: u128,
    of: u8,
    bytes: Bytes,
) -> Result<Picture, RenderError> {
    let read = || async { Ok(bytes) };
    renderer.render(&key(number), narrow(), client(of), read).await
}

#[tokio::test]
async fn same_picture_is_read_and_rendered_once() {
    let renderer = Renderer::new(Limits { workers: 2, ..Limits::default() });
    let (reads, gate) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let renderings: Vec<_> = (0..20)
        .map(|number| {
            let (renderer, reads, gate) = (renderer.clone(), Arc::clone(&reads), Arc::clone(&gate));
            let read = move || async move {
                reads.fetch_add(1, Ordering::Relaxed);
                gate.notified().await;
                Ok(picture(8, 8))
            };
            tokio::spawn(
                async move { renderer.render(&key(1), narrow(), client(number), read).await },
            )
        })
        .collect();
    gate.notify_one();
    for rendering in renderings {
        assert_eq!(rendering.await.unwrap().unwrap().kind, Kind::Png);
    }
    assert_eq!(reads.load(Ordering::Relaxed), 1);
    assert!(renderer.0.pending.lock().unwrap().is_empty());
    let unread = || async { Err(RenderError::Unread) };
    assert!(renderer.render(&key(1), narrow(), client(1), unread).await.is_ok());
}

#[tokio::test]
async fn rendering_survives_its_first_caller() {
    let renderer = Renderer::new(Limits { workers: 1, ..Limits::default() });
    let gate = Arc::new(Notify::new());
    let held = Arc::clone(&gate);
    let read = move || async move {
        held.notified().await;
        Ok(picture(8, 8))
    };
    let key = key(1);
    let mut first = Box::pin(renderer.render(&key, narrow(), client(1), read));
    assert!(first.as_mut().now_or_never().is_none());
    let mut second = Box::pin(ask(&renderer, 1, 2, picture(8, 8)));
    assert!(second.as_mut().now_or_never().is_none());
    drop(first);
    gate.notify_one();
    assert!(second.await.is_ok());
}

#[tokio::test]
async fn one_client_cannot_occupy_every_worker() {
    let renderer = Renderer::new(Limits { workers: 2, waiting: 8, ..Limits::default() });
    let never = || async { std::future::pending().await };
    let keys: Vec<_> = (10..14).map(key).collect();
    let mut greedy: Vec<_> =
        keys.iter().map(|key| Box::pin(renderer.render(key, narrow(), client(1), never))).collect();
    let mut refused_count = 0;
    for rendering in &mut greedy {
        if let Some(done) = rendering.as_mut().now_or_never() {
            assert_eq!(done, Err(ImageRefusal::TooMany.into()));
            refused_count += 1;
        }
    }
    // One request renders, two wait, and the client's next one exceeds its share of the queue.
    assert_eq!(refused_count, 1);
    assert!(ask(&renderer, 1, 2, picture(8, 8)).await.is_ok());
    assert!(ask(&renderer, 2, 2, picture(8, 8)).await.is_ok());
}

#[tokio::test]
async fn late_rendering_releases_its_permit() {
    let limits = Limits { workers: 1, work: Duration::ZERO, ..Limits::default() };
    let renderer = Renderer::new(limits);
    let reads = AtomicUsize::new(0);
    let never = || {
        reads.fetch_add(1, Ordering::Relaxed);
        std::future::pending()
    };
    for attempt in 1..3 {
        let late = renderer.render(&key(1), narrow(), client(1), never).await;
        assert_eq!(late, Err(ImageRefusal::TimedOut.into()));
        assert_eq!(reads.load(Ordering::Relaxed), attempt);
    }
}

#[tokio::test]
async fn callers_wait_no_longer_than_their_patience() {
    let limits = Limits { workers: 1, time_limit: Duration::ZERO, ..Limits::default() };
    let renderer = Renderer::new(limits);
    let never = || std::future::pending();
    for client_of in [1, 2] {
        let late = renderer.render(&key(1), narrow(), client(client_of), never).await;
        assert_eq!(late, Err(ImageRefusal::TimedOut.into()));
    }
}

#[tokio::test]
async fn oversized_pictures_are_refused_for_good() {
    let renderer = Renderer::new(Limits { memory: 20 << 20, ..Limits::default() });
    let large = ask(&renderer, 1, 1, picture(2000, 1500)).await;
    assert_eq!(large, Err(ImageRefusal::Resolution.into()));
    assert_eq!(ask(&renderer, 1, 1, picture(8, 8)).await, large);
    assert!(ask(&renderer, 2, 1, picture(8, 8)).await.is_ok());
}

#[tokio::test]
async fn memory_limit_is_exact_to_the_piece() {
    let bytes = picture(300, 200);
    let (transform, cancel_flag) = (narrow(), CancelFlag::default());
    let rendering = Rendering::of(&bytes, &transform, false, 1 << 20, &cancel_flag).unwrap();
    let needed = rendering.memory() + bytes.len() as u64;
    for (memory, is_enough) in
        [(needed.next_multiple_of(PIECE), true), (needed.next_multiple_of(PIECE) - 1, false)]
    {
        let renderer = Renderer::new(Limits { memory, ..Limits::default() });
        assert_eq!(ask(&renderer, 1, 1, bytes.clone()).await.is_ok(), is_enough);
    }
}

#[tokio::test]
async fn unreadable_sources_are_read_again() {
    let renderer = Renderer::new(Limits::default());
    let key = key(1);
    let missing = || async { Err(RenderError::Missing) };
    let outcome = renderer.render(&key, narrow(), client(1), missing).await;
    assert_eq!(outcome, Err(RenderError::Missing));
    assert!(ask(&renderer, 1, 1, picture(8, 8)).await.is_ok());
}
