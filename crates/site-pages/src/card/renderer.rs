//! Drawing cards: one at a time, with a pause after each, and none twice while it is cached.
//!
//! Clients that request ever new cards therefore use at most a third of one processor. When too
//! many requests wait, others are told to try again later.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use compat_http::WeightedLru;
use http::HeaderValue;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until};

use super::pictures::PictureBytes;
use super::svg::{HEIGHT, WIDTH};
use super::text_layout::DATABASE;

/// The size of the cache of cards in bytes.
const CACHE_BYTES: usize = 32 * 1024 * 1024;

/// How many requests may wait for a card.
const WAITING: usize = 16;

/// The ratio of a pause to the time of the drawing before it.
const PAUSE: u32 = 2;

/// Why a card was not drawn.
#[derive(Debug)]
pub enum RenderError {
    /// Too many requests are waiting.
    Busy,
    /// Drawing failed because of a fault of ours.
    Failed(String),
}

/// Draws cards and caches them; cheap to clone.
#[derive(Clone)]
pub struct Renderer(Arc<Inner>);

struct Inner {
    permits: Semaphore,
    /// When the pause after the last drawing ends. Locked while a card is drawn.
    pause: Arc<tokio::sync::Mutex<Option<Instant>>>,
    cards: WeightedLru<HeaderValue, Bytes>,
}

impl Renderer {
    /// A renderer with an empty cache.
    pub fn new() -> Self {
        let (permits, cards) = (Semaphore::new(WAITING), WeightedLru::new(CACHE_BYTES));
        Self(Arc::new(Inner { permits, pause: Arc::default(), cards }))
    }

    /// The cached card with this tag.
    pub fn cached(&self, tag: &HeaderValue) -> Option<Bytes> {
        self.0.cards.get(tag)
    }

    /// Draws a card as PNG and caches it.
    pub async fn draw(
        &self,
        tag: HeaderValue,
        svg: String,
        pictures: PictureBytes,
    ) -> Result<Bytes, RenderError> {
        let _permit = self.0.permits.try_acquire().map_err(|_| RenderError::Busy)?;
        let mut paused = Arc::clone(&self.0.pause).lock_owned().await;
        if let Some(card) = self.cached(&tag) {
            return Ok(card);
        }
        if let Some(end) = *paused {
            sleep_until(end).await;
        }
        let renderer = self.clone();
        // A client that disconnects cancels neither the pause nor the drawing.
        let drawing = tokio::task::spawn_blocking(move || {
            let start = Instant::now();
            let card = Bytes::from(render(&svg, pictures)?);
            renderer.0.cards.put(tag, card.clone(), card.len());
            *paused = Some(Instant::now() + pause(start.elapsed()));
            Ok(card)
        });
        drawing.await.map_err(|error| RenderError::Failed(error.to_string()))?
    }
}

fn pause(drawing: Duration) -> Duration {
    drawing * PAUSE
}

fn render(svg: &str, pictures: PictureBytes) -> Result<Vec<u8>, RenderError> {
    let failed = |error: &dyn std::fmt::Display| RenderError::Failed(error.to_string());
    let pictures: std::collections::HashMap<_, _> =
        pictures.into_iter().map(|(address, bytes)| (address, Arc::new(bytes))).collect();
    let read = ImageHrefResolver::default_data_resolver();
    let options = Options {
        fontdb: Arc::clone(&DATABASE),
        // Only the fetched pictures may be loaded: no file, no address.
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(move |address, options| {
                read("text/plain", Arc::clone(pictures.get(address)?), options)
            }),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| failed(&error))?;
    let mut pixels = Pixmap::new(WIDTH.into(), HEIGHT.into())
        .ok_or_else(|| RenderError::Failed("no room for a card".to_owned()))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    encode(&pixels).map_err(|error| failed(&error))
}

