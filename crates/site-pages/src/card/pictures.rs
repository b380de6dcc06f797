//! The pictures on cards. Only the site's own pictures are used, so that drawing a card sends no
//! request outside this process. Uploads are requested from storage/v1 in the size in which the
//! card shows them.

use std::collections::HashMap;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::{Request, StatusCode};
use tokio::time::timeout;
use tower::ServiceExt as _;

use crate::load::build::Build;

const BUILT: &str = "/pictures/";
const UPLOADED: &str = "/storage/v1/object/public/server-images/";
const RENDERED: &str = "/storage/v1/render/image/public/server-images/";

/// The largest picture in bytes; larger ones are left out.
const LARGEST: usize = 2 * 1024 * 1024;

/// The timeout for fetching a picture.
const TIMEOUT: Duration = Duration::from_secs(3);

/// A picture that a card shows, and its size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    /// The path of the picture on this site.
    pub address: String,
    /// The width in pixels.
    pub width: u16,
    /// The height in pixels.
    pub height: u16,
}

/// Pictures by their address.
pub type PictureBytes = HashMap<String, Vec<u8>>;

/// Whether a picture is the site's own, by its path.
pub fn is_own(address: &str) -> bool {
    let is_plain = |name: &str| {
        name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._~%-".contains(&b))
            && !name.split('/').any(|part| matches!(part, "" | "." | ".."))
    };
    [BUILT, UPLOADED].iter().any(|folder| address.strip_prefix(folder).is_some_and(is_plain))
}

/// Fetches the pictures that exist.
pub async fn fetch(build: &Build, services: &Router, requests: &[PictureRequest]) -> PictureBytes {
    let mut pictures = PictureBytes::new();
    for picture in requests {
        let answer = timeout(TIMEOUT, one(build, services, picture)).await;
        if let Ok(Some(bytes)) = answer {
            pictures.insert(picture.address.clone(), bytes);
        }
    }
    pictures
}

async fn one(build: &Build, services: &Router, picture: &PictureRequest) -> Option<Vec<u8>> {
    if !is_own(&picture.address) {
        return None;
    }
    let Some(name) = picture.address.strip_prefix(UPLOADED) else {
        let file = build.file(picture.address.trim_start_matches('/')).await?;
        return Some(file.bytes.into_owned()).filter(|bytes| bytes.len() <= LARGEST);
    };
    // The request does not accept WebP, so the picture keeps the format in which it is stored.
    let address =
        format!("{RENDERED}{name}?width={}&height={}&resize=cover", picture.width, picture.height);
    let request = Request::get(address).body(Body::empty()).ok()?;
    let response = services.clone().oneshot(request).await.ok()?;
    if response.status() != StatusCode::OK {
        return None;
    }
    Some(to_bytes(response.into_body(), LARGEST).await.ok()?.into())
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use http::Uri;

    use super::*;

    #[test]
    fn only_the_sites_own_pictures_are_asked_for() {
        for address in
            ["/pictures/demo/logos/1.svg", "/storage/v1/object/public/server-images/7/logo-1.webp"]
        {
            assert!(is_own(address), "{address}");
        }
        for address in [
            "https://elsewhere.example/a.png",
            "//elsewhere.example/pictures/a.png",
            "/pictures/../keys.json",
            "/pictures//a.png",
            "/storage/v1/object/public/server-images/a.png?width=9",
            "/storage/v1/object/public/other/a.png",
            "/rest/v1/servers",
            "/pictures/a\"onload.svg",
        ] {
            assert!(!is_own(address), "{address}");
        }
    }

    #[tokio::test]
    async fn uploads_are_resized_and_missing_pictures_skipped() {
        let folder = std::env::temp_dir().join(format!("card-pictures-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("pictures")).expect("a folder");
        std::fs::write(folder.join("index.html"), "page").expect("a page");
        std::fs::write(folder.join("pictures/a.svg"), "<svg/>").expect("a picture");
        let build = Build::open(Some(&folder), &folder.join("releases")).expect("a build");
        let rendered = get(async |uri: Uri| uri.query().unwrap_or_default().to_owned());
        let services = Router::new().route(&format!("{RENDERED}a.png"), rendered);
        let requests = ["/pictures/a.svg", "/pictures/b.svg", "/x/a.svg"].map(str::to_owned);
        let uploads = ["a.png", "b.png"].map(|name| format!("{UPLOADED}{name}"));
        let requests: Vec<_> = requests
            .into_iter()
            .chain(uploads)
            .map(|address| PictureRequest { address, width: 40, height: 30 })
            .collect();
        let pictures = fetch(&build, &services, &requests).await;
        std::fs::remove_dir_all(&folder).expect("removed");
        let expected = [
            ("/pictures/a.svg".to_owned(), b"<svg/>".to_vec()),
            (format!("{UPLOADED}a.png"), b"width=40&height=30&resize=cover".to_vec()),
        ];
        assert_eq!(pictures, expected.into());
    }
}
