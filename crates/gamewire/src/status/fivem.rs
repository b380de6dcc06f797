//! The status of FiveM and RedM servers: a JSON document over HTTP and, where that port is closed,
//! the key-value pairs with which Quake servers answer `getinfo`.

use serde_json::Value;

use super::{Report, figure, text};

/// The longest document that is read.
pub const LONGEST_ANSWER: usize = 64 * 1024;

/// The longest datagram that is read.
pub const LONGEST_PACKET: usize = 4096;

/// The query over UDP.
pub const QUESTION: &[u8] = b"\xFF\xFF\xFF\xFFgetinfo palmares";

const ANSWER: &[u8] = b"\xFF\xFF\xFF\xFFinfoResponse\n";

/// Reads `/dynamic.json`, in which figures are numbers or strings.
pub fn read_document(json: &[u8]) -> Option<Report> {
    let document: serde_json::Map<String, Value> = serde_json::from_slice(json).ok()?;
    let number = |name| match document.get(name)? {
        Value::Number(number) => number.as_f64().map(|number| figure(number as i64)),
        Value::String(text) => text.trim().parse().ok().map(figure),
        _ => None,
    };
    // Any web server may answer with some JSON; only FiveM and RedM have the field `clients`.
    let players = number("clients")?;
    let word = |name| document.get(name).and_then(Value::as_str).and_then(text);
    Some(Report {
        players: Some(players),
        places: number("sv_maxclients"),
        map: word("mapname"),
        name: word("hostname"),
    })
}

/// Reads the answer to [`QUESTION`].
pub fn read_packet(packet: &[u8]) -> Option<Report> {
    let reply = String::from_utf8_lossy(packet.strip_prefix(ANSWER)?);
    let words: Vec<&str> = reply.trim_start_matches('\\').split('\\').collect();
    let word = |name: &str| {
        words.chunks_exact(2).find(|pair| pair.first() == Some(&name))?.get(1).copied()
    };
    let number = |name| word(name)?.trim().parse().ok().map(figure);
    Some(Report {
        players: Some(number("clients")?),
        places: number("sv_maxclients"),
        map: word("mapname").and_then(text),
        name: word("hostname").and_then(text),
    })
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn expected(places: Option<i32>) -> Option<Report> {
        let (map, name) = (Some("fivem-map".into()), Some("Ville".into()));
        Some(Report { players: Some(31), places, map, name })
    }

    #[test]
    fn document_counts_may_be_numbers_or_strings() {
        for (json, places) in [
            (r#"{"clients":31,"sv_maxclients":64,"hostname":"Ville","mapname":"fivem-map"}"#, 64),
            (r#"{"clients":31,"sv_maxclients":"48","hostname":"Ville","mapname":"fivem-map"}"#, 48),
        ] {
            assert_eq!(read_document(json.as_bytes()), expected(Some(places)));
        }
        for json in ["{}", "[]", "<html>", r#"{"clients":[1]}"#, r#"{"hostname":"x"}"#] {
            assert_eq!(read_document(json.as_bytes()), None, "{json}");
        }
    }

    #[test]
    fn datagram_gives_the_same_report() {
        let keys = b"\\sv_maxclients\\64\\clients\\31\\hostname\\Ville\\mapname\\fivem-map\\iv\\1";
        assert_eq!(read_packet(&[ANSWER, keys].concat()), expected(Some(64)));
        for keys in [&b""[..], b"\\clients", b"\\clients\\x", b"\\hostname\\Ville"] {
            assert_eq!(read_packet(&[ANSWER, keys].concat()), None);
        }
    }

    #[test]
    fn random_answers_never_panic_the_readers() {
        property_test(
            "fivem",
            (vec(any::<u8>(), 0..80), "[\\\\a-z0-9]{0,80}"),
            |(bytes, words)| {
                read_document(&bytes);
                read_packet(&[ANSWER, words.as_bytes(), &bytes].concat());
            },
        );
    }
}
