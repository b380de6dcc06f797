//! The schema of each parameter in the description, the same in every dialect: the rules by which
//! `model` parses it.

use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{AnyOfBuilder, ObjectBuilder, SchemaFormat};
use utoipa::openapi::{RefOr, Schema, Type};

/// A server's token or its public id.
const KEY: &str = "^[A-Za-z0-9_-]{16,128}$";

/// A nickname, without surrounding whitespace.
const PLAYER: &str = r"^[\p{L}\p{N}_\-.'#@\[\]()|~!+*=$^:,][\p{L}\p{N} _\-.'#@\[\]()|~!+*=$^:,]{0,48}[\p{L}\p{N}_\-.'#@\[\]()|~!+*=$^:,]$";

/// The figures in serveur-prive.net's first API.
const FIGURES: [&str; 5] = ["position", "vote", "clic", "commentaire", "note"];

/// The months for which top-serveurs.net ranks players.
const MONTHS: [&str; 2] = ["current", "lastMonth"];

/// Adds the schemas to an operation's parameters.
pub(super) fn describe(operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else { continue };
        match &*parameter.name {
            "server" | "server_token" | "key" => parameter.schema = Some(text(KEY)),
            "ip" => parameter.schema = Some(address()),
            "playername" | "username" | "steam_id" | "steamid" => {
                parameter.schema = Some(text(PLAYER));
            }
            "figure" => parameter.schema = Some(one_of(&FIGURES)),
            "type" => parameter.schema = Some(one_of(&MONTHS)),
            _ => {}
        }
    }
}

fn text(pattern: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).build().into()
}

fn one_of(words: &[&'static str]) -> RefOr<Schema> {
    let words = Some(words.iter().copied());
    ObjectBuilder::new().schema_type(Type::String).enum_values(words).build().into()
}

fn address() -> RefOr<Schema> {
    let of = |format: &str| {
        let format = SchemaFormat::Custom(format.to_owned());
        ObjectBuilder::new().schema_type(Type::String).format(Some(format)).build()
    };
    AnyOfBuilder::new().item(of("ipv4")).item(of("ipv6")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::nickname::MAX_CHARS;

    #[test]
    fn the_longest_name_described_is_the_longest_taken() {
        assert!(PLAYER.contains(&format!("{{0,{}}}", MAX_CHARS - 2)));
    }
}
