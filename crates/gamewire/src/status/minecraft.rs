//! Minecraft's server list ping in the Java edition: a handshake, a request, and a reply in JSON.
//! Each is a frame with its length in front.
//!
//! <https://minecraft.wiki/w/Java_Edition_protocol/Server_List_Ping>

use serde::Deserialize;

use super::{Report, figure, text};

/// The default port, for an address without a port whose name has no record of [`SERVICE`].
pub const USUAL_PORT: u16 = 25565;

/// The service name of the SRV record that may contain the port.
pub const SERVICE: &str = "_minecraft._tcp";

/// The longest answer that is read; the server's icon takes up most of a usual answer.
pub const LONGEST_ANSWER: usize = 256 * 1024;

/// The longest encoding of a number (a VarInt) in bytes.
const LONGEST_NUMBER: usize = 5;

/// The protocol version -1, which a client sends that only asks for the status.
const ANY_VERSION: [u8; 5] = [0xFF, 0xFF, 0xFF, 0xFF, 0x0F];

/// The two frames of a status request.
pub fn question(host: &str, port: u16) -> Vec<u8> {
    let mut handshake = vec![0];
    handshake.extend_from_slice(&ANY_VERSION);
    handshake.extend_from_slice(&number(host.len()));
    handshake.extend_from_slice(host.as_bytes());
    handshake.extend_from_slice(&port.to_be_bytes());
    handshake.push(1);
    [number(handshake.len()), handshake, vec![1, 0]].concat()
}

fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(LONGEST_NUMBER);
    while value > 0x7F {
        bytes.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// The result of parsing the bytes received so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The answer is not complete yet.
    Incomplete,
    /// The bytes are not an answer, or the answer is too long.
    Invalid,
    /// The parsed answer.
    Status(Report),
}

/// Parses the bytes received so far.
pub fn read(bytes: &[u8]) -> ReadOutcome {
    match frame(bytes) {
        Ok(Some(frame)) => status(frame).map_or(ReadOutcome::Invalid, ReadOutcome::Status),
        Ok(None) => ReadOutcome::Incomplete,
        Err(InvalidFrame) => ReadOutcome::Invalid,
    }
}

struct InvalidFrame;

/// The first frame without its length; `None` while it is incomplete.
fn frame(bytes: &[u8]) -> Result<Option<&[u8]>, InvalidFrame> {
    let Some((length, rest)) = take_number(bytes)? else { return Ok(None) };
    if length > LONGEST_ANSWER {
        return Err(InvalidFrame);
    }
    Ok(rest.get(..length))
}

/// The first number (a VarInt) and the bytes after it; `None` while the number is incomplete.
fn take_number(bytes: &[u8]) -> Result<Option<(usize, &[u8])>, InvalidFrame> {
    let mut value = 0_u64;
    for (place, byte) in bytes.iter().take(LONGEST_NUMBER).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            // A value beyond `i32` is a negative number in Java, which cannot be a length.
            let value = i32::try_from(value).map_err(|_| InvalidFrame)?;
            let rest = bytes.get(place + 1..).unwrap_or_default();
            return Ok(Some((usize::try_from(value).map_err(|_| InvalidFrame)?, rest)));
        }
    }
    if bytes.len() < LONGEST_NUMBER { Ok(None) } else { Err(InvalidFrame) }
}

fn status(frame: &[u8]) -> Option<Report> {
    let json = match take_number(frame).ok()?? {
        (0, rest) => {
            let (length, rest) = take_number(rest).ok()??;
            rest.get(..length)?
        }
        _ => return None,
    };
    let status: Status = serde_json::from_slice(json).ok()?;
    let players = status.players;
    Some(Report {
        players: players.as_ref().map(|players| figure(players.online as i64)),
        places: players.as_ref().map(|players| figure(players.max as i64)),
        map: None,
        name: status.version.and_then(|version| text(&version.name)),
    })
}

/// The fields of a status that are read. Figures are floats, since some servers write fractions.
#[derive(Deserialize)]
struct Status {
    players: Option<Players>,
    version: Option<Version>,
}

#[derive(Deserialize)]
struct Players {
    online: f64,
    max: f64,
}

#[derive(Deserialize)]
struct Version {
    #[serde(default)]
    name: String,
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn answer(json: &str) -> Vec<u8> {
        let body = [vec![0], number(json.len()), json.as_bytes().to_vec()].concat();
        [number(body.len()), body].concat()
    }

    #[test]
    fn status_request_is_handshake_and_empty_frame() {
        let host = b"\x0Aplay.x.fr.".to_vec();
        let head = vec![20, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F];
        let expected = [head, host, vec![0x63, 0xDD, 1, 1, 0]].concat();
        assert_eq!(question("play.x.fr.", 25565), expected);
    }

    #[test]
    fn status_response_gives_players_and_version() {
        let packet =
            answer(r#"{"version":{"name":"Paper 1.21"},"players":{"online":42,"max":200}}"#);
        let report = Report {
            players: Some(42),
            places: Some(200),
            map: None,
            name: Some("Paper 1.21".into()),
        };
        assert_eq!(read(&packet), ReadOutcome::Status(report));
        for end in 0..packet.len() {
            assert_eq!(read(&packet[..end]), ReadOutcome::Incomplete, "{end}");
        }
    }

    #[test]
    fn out_of_range_player_counts_are_clamped() {
        let figures = |json: &str| match read(&answer(json)) {
            ReadOutcome::Status(report) => (report.players, report.places),
            reading => panic!("{reading:?}"),
        };
        assert_eq!(figures("{}"), (None, None));
        let absurd = r#"{"players":{"online":1e300,"max":-4.5}}"#;
        assert_eq!(figures(absurd), (Some(100_000), Some(0)));
    }

    #[test]
    fn giant_lengths_and_other_frames_are_nonsense() {
        for bytes in [
            &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF][..],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
            &[0xFF, 0xFF, 0xFF, 0x7F],
            &[1, 7],
            &[3, 0, 0xFF, 0x7F],
            &[0],
            b"HTTP/1.1 400 Bad Request\r\n\r\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        ] {
            assert_eq!(read(bytes), ReadOutcome::Invalid, "{bytes:?}");
        }
        assert_eq!(read(&answer("[1]")), ReadOutcome::Invalid);
    }

    #[test]
    fn random_answers_never_panic_the_reader() {
        let json = r#"{"players":{"online":1,"max":2}}"#;
        let strategy = (vec(any::<u8>(), 0..64), 0..80_usize, any::<u8>());
        property_test("minecraft", strategy, |(bytes, place, byte)| {
            read(&bytes);
            let mut changed = answer(json);
            let place = place % changed.len();
            changed[place] = byte;
            read(&changed);
        });
    }
}
