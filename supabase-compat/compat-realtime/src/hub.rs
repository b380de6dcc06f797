//! The rooms of this process: who is in them, what is said there, who is present.
//!
//! A room is a topic, public or private; both may exist with one name and know nothing of each
//! other. The lock of the rooms is taken before that of a room; the queues of sockets come last.

mod broadcast;
mod presence;
mod room;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

pub(crate) use broadcast::Broadcast;
pub(crate) use presence::{Presence, PresenceDiff};
use room::Room;
pub(crate) use room::{Entrance, Member, Membership};

use crate::relay::RelayQueue;

/// The name of a room.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RoomName {
    /// Whole, with `realtime:`.
    pub topic: Arc<str>,
    pub is_private: bool,
}

/// Who is in a room, as a number nobody else has.
pub(crate) type MemberId = u64;

/// All rooms of this process. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hub(Arc<Inner>);

struct Inner {
    rooms: Mutex<HashMap<RoomName, Arc<Room>>>,
    members: AtomicU64,
    /// To the other processes.
    relay: RelayQueue,
}

impl Hub {
    /// Without rooms; what happens in one is told to the other processes through `relay`.
    pub fn new(relay: RelayQueue) -> Self {
        Self(Arc::new(Inner { rooms: Mutex::default(), members: AtomicU64::new(0), relay }))
    }

    /// Enters a room, and tells by whom it may be left again. What `entrance` gives is sent before
    /// anything that happens in the room from now on.
    pub fn enter(&self, name: &RoomName, member: Member, entrance: &Entrance<'_>) -> Membership {
        let id = self.0.members.fetch_add(1, Ordering::Relaxed);
        let mut rooms = self.rooms();
        let room = rooms.entry(name.clone()).or_insert_with(|| Arc::new(Room::new(name.clone())));
        // Entered under the lock of the rooms, so that no empty room is removed meanwhile.
        room.enter(id, member, entrance);
        Membership::new(self.clone(), Arc::clone(room), id)
    }

    /// Says something to everybody in a room but one, in all processes; gives to how many of this
    /// one.
    pub fn broadcast(
        &self,
        name: &RoomName,
        broadcast: Broadcast,
        except: Option<MemberId>,
    ) -> usize {
        let receivers = self.room(name).map_or(0, |room| room.broadcast(&broadcast, except));
        self.0.relay.broadcast(name, broadcast);
        receivers
    }

    /// Says something to everybody of this process in a room: what came from another process, or
    /// from the database, where every process reads for itself.
    pub fn deliver(&self, name: &RoomName, broadcast: &Broadcast) -> usize {
        self.room(name).map_or(0, |room| room.broadcast(broadcast, None))
    }

    /// Takes over what became of presences in another process.
    pub fn merge_presences(&self, name: &RoomName, node: Uuid, diff: PresenceDiff) {
        let mut rooms = self.rooms();
        let room = rooms.entry(name.clone()).or_insert_with(|| Arc::new(Room::new(name.clone())));
        room.merge(node, diff);
        self.forget_if_empty(rooms, name);
    }

    /// Makes the presences of another process those of `states`, room by room.
    pub fn replace_presences(&self, node: Uuid, states: HashMap<RoomName, Vec<Presence>>) {
        let known: Vec<RoomName> = self.rooms().keys().cloned().collect();
        for name in known.into_iter().filter(|name| !states.contains_key(name)) {
            self.replace(&name, node, Vec::new());
        }
        for (name, presences) in states {
            self.replace(&name, node, presences);
        }
    }

    fn replace(&self, name: &RoomName, node: Uuid, presences: Vec<Presence>) {
        let mut rooms = self.rooms();
        let room = rooms.entry(name.clone()).or_insert_with(|| Arc::new(Room::new(name.clone())));
        room.replace(node, presences);
        self.forget_if_empty(rooms, name);
    }

    /// The presences that members of this process have, by room.
    pub fn local_presences(&self) -> Vec<(RoomName, Vec<Presence>)> {
        let rooms: Vec<Arc<Room>> = self.rooms().values().cloned().collect();
        let states = rooms.iter().map(|room| (room.name.clone(), room.local_presences()));
        states.filter(|(_, presences)| !presences.is_empty()).collect()
    }

    /// How many rooms there are.
    pub fn count(&self) -> usize {
        self.rooms().len()
    }

    fn room(&self, name: &RoomName) -> Option<Arc<Room>> {
        self.rooms().get(name).cloned()
    }

    fn leave(&self, name: &RoomName, id: MemberId) {
        let rooms = self.rooms();
        let diff = rooms.get(name).map(|room| room.leave(id)).unwrap_or_default();
        self.forget_if_empty(rooms, name);
        self.0.relay.presences(name, &diff);
    }

    fn tell(&self, name: &RoomName, diff: &PresenceDiff) {
        self.0.relay.presences(name, diff);
    }

    fn forget_if_empty(
        &self,
        mut rooms: MutexGuard<'_, HashMap<RoomName, Arc<Room>>>,
        name: &RoomName,
    ) {
        if rooms.get(name).is_some_and(|room| room.is_empty()) {
            rooms.remove(name);
        }
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<RoomName, Arc<Room>>> {
        self.0.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