/// Encodes a card without an alpha channel, since it is opaque.
fn encode(pixels: &Pixmap) -> io::Result<Vec<u8>> {
    let (colours, _) = pixels.data().as_chunks::<4>();
    let opaque: Vec<u8> =
        colours.iter().flat_map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width(), pixels.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.write_header()?.write_image_data(&opaque)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::MARK;
    use crate::card::layout::tests::{event, games, server};
    use crate::card::layout::{CardInput, layout};
    use page_registry::Language;

    const LOGO: &[u8] = include_bytes!("../../../../storage/pictures/demo/logos/1.svg");

    fn picture_bytes() -> PictureBytes {
        [
            ("/pictures/brand/mark.svg".to_owned(), MARK.to_vec()),
            ("/pictures/demo/logos/1.svg".to_owned(), LOGO.to_vec()),
        ]
        .into()
    }

    fn drawing(facts: &ranking::CardFacts) -> String {
        let input = CardInput { language: Language::Fr, site: "Palmarès", shortcut: None, facts };
        layout(&input, &|address| picture_bytes().contains_key(address)).svg
    }

    /// The pixels of a card, three bytes each.
    fn pixels(card: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(io::Cursor::new(card)).read_info().expect("a picture");
        let info = reader.info();
        assert_eq!((info.width, info.height), (WIDTH.into(), HEIGHT.into()));
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        reader.next_frame(&mut pixels).expect("a frame");
        pixels
    }

    /// How many pixels of a part differ from those of another card.
    fn differing(
        one: &[u8],
        other: &[u8],
        (left, top): (usize, usize),
        (right, foot): (usize, usize),
    ) -> usize {
        let width = usize::from(WIDTH);
        (top..foot)
            .flat_map(|y| (left..right).map(move |x| (y * width + x) * 3))
            .filter(|at| one[*at..at + 3] != other[*at..at + 3])
            .count()
    }

    #[test]
    fn every_kind_of_card_is_drawn_and_small() {
        for facts in [server("Astra"), games(), event()] {
            let card = render(&drawing(&facts), picture_bytes()).expect("a card");
            assert!(card.len() < 300_000, "{} bytes", card.len());
            pixels(&card);
        }
    }

    #[test]
    fn latin_and_cyrillic_names_fit_the_card() {
        let blank = pixels(&render(&drawing(&server("…")), picture_bytes()).expect("a card"));
        for name in ["Astra", "Ŝtormo Ğüçlü", "Зима близко", &"Mm".repeat(50)] {
            let card = pixels(&render(&drawing(&server(name)), picture_bytes()).expect("a card"));
            assert!(differing(&card, &blank, (296, 170), (1128, 330)) > 3_000, "{name}");
            assert_eq!(differing(&card, &blank, (1129, 0), (1200, 630)), 0, "{name}");
        }
    }

    #[test]
    fn card_with_broken_logo_is_drawn_without_it() {
        let svg = drawing(&server("Astra"));
        let with_logo = pixels(&render(&svg, picture_bytes()).expect("a card"));
        let broken = PictureBytes::from([(
            "/pictures/demo/logos/1.svg".to_owned(),
            b"\x89PNG\r\n".to_vec(),
        )]);
        let without = pixels(&render(&svg, broken).expect("a card"));
        assert!(differing(&with_logo, &without, (72, 176), (256, 360)) > 20_000);
    }

    #[tokio::test]
    async fn concurrent_requests_draw_a_card_once() {
        let renderer = Renderer::new();
        let (tag, svg) = (HeaderValue::from_static("\"a\""), drawing(&event()));
        assert_eq!(renderer.cached(&tag), None);
        let drawings = (0..8).map(|_| renderer.draw(tag.clone(), svg.clone(), picture_bytes()));
        let cards = futures_util::future::join_all(drawings).await;
        let cards: Vec<_> = cards.into_iter().map(|card| card.expect("a card")).collect();
        let cached = renderer.cached(&tag).expect("kept");
        assert!(cards.iter().all(|card| card.as_ptr() == cached.as_ptr()), "drawn more than once");
    }

    #[tokio::test]
    async fn drawing_beyond_the_queue_is_refused_as_busy() {
        let renderer = Renderer::new();
        let _all = renderer.0.permits.acquire_many(16).await.expect("permits");
        let drawing =
            renderer.draw(HeaderValue::from_static("\"a\""), String::new(), picture_bytes()).await;
        assert!(matches!(drawing, Err(RenderError::Busy)));
    }
}
