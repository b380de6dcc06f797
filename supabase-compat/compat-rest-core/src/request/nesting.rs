//! How deep brackets stand in each other, in bodies and in values whose grammar is PostgreSQL's: JSON,
//! text search. It recurses into them and gives up at some thousands, as if the server were at fault.

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
