//! RakNet's unconnected ping, as Minecraft's Bedrock edition answers it.
//!
//! <https://minecraft.wiki/w/RakNet>

use super::{Report, figure, text};

/// The longest datagram that is read.
pub const LONGEST_PACKET: usize = 2048;

/// The bytes by which RakNet recognizes its own packets.
const MAGIC: [u8; 16] = [
    0x00, 0xFF, 0xFF, 0x00, 0xFE, 0xFE, 0xFE, 0xFE, 0xFD, 0xFD, 0xFD, 0xFD, 0x12, 0x34, 0x56, 0x78,
];

/// The bytes before the text of the answer: packet id, time, server id, magic, length of the text.
const HEAD: usize = 1 + 8 + 8 + 16 + 2;

/// The ping packet; the server repeats `time` in its answer.
pub fn question(time: u64) -> Vec<u8> {
    [&[0x01][..], &time.to_be_bytes(), &MAGIC, &[0; 8]].concat()
}

/// Reads the answer to the ping that was sent with this time.
pub fn read(packet: &[u8], time: u64) -> Option<Report> {
    let (head, reply) = packet.split_at_checked(HEAD)?;
    let length = usize::from(u16::from_be_bytes(head.get(33..35)?.try_into().ok()?));
    let is_ours = *head.first()? == 0x1C
        && head.get(1..9)? == time.to_be_bytes()
        && head.get(17..33)? == MAGIC;
    if !is_ours {
        return None;
    }
    let reply = String::from_utf8_lossy(reply.get(..length)?);
    let mut fields = reply.split(';');
    let edition = fields.next()?;
    if !edition.starts_with("MC") {
        return None;
    }
    let (name, _protocol, _version) = (fields.next()?, fields.next()?, fields.next()?);
    let mut number = || fields.next()?.parse::<i64>().ok().map(figure);
    let (players, places) = (number(), number());
    Some(Report { players, places, map: None, name: text(name) })
}

#[cfg(test)]
mod tests {
    use compat_testkit::property_test;
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn answer(time: u64, reply: &str) -> Vec<u8> {
        let length = (reply.len() as u16).to_be_bytes();
        [&[0x1C][..], &time.to_be_bytes(), &[7; 8], &MAGIC, &length, reply.as_bytes()].concat()
    }

    #[test]
    fn pong_gives_server_name_and_player_counts() {
        let reply = "MCPE;Île;766;1.21.50;12;40;123;Monde;Survival;1;19132;19133;";
        let report =
            Report { players: Some(12), places: Some(40), map: None, name: Some("Île".into()) };
        assert_eq!(read(&answer(9, reply), 9), Some(report));
        assert_eq!(read(&answer(8, reply), 9), None, "an answer to somebody else's question");
        let pong = answer(9, reply);
        for end in 0..pong.len() {
            assert_eq!(read(&pong[..end], 9), None, "{end}");
        }
    }

    #[test]
    fn unreadable_player_counts_are_none() {
        let report = read(&answer(1, "MCPE;x;1;1;many;"), 1).expect("a report");
        assert_eq!((report.players, report.places), (None, None));
        assert_eq!(read(&answer(1, "HTTP;x;1;1;3;4"), 1), None);
    }

    #[test]
    fn random_pongs_never_panic_the_reader() {
        property_test("bedrock", (vec(any::<u8>(), 0..60), ".{0,60}"), |(bytes, reply)| {
            read(&bytes, 1);
            read(&answer(1, &reply), 1);
            read(&[answer(1, &reply), bytes].concat(), 1);
        });
    }
}
