//! Valve's server queries: `A2S_INFO`, its challenge, and answers that come in parts.
//!
//! <https://developer.valvesoftware.com/wiki/Server_queries>. Numbers are little-endian.

use super::{Report, figure, text};

/// The largest number of packets in one answer; usual answers have one or two.
const MOST_PARTS: usize = 8;

/// The longest datagram that is read.
pub const LONGEST_PACKET: usize = 4096;

/// The lower half of the application id of the game Rust: an answer contains only that half. Rust
/// reports its players among the keywords, since their number does not fit into a byte.
const RUST: u16 = (252_490_u32 & 0xFFFF) as u16;

const INFO: &[u8] = b"\xFF\xFF\xFF\xFFTSource Engine Query\0";

/// The query, with the server's challenge once it is known.
pub fn question(challenge: Option<[u8; 4]>) -> Vec<u8> {
    [INFO, challenge.as_ref().map_or(&[][..], |challenge| &challenge[..])].concat()
}

/// A datagram from the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Packet {
    /// The query has to be repeated with these four bytes.
    Challenge([u8; 4]),
    /// A complete answer.
    Info(Report),
    /// One part of an answer that is split over several datagrams.
    Part(Part),
}

/// One part of an answer that is split over several datagrams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    answer: u32,
    parts: usize,
    number: usize,
    bytes: Vec<u8>,
}

/// Parses a datagram; `None` when it has another format.
pub fn read(packet: &[u8]) -> Option<Packet> {
    let mut bytes = Bytes(packet);
    match bytes.u32()? {
        0xFFFF_FFFF => answer(bytes),
        0xFFFF_FFFE => part(bytes).map(Packet::Part),
        _ => None,
    }
}

fn answer(mut bytes: Bytes<'_>) -> Option<Packet> {
    match bytes.u8()? {
        b'A' => Some(Packet::Challenge(bytes.take(4)?.try_into().ok()?)),
        b'I' => source(bytes).map(Packet::Info),
        b'm' => gold_source(bytes).map(Packet::Info),
        _ => None,
    }
}

fn source(mut bytes: Bytes<'_>) -> Option<Report> {
    let _protocol = bytes.u8()?;
    let (name, map) = (bytes.text()?, bytes.text()?);
    let (_folder, _game) = (bytes.text()?, bytes.text()?);
    let app = bytes.u16()?;
    let (mut players, mut places) = (i64::from(bytes.u8()?), i64::from(bytes.u8()?));
    let bots = i64::from(bytes.u8()?);
    if bots <= players {
        players -= bots;
    }
    // Some servers omit the fields from here on; the figures precede them.
    if let Some(keywords) = keywords(bytes)
        && app == RUST
    {
        let number =
            |sign| keywords.split(',').find_map(|word| word.strip_prefix(sign)?.parse().ok());
        (players, places) = (number("cp").unwrap_or(players), number("mp").unwrap_or(places));
    }
    Some(report(&name, &map, players, places))
}

/// The keywords, which are among the optional fields of an answer.
fn keywords(mut bytes: Bytes<'_>) -> Option<String> {
    let _kind_system_password_guard = bytes.take(4)?;
    let _version = bytes.text()?;
    let fields = bytes.u8()?;
    if fields & 0x80 != 0 {
        bytes.take(2)?;
    }
    if fields & 0x10 != 0 {
        bytes.take(8)?;
    }
    if fields & 0x40 != 0 {
        bytes.take(2)?;
        bytes.text()?;
    }
    if fields & 0x20 == 0 {
        return None;
    }
    bytes.text()
}

/// Parses the obsolete answer of GoldSource servers, which date from Half-Life.
fn gold_source(mut bytes: Bytes<'_>) -> Option<Report> {
    let _address = bytes.text()?;
    let (name, map) = (bytes.text()?, bytes.text()?);
    let (_folder, _game) = (bytes.text()?, bytes.text()?);
    let (players, places) = (bytes.u8()?, bytes.u8()?);
    Some(report(&name, &map, players.into(), places.into()))
}

fn report(name: &str, map: &str, players: i64, places: i64) -> Report {
    Report {
        players: Some(figure(players)),
        places: Some(figure(places)),
        map: text(map),
        name: text(name),
    }
}

fn part(mut bytes: Bytes<'_>) -> Option<Part> {
    let answer = bytes.u32()?;
    // Compressed answers are not supported: only obsolete engines send them.
    if answer & 0x8000_0000 != 0 {
        return None;
    }
    let (parts, number) = (usize::from(bytes.u8()?), usize::from(bytes.u8()?));
    let _longest = bytes.u16()?;
    let is_one = number < parts && parts <= MOST_PARTS;
    is_one.then(|| Part { answer, parts, number, bytes: bytes.0.to_vec() })
}

/// Collects the parts of one answer.
#[derive(Debug, Default)]
pub struct Parts {
    answer: u32,
    received: Vec<Option<Vec<u8>>>,
}

impl Parts {
    /// Adds a part; returns the packet once it is complete. A part of another answer discards the
    /// parts so far.
    pub fn add(&mut self, part: Part) -> Option<Packet> {
        if self.answer != part.answer || self.received.len() != part.parts {
            *self = Self { answer: part.answer, received: vec![None; part.parts] };
        }
        *self.received.get_mut(part.number)? = Some(part.bytes);
        let parts: Option<Vec<&[u8]>> = self.received.iter().map(Option::as_deref).collect();
        match read(&parts?.concat())? {
            // A reassembled answer must not be a part again.
            Packet::Part(_) => None,
            packet => Some(packet),
        }
    }
}

