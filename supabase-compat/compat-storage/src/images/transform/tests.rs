use compat_testkit::property_test;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn query(text: &str) -> Result<Transform, InvalidTransform> {
    let pairs: Vec<_> = url::form_urlencoded::parse(text.as_bytes()).collect();
    Transform::from_query(pairs.iter().map(|(name, value)| (name.as_ref(), value.as_ref())))
}

fn refusal(text: &str) -> String {
    query(text).expect_err(text).to_string()
}

#[test]
fn transformations_header_lists_options_in_order() {
    for (text, expected) in [
        (
            "width=200&height=200&resize=fill&quality=60",
            "height:200,width:200,resizing_type:force,quality:60",
        ),
        ("width=200&height=200&quality=60", "height:200,width:200,resizing_type:fill,quality:60"),
        ("width=100&resize=contain", "width:100,resizing_type:fit"),
        ("width=100&format=webp&token=x", "width:100,resizing_type:fill,format:webp"),
        ("quality=20&format=origin", "quality:20"),
        ("resize=contain", ""),
        ("width=0&height=0", ""),
        ("width=9999999&height=2001", "height:2000,width:2000,resizing_type:fill"),
        ("width=1e2&height=0x10", "height:16,width:100,resizing_type:fill"),
        ("gravity=no", "gravity:no"),
        ("gravity=so&x_offset=0.25&y_offset=0.75", "gravity:so:0.25:0.75"),
        ("gravity=ea&x_offset=12", "gravity:ea:12:0"),
        ("gravity=noea&x_offset=-12&y_offset=4", "gravity:noea:-12:4"),
        ("gravity=nowe&x_offset=0&y_offset=-0", "gravity:nowe:0:0"),
        ("gravity=ce&x_offset=1e21&y_offset=1e-7", "gravity:ce:1e+21:1e-7"),
        ("gravity=sm&x_offset=12&y_offset=-4", "gravity:sm"),
        ("gravity=fp&x_offset=0&y_offset=1", "gravity:fp:0:1"),
    ] {
        assert_eq!(query(text).expect(text).header(), expected, "{text}");
    }
}

#[test]
fn schema_violations_use_the_schemas_messages() {
    for (text, expected) in [
        ("width=abc", "querystring/width must be integer"),
        ("width=", "querystring/width must be integer"),
        ("width=10.5", "querystring/width must be integer"),
        ("width=nan", "querystring/width must be integer"),
        ("width=10&width=10", "querystring/width must be integer"),
        ("height=-1", "querystring/height must be >= 0"),
        ("width=1e999", "querystring/width must pass \"finite\" keyword validation"),
        ("quality=19", "querystring/quality must be >= 20"),
        ("quality=101", "querystring/quality must be <= 100"),
        ("resize=stretch", "querystring/resize must be equal to one of the allowed values"),
        ("format=avif", "querystring/format must be equal to one of the allowed values"),
        ("gravity=up", "querystring/gravity must be equal to one of the allowed values"),
        ("gravity=no&x_offset=far", "querystring/x_offset must be number"),
        ("width=x&height=y", "querystring/height must be integer"),
        ("gravity=fp", "Focal point requires x and y coordinates within 0-1 range"),
        (
            "gravity=fp&x_offset=0.5&y_offset=1.1",
            "Focal point requires x and y coordinates within 0-1 range",
        ),
    ] {
        assert_eq!(refusal(text), expected, "{text}");
    }
}

#[test]
fn body_is_read_as_the_query_is() {
    let fields = json!({ "width": 100, "height": "50", "resize": "contain", "format": "origin" });
    let read = Transform::from_fields(fields.as_object().unwrap(), "body/transform").unwrap();
    assert_eq!(read, query("width=100&height=50&resize=contain&format=origin").unwrap());
    let listed = json!({ "width": [100], "height": 50, "resize": "contain", "format": "origin" });
    let listed = Transform::from_fields(listed.as_object().unwrap(), "body/transform").unwrap();
    assert_eq!(listed, read, "a list of one counts as its value");
    let wrong = json!({ "width": [1, 2] });
    let refusal = Transform::from_fields(wrong.as_object().unwrap(), "body/transform");
    assert_eq!(refusal.unwrap_err().to_string(), "body/transform/width must be integer");
}

#[test]
fn token_contains_the_whole_transformation() {
    for text in [
        "width=100&height=100&resize=contain",
        "width=10&quality=33&format=webp&gravity=sowe&x_offset=-3&y_offset=0.5",
        "height=7&resize=fill&format=origin&gravity=fp&x_offset=0.5&y_offset=0.75",
        "gravity=sm",
    ] {
        let signed = query(text).unwrap();
        assert_eq!(Transform::from_claims(&signed.claim(), signed.format_claim()), signed);
    }
    assert_eq!(query("width=5").unwrap().claim(), "width:5,resize:cover");
    assert!(query("format=origin").unwrap().is_empty());
}

#[test]
fn token_of_the_original_is_understood() {
    let read = Transform::from_claims(
        "height:100,width:80,resize:undefined,gravity:no:NaN:Infinity",
        None,
    );
    assert_eq!(read.header(), "height:100,width:80,resizing_type:fill,gravity:no");
    assert_eq!(Transform::from_claims("", None), Transform::default());
}

#[test]
fn random_queries_never_panic_the_parser() {
    let name = prop_oneof![
        Just("width"),
        Just("height"),
        Just("resize"),
        Just("quality"),
        Just("format"),
        Just("gravity"),
        Just("x_offset"),
        Just("y_offset"),
        Just("token"),
    ];
    let value = prop_oneof![
        "[0-9]{0,12}",
        "-?[0-9]{1,3}(\\.[0-9]{0,4})?(e[0-9]{1,3})?",
        "\\PC{0,8}",
        Just("fp".to_owned()),
        Just("no".to_owned()),
        Just("cover".to_owned()),
        Just("0x".to_owned()),
    ];
    property_test("of queries", proptest::collection::vec((name, value), 0..8), |pairs| {
        let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str()));
        let Ok(read) = Transform::from_query(pairs) else { return };
        for side in [read.width, read.height].into_iter().flatten() {
            assert!((1..=2000).contains(&side));
        }
        assert!(read.quality.is_none_or(|quality| (20..=100).contains(&quality)));
        assert!(http::HeaderValue::from_str(&read.header()).is_ok());
        let again = Transform::from_claims(&read.claim(), read.format_claim());
        assert_eq!(again.header(), read.header());
    });
}

#[test]
fn random_claims_never_panic_the_parser() {
    property_test(
        "of claims",
        "[a-z_]{0,8}(:[-0-9.a-zN]{0,6}){0,3}(,[a-z]{0,7}:\\PC{0,6}){0,4}",
        |text: String| {
            let _ = Transform::from_claims(&text, Some(&text));
        },
    );
}
