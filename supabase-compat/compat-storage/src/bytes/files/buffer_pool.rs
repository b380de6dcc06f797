//! Memory that pieces of files are read into, used again and again.
//!
//! A piece is filled on one thread and dropped on another when its client has it. An allocator
//! keeps what was freed that way for each thread and each size; a stock of rooms keeps it once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// Bytes of a room.
pub(super) const ROOM: usize = 64 * 1024;
/// Rooms kept while nobody needs them.
const KEPT: usize = 32;

/// The stock. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct BufferPool(Arc<Mutex<Vec<Vec<u8>>>>);

/// A piece of a file; its room goes back when nobody has it any more.
struct PooledBuffer {
    bytes: Vec<u8>,
    buffers: BufferPool,
}

impl BufferPool {
    /// Room for this many bytes, [`ROOM`] at most; little needs none of the stock.
    pub fn take(&self, length: usize) -> Vec<u8> {
        if length < ROOM / 2 {
            return Vec::with_capacity(length);
        }
        self.stock().pop().unwrap_or_else(|| Vec::with_capacity(ROOM))
    }

    /// What was read into a room.
    pub fn piece(&self, bytes: Vec<u8>) -> Bytes {
        match bytes.capacity() == ROOM {
            true => Bytes::from_owner(PooledBuffer { bytes, buffers: self.clone() }),
            false => bytes.into(),
        }
    }

    fn stock(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AsRef<[u8]> for PooledBuffer {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for PooledBuffer {
    fn drop(&mut self) {
        let mut room = std::mem::take(&mut self.bytes);
        let mut stock = self.buffers.stock();
        if stock.len() < KEPT {
            room.clear();
            stock.push(room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_used_again_once_nobody_has_its_piece() {
        let buffers = BufferPool::default();
        let mut room = buffers.take(ROOM);
        let place = room.as_ptr();
        room.extend_from_slice(b"first");
        let piece = buffers.piece(room);
        let part = piece.slice(1..3);
        drop(piece);
        let other = buffers.take(ROOM);
        assert_ne!(other.as_ptr(), place);
        assert_eq!(part, b"ir"[..]);
        drop(part);
        let again = buffers.take(ROOM);
        assert_eq!((again.as_ptr(), again.len()), (place, 0));
    }

    #[test]
    fn little_needs_no_room_and_many_rooms_are_not_kept() {
        let buffers = BufferPool::default();
        assert_eq!(buffers.take(5).capacity(), 5);
        let taken: Vec<Bytes> = (0..2 * KEPT).map(|_| buffers.piece(buffers.take(ROOM))).collect();
        drop(taken);
        assert_eq!(buffers.stock().len(), KEPT);
    }
}
