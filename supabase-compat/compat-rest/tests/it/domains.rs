//! Domains with their own representation, in every place of a value.

use serde_json::json;

use crate::library::Library;

const FULL: (&str, &str) = ("prefer", "return=representation");

#[tokio::test]
async fn a_domain_shows_itself_in_its_json_form() {
    let library = Library::open().await;
    assert_eq!(
        library.rows("/paints?order=id").await,
        json!([
            {"id": 1, "name": "night", "tint": "#000000"},
            {"id": 2, "name": "sky", "tint": "#0000FF"}
        ])
    );
    assert_eq!(
        library.rows("/paints?select=t:tint,text:tint::text&id=eq.2").await,
        json!([{"t": "#0000FF", "text": "\"#0000FF\""}])
    );
}

#[tokio::test]
async fn filters_use_the_domains_text_form() {
    let library = Library::open().await;
    for filter in [
        "tint=eq.%230000FF",
        "tint=in.(%230000FF,%23123456)",
        "tint=not.eq.%23000000",
        "or=(tint.eq.%230000FF)",
    ] {
        let rows = library.rows(&format!("/paints?select=id&{filter}")).await;
        assert_eq!(rows, json!([{"id": 2}]), "{filter}");
    }
}

#[tokio::test]
async fn bodies_use_the_domains_json_form() {
    let library = Library::open().await;
    let body = r##"[{"id": 3, "tint": "#00FF00"}, {"id": 4, "tint": "#FF0000"}]"##;
    let answer = library.ask("POST", "/paints?select=id,tint&order=id", &[FULL], body).await;
    assert_eq!(answer.json(), json!([{"id": 3, "tint": "#00FF00"}, {"id": 4, "tint": "#FF0000"}]));
    let answer = library
        .ask("PATCH", "/paints?tint=eq.%2300FF00", &[FULL], r##"{"tint": "#000001"}"##)
        .await;
    assert_eq!(answer.json(), json!([{"id": 3, "name": null, "tint": "#000001"}]));
    let single = library
        .ask("POST", "/paints?columns=id,tint", &[FULL], r##"{"id": 5, "tint": "#00000A"}"##)
        .await;
    assert_eq!(single.json(), json!([{"id": 5, "name": null, "tint": "#00000A"}]));
}
