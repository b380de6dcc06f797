//! A pool of reusable buffers for pieces of files.
//!
//! A piece is filled on one thread, and dropped on another when it was sent to its client. An
//! allocator keeps memory that is freed like this for each thread and each size; the pool keeps it
//! once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

/// The bytes of a buffer.
pub(super) const ROOM: usize = 64 * 1024;
/// The most unused buffers that are kept.
const KEPT: usize = 32;

/// The pool. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct BufferPool(Arc<Mutex<Vec<Vec<u8>>>>);

/// A piece of a file; its buffer returns to the pool when the last reference is dropped.
struct PooledBuffer {
    bytes: Vec<u8>,
    buffers: BufferPool,
}

impl BufferPool {
    /// A buffer for this many bytes, at most [`ROOM`]; short ones do not come from the pool.
    pub fn take(&self, length: usize) -> Vec<u8> {
        if length < ROOM / 2 {
            return Vec::with_capacity(length);
        }
        self.stock().pop().unwrap_or_else(|| Vec::with_capacity(ROOM))
    }

    /// The bytes that were read into a buffer.
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
    fn buffer_is_reused_after_its_last_slice() {
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
    fn small_buffers_are_exact_and_pool_is_bounded() {
        let buffers = BufferPool::default();
        assert_eq!(buffers.take(5).capacity(), 5);
        let in_use: Vec<Bytes> = (0..2 * KEPT).map(|_| buffers.piece(buffers.take(ROOM))).collect();
        drop(in_use);
        assert_eq!(buffers.stock().len(), KEPT);
    }
}
