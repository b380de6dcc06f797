//! Plans how parts of any length become pieces that a store accepts: only the last may be shorter
//! than 5 MiB.
//!
//! Long parts are copied within the store; short ones are read and sent again together with what
//! follows them. This module does no I/O.

use std::ops::Range;

/// The shortest piece that is not the last one.
pub(super) const SHORTEST: u64 = 5 * 1024 * 1024;
/// The longest piece that is copied at once; the store would accept five times as much.
const LONGEST: u64 = 1024 * 1024 * 1024;

/// A range of bytes of the part at this index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PartRange {
    pub part: usize,
    pub range: Range<u64>,
}

/// A piece of the assembled content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AssemblyStep {
    /// A piece that is copied within the store.
    Copied(PartRange),
    /// A piece that is read and sent again: at most [`SHORTEST`] bytes.
    Sent(Vec<PartRange>),
}

/// The pieces that make up parts of these lengths, in this order.
pub(super) fn plan(lengths: &[u64]) -> Vec<AssemblyStep> {
    let (mut pieces, mut gathered, mut length) = (Vec::new(), Vec::new(), 0);
    for (part, part_length) in lengths.iter().copied().enumerate() {
        let mut at = 0;
        while at < part_length {
            let left = part_length - at;
            let is_copied = length == 0 && left >= SHORTEST;
            // A store refuses a short piece unless it is the last, so bytes of the next part
            // complete it.
            let size = left.min(if is_copied { LONGEST } else { SHORTEST - length });
            let slice = PartRange { part, range: at..at + size };
            at += size;
            if is_copied {
                pieces.push(AssemblyStep::Copied(slice));
                continue;
            }
            gathered.push(slice);
            length += size;
            if length == SHORTEST {
                pieces.push(AssemblyStep::Sent(std::mem::take(&mut gathered)));
                length = 0;
            }
        }
    }
    if length > 0 {
        pieces.push(AssemblyStep::Sent(gathered));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slices(piece: &AssemblyStep) -> &[PartRange] {
        match piece {
            AssemblyStep::Copied(slice) => std::slice::from_ref(slice),
            AssemblyStep::Sent(slices) => slices,
        }
    }

    fn length(piece: &AssemblyStep) -> u64 {
        slices(piece).iter().map(|slice| slice.range.end - slice.range.start).sum()
    }

    #[test]
    fn short_part_is_filled_from_the_next() {
        let mib = 1024 * 1024;
        let pieces = plan(&[6 * mib, 2 * mib, 9 * mib]);
        assert_eq!(
            pieces,
            [
                AssemblyStep::Copied(PartRange { part: 0, range: 0..6 * mib }),
                AssemblyStep::Sent(vec![
                    PartRange { part: 1, range: 0..2 * mib },
                    PartRange { part: 2, range: 0..3 * mib },
                ]),
                AssemblyStep::Copied(PartRange { part: 2, range: 3 * mib..9 * mib }),
            ]
        );
        assert_eq!(plan(&[]), []);
        assert_eq!(plan(&[0, 0]), []);
    }

    proptest! {
        #[test]
        fn assembled_pieces_keep_order_and_minimum_length(
            lengths in proptest::collection::vec(
                prop_oneof![0..3_u64, 0..2 * SHORTEST, 0..3 * LONGEST, Just(SHORTEST)], 0..40,
            ),
        ) {
            let pieces = plan(&lengths);
            let mut read = vec![0; lengths.len()];
            let mut last = 0;
            for slice in pieces.iter().flat_map(slices) {
                prop_assert!(slice.part >= last);
                prop_assert_eq!(slice.range.start, read[slice.part]);
                read[slice.part] = slice.range.end;
                last = slice.part;
            }
            prop_assert_eq!(read, lengths);
            for (at, piece) in pieces.iter().enumerate() {
                prop_assert!(length(piece) >= SHORTEST || at + 1 == pieces.len());
                let most = if matches!(piece, AssemblyStep::Copied(_)) { LONGEST } else { SHORTEST };
                prop_assert!(length(piece) <= most);
            }
        }
    }
}
