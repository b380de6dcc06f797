//! How one relation reaches another.

use super::{Name, QualifiedName};

/// A foreign key seen from one of its ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub constraint: Name,
    /// Pairs of (column of the origin, column of the target).
    pub columns: Vec<(Name, Name)>,
}

/// The table between the two ends of a many-to-many relationship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Junction {
    pub table: QualifiedName,
    pub source_constraint: Name,
    pub target_constraint: Name,
    /// Pairs of (column of the origin, column of the junction).
    pub source: Vec<(Name, Name)>,
    /// Pairs of (column of the target, column of the junction).
    pub target: Vec<(Name, Name)>,
}

/// What connects the two relations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    ManyToOne(Key),
    OneToMany(Key),
    OneToOne(Key),
    ManyToMany(Junction),
    /// A function from the origin's row type; it hides detected relationships of the same name.
    Computed {
        function: QualifiedName,
        to_one: bool,
    },
}

/// A direction in which a relation may be embedded into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relationship {
    pub origin: QualifiedName,
    pub target: QualifiedName,
    pub target_is_view: bool,
    pub link: Link,
}

impl Relationship {
    /// True when an origin row meets at most one target row.
    pub fn to_one(&self) -> bool {
        match &self.link {
            Link::ManyToOne(_) | Link::OneToOne(_) => true,
            Link::Computed { to_one, .. } => *to_one,
            Link::OneToMany(_) | Link::ManyToMany(_) => false,
        }
    }

    /// True for a function of the origin's row.
    pub fn is_computed(&self) -> bool {
        matches!(self.link, Link::Computed { .. })
    }

    /// True when both ends are the same relation.
    pub fn is_self(&self) -> bool {
        self.origin == self.target
    }

    /// The foreign key, for links that are one key.
    pub fn key(&self) -> Option<&Key> {
        match &self.link {
            Link::ManyToOne(key) | Link::OneToMany(key) | Link::OneToOne(key) => Some(key),
            Link::ManyToMany(_) | Link::Computed { .. } => None,
        }
    }
}
