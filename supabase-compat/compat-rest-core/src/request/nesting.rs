//! The nesting depth of brackets in bodies and in values whose grammar is PostgreSQL's: JSON, text
//! search. PostgreSQL parses them recursively and fails beyond some thousand levels with an error
//! that looks like the server's fault.

/// Deepest nesting of a body or of a value.
pub const MAX_BRACKETS: usize = 512;

/// The depth of a text; what stands in double quotes does not count.
pub fn depth(text: &str) -> usize {
    let (mut now, mut deepest) = (0_usize, 0);
    let mut quoted = false;
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => drop(bytes.next()),
            b'[' | b'{' | b'(' if !quoted => {
                now += 1;
                deepest = deepest.max(now);
            }
            b']' | b'}' | b')' if !quoted => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}