/// The unread rest of a packet.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.take(2)?.try_into().ok()?))
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    /// Reads a text that ends with a zero byte.
    fn text(&mut self) -> Option<String> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let bytes = self.take(end + 1)?;
        Some(String::from_utf8_lossy(bytes.get(..end)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn info(app: u16, players: [u8; 3], rest: &[u8]) -> Vec<u8> {
        let head = b"\xFF\xFF\xFF\xFFI\x11Terre\0de_dust2\0csgo\0CS2\0";
        [head.as_slice(), &app.to_le_bytes(), &players, rest].concat()
    }

    fn figures(packet: &[u8]) -> Option<(Option<i32>, Option<i32>)> {
        match read(packet)? {
            Packet::Info(report) => Some((report.players, report.places)),
            _ => None,
        }
    }

    fn parts(id: u32, bytes: &[u8], each: usize) -> Vec<Vec<u8>> {
        let chunks: Vec<_> = bytes.chunks(each).collect();
        let count = chunks.len() as u8;
        let head = |number: usize| {
            let mut head = vec![0xFE, 0xFF, 0xFF, 0xFF];
            head.extend_from_slice(&id.to_le_bytes());
            head.extend_from_slice(&[count, number as u8, 0xE0, 0x04]);
            head
        };
        chunks.iter().enumerate().map(|(n, chunk)| [head(n), chunk.to_vec()].concat()).collect()
    }

    #[test]
    fn info_response_gives_name_map_and_players() {
        let packet = read(&info(730, [14, 32, 0], b"dl\0\x011.40\0\0"));
        let report = Report {
            players: Some(14),
            places: Some(32),
            map: Some("de_dust2".into()),
            name: Some("Terre".into()),
        };
        assert_eq!(packet, Some(Packet::Info(report)));
    }

    #[test]
    fn bots_are_not_counted_as_players() {
        assert_eq!(figures(&info(730, [14, 32, 10], b"")), Some((Some(4), Some(32))));
        assert_eq!(figures(&info(730, [4, 32, 10], b"")), Some((Some(4), Some(32))));
    }

    #[test]
    fn rust_counts_beyond_a_byte_in_its_keywords() {
        let rest = b"dl\0\x012511\0\xB1\x6F\x6D\x01\x02\x03\x04\x05\x06\x07\x08mp400,cp321,ptrak\0";
        assert_eq!(figures(&info(RUST, [255, 255, 0], rest)), Some((Some(321), Some(400))));
        assert_eq!(figures(&info(730, [20, 30, 0], rest)), Some((Some(20), Some(30))));
    }

    #[test]
    fn goldsource_info_response_gives_player_counts() {
        let packet = b"\xFF\xFF\xFF\xFFm127.0.0.1:27015\0Old\0crossfire\0valve\0HL\0\x07\x10\x2F";
        assert_eq!(figures(packet), Some((Some(7), Some(16))));
    }

    #[test]
    fn a_challenge_is_sent_back_behind_the_question() {
        let challenge = read(b"\xFF\xFF\xFF\xFFA\x01\x02\x03\x04");
        assert_eq!(challenge, Some(Packet::Challenge([1, 2, 3, 4])));
        assert_eq!(question(Some([1, 2, 3, 4])), [question(None), vec![1, 2, 3, 4]].concat());
    }

    #[test]
    fn split_response_is_assembled_in_any_order() {
        let response = info(730, [3, 10, 0], b"dl\0\x01");
        let mut assembly = Parts::default();
        let mut packets = parts(7, &response, 20);
        packets.reverse();
        let mut results = Vec::new();
        for packet in packets {
            let Some(Packet::Part(part)) = read(&packet) else { panic!("no part") };
            results.push(assembly.add(part));
        }
        assert_eq!(results.pop(), Some(read(&response)));
        assert!(results.iter().all(Option::is_none));
    }

    #[test]
    fn nested_and_excessive_parts_are_refused() {
        let packet = info(730, [3, 10, 0], b"");
        let inner = parts(1, &packet, 1000).remove(0);
        let Some(Packet::Part(part)) = read(&parts(2, &inner, 1000).remove(0)) else {
            panic!("no part")
        };
        assert_eq!(Parts::default().add(part), None);
        assert_eq!(read(&parts(3, &packet, 2).remove(0)), None, "more than a server sends");
    }

    #[test]
    fn truncated_info_response_returns_none() {
        let packet = info(730, [3, 10, 0], b"");
        for end in 0..packet.len() {
            assert_eq!(read(&packet[..end]), None, "{end}");
        }
    }

    #[test]
    fn random_datagrams_never_panic_the_reader() {
        let heads = prop_oneof![
            Just(b"\xFF\xFF\xFF\xFFI".to_vec()),
            Just(b"\xFF\xFF\xFF\xFFm".to_vec()),
            Just(b"\xFF\xFF\xFF\xFFA".to_vec()),
            Just(b"\xFE\xFF\xFF\xFF".to_vec()),
            Just(Vec::new()),
        ];
        let packets = vec((heads, vec(any::<u8>(), 0..200)), 1..6);
        property_test("valve", packets, |packets| {
            let mut assembly = Parts::default();
            for (head, rest) in packets {
                if let Some(Packet::Part(part)) = read(&[head, rest].concat()) {
                    assembly.add(part);
                }
                assert!(assembly.received.len() <= MOST_PARTS);
            }
        });
    }
}
