//! Decides when a connection may serve another session: by its texts, and by the state that the
//! server reports.
//!
//! Only plain statements keep a connection open: their first words tell what they do. A function
//! that one of them calls may still change the session. `DISCARD ALL` undoes that, and the
//! session's state is compared with its initial state. Two things remain: a custom parameter that a
//! function has set reads as an empty text where a new session does not know it, as behind every
//! pooler; and a language with session variables (`plperl`) keeps them.

use crate::project::{first_words, statements};

/// The first words of plain statements.
const PLAIN: [&str; 8] =
    ["select", "with", "values", "table", "show", "insert", "update", "delete"];

/// Text that occurs in statements whose effects a reset does not undo: custom parameters, the seed
/// of `random`, connections to other servers, temporary replication slots. The last one begins a
/// name with Unicode escapes, which could hide one of the others.
const LASTING: [&str; 5] = ["set_config", "setseed", "dblink", "replication_slot", "u&\""];

/// Queries the state that a reset must restore: session user and current role, initial settings,
/// the server process, and that nothing of a statement is left.
pub(super) const SESSION_STATE: &str = "select pg_catalog.concat_ws(' ', pg_catalog.pg_backend_pid(), \
        session_user, current_user, pg_catalog.current_setting('role'), \
        pg_catalog.current_setting('search_path'), pg_catalog.current_setting('application_name'), \
        pg_catalog.current_setting('default_transaction_read_only'), \
        pg_catalog.current_setting('transaction_read_only'), pg_catalog.pg_my_temp_schema(), \
        exists (select from pg_catalog.pg_listening_channels()), \
        exists (select from pg_catalog.pg_prepared_statement()), \
        exists (select from pg_catalog.pg_cursor() as c where c.name <> ''), r.rolsuper, r.rolcanlogin, \
        (select pg_catalog.string_agg(s::pg_catalog.text, ' ') from pg_catalog.pg_db_role_setting as s \
            where s.setrole in (0, r.oid) and s.setdatabase in (0, (select d.oid \
                from pg_catalog.pg_database as d where d.datname = pg_catalog.current_database())))) \
    from pg_catalog.pg_roles as r where r.rolname = session_user";

/// Whether a text consists of plain statements, judged by its words.
pub(super) fn is_plain(text: &str) -> bool {
    let parts = statements(text);
    let is_plain_word = |word: &String| PLAIN.contains(&word.as_str());
    let are_plain =
        parts.iter().all(|part| first_words(part.text).first().is_some_and(is_plain_word));
    let lower = text.to_ascii_lowercase();
    are_plain && LASTING.iter().all(|word| !lower.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_are_known_by_their_words() {
        for (text, expected) in [
            ("", true),
            ("-- set role x", true),
            ("select 1", true),
            ("/* a */ (SELECT 1); with a as (select 1) table a;", true),
            ("update t set role = 'x' returning *", true),
            ("select ';set role x'", true),
            ("select 1; set role x", false),
            ("begin; select 1; commit", false),
            ("do $$ begin end $$", false),
            ("show search_path", true),
            ("explain analyze select 1", false),
            ("create temp table t (a int)", false),
            ("alter role x set work_mem = '1MB'", false),
            ("call p()", false),
            ("prepare p as select 1", false),
            ("select Set_Config('a.b', '', false)", false),
            ("select \"set_config\"('a.b', '', false)", false),
            ("select U&\"set\\005fconfig\"('a.b', '', false)", false),
            ("select extensions.dblink_connect('x')", false),
            ("select pg_create_logical_replication_slot('a', 'b', true)", false),
        ] {
            assert_eq!(is_plain(text), expected, "{text}");
        }
    }

    #[test]
    fn random_texts_are_looked_through() {
        compat_testkit::property_test("texts", "\\PC{0,60}", |text: String| {
            is_plain(&text);
        });
    }
}
