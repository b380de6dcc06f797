//! Edits lines of pg_dump so that they can run on a database that has the services already.

use super::INTERNAL;

/// Roles that every project has.
const ROLES: [&str; 17] = [
    "anon",
    "authenticated",
    "authenticator",
    "dashboard_user",
    "pgbouncer",
    "postgres",
    "pgsodium_keyholder",
    "pgsodium_keyiduser",
    "pgsodium_keymaker",
    "service_role",
    "supabase_admin",
    "supabase_auth_admin",
    "supabase_etl_admin",
    "supabase_functions_admin",
    "supabase_read_only_user",
    "supabase_realtime_admin",
    "supabase_replication_admin",
];

/// The beginnings of statements, and their replacements that tolerate an existing object.
const TOLERANT: [(&str, &str); 7] = [
    ("CREATE SCHEMA ", "CREATE SCHEMA IF NOT EXISTS "),
    ("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS "),
    ("CREATE SEQUENCE ", "CREATE SEQUENCE IF NOT EXISTS "),
    ("CREATE VIEW ", "CREATE OR REPLACE VIEW "),
    ("CREATE FUNCTION ", "CREATE OR REPLACE FUNCTION "),
    ("CREATE PROCEDURE ", "CREATE OR REPLACE PROCEDURE "),
    ("CREATE TRIGGER ", "CREATE OR REPLACE TRIGGER "),
];

/// The section of a dump that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DumpSection {
    /// Before the first statement of an entry.
    Heading,
    /// In an entry that is kept.
    Statement,
    /// In an entry that is left out.
    Excluded,
    /// Between the lines of a table's rows.
    Rows,
}

/// Edits a dump line by line.
pub(super) struct PortableLines {
    keeps_comments: bool,
    section: DumpSection,
    /// Whether the last printed line was empty.
    is_after_blank: bool,
}

impl PortableLines {
    pub fn new(keeps_comments: bool) -> Self {
        Self { keeps_comments, section: DumpSection::Statement, is_after_blank: true }
    }

    /// The edited line; none if it is left out.
    pub fn line(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let Ok(text) = std::str::from_utf8(line) else { return Some(line.to_vec()) };
        if self.section == DumpSection::Rows {
            if text.trim_end() == "\\." {
                self.section = DumpSection::Statement;
            }
            return Some(line.to_vec());
        }
        if let Some(entry) =
            text.strip_prefix("-- Name: ").or(text.strip_prefix("-- Data for Name: "))
        {
            self.section = match is_excluded(entry) {
                true => DumpSection::Excluded,
                false => DumpSection::Heading,
            };
            return self.comment(line);
        }
        if is_comment(text) {
            return self.comment(line);
        }
        // Only psql knows these two commands.
        if text.starts_with("\\restrict ") || text.starts_with("\\unrestrict ") {
            return None;
        }
        if self.section == DumpSection::Excluded {
            return None;
        }
        if text.trim().is_empty() {
            let is_second = std::mem::replace(&mut self.is_after_blank, true);
            return (!is_second || self.section == DumpSection::Statement && self.keeps_comments)
                .then(|| line.to_vec());
        }
        self.is_after_blank = false;
        if text.starts_with("COPY ") && text.trim_end().ends_with(" FROM stdin;") {
            self.section = DumpSection::Rows;
            return Some(line.to_vec());
        }
        if self.section == DumpSection::Heading {
            self.section = DumpSection::Statement;
            let tolerant = TOLERANT.iter().find(|(begin, _)| text.starts_with(begin));
            if let Some((begin, instead)) = tolerant {
                return Some(text.replacen(begin, instead, 1).into_bytes());
            }
        }
        Some(line.to_vec())
    }

    fn comment(&self, line: &[u8]) -> Option<Vec<u8>> {
        self.keeps_comments.then(|| line.to_vec())
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_end() == "--"
        || ["-- PostgreSQL database ", "-- Dumped ", "-- Roles", "-- User Config"]
            .iter()
            .any(|begin| line.starts_with(begin))
}

/// Whether the services create an entry, `name; Type: TYPE; Schema: schema; Owner: owner`.
fn is_excluded(entry: &str) -> bool {
    let field = |name: &str| {
        let value = entry.split("; ").find_map(|part| part.strip_prefix(name));
        value.map(str::trim_end).unwrap_or_default()
    };
    let name = entry.split("; ").next().unwrap_or_default();
    match field("Type: ") {
        "EVENT TRIGGER" => true,
        "PUBLICATION" => name.starts_with("supabase_realtime"),
        "COMMENT" => name.starts_with("EXTENSION ") || name.starts_with("PUBLICATION "),
        "DEFAULT ACL" => field("Owner: ") == "supabase_admin",
        // Grants on objects of extensions are dumped although their schemas are not; `postgres` can
        // grant them only through a login that the other database may lack.
        "ACL" => INTERNAL.contains(&field("Schema: ")),
        _ => false,
    }
}

/// Whether a line of pg_dumpall concerns a role of the project's own.
pub(super) fn is_of_project(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let names: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let is_platforms = |name: &&str| ROLES.contains(name) || name.starts_with("pg_");
    match names.as_slice() {
        [] => true,
        // A project may change the settings of the roles that answer requests.
        [name, ..] if text.starts_with("ALTER ROLE ") && text.contains(" SET ") => {
            !is_platforms(name) || ["anon", "authenticated", "authenticator"].contains(name)
        }
        [granted, member, ..] if text.starts_with("GRANT ") => {
            !(is_platforms(granted) && is_platforms(member))
        }
        [name, ..] => !is_platforms(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(dump: &str) -> String {
        let mut lines = PortableLines::new(false);
        let printed = dump.split_inclusive('\n').filter_map(|line| lines.line(line.as_bytes()));
        String::from_utf8(printed.flatten().collect()).expect("text")
    }

    #[test]
    fn statements_tolerate_what_is_there_already() {
        let dump = "--\n-- Name: it; Type: SCHEMA; Schema: -; Owner: postgres\n--\n\n\
                    CREATE SCHEMA \"it\";\n\n\n\
                    --\n-- Name: f(); Type: FUNCTION; Schema: it; Owner: postgres\n--\n\n\
                    CREATE FUNCTION \"it\".\"f\"() RETURNS \"void\"\n    AS $$\nCREATE TABLE x;\n$$;\n";
        assert_eq!(
            printed(dump),
            "CREATE SCHEMA IF NOT EXISTS \"it\";\n\n\
             CREATE OR REPLACE FUNCTION \"it\".\"f\"() RETURNS \"void\"\n    AS $$\nCREATE TABLE x;\n$$;\n"
        );
    }

    #[test]
    fn entries_of_services_are_left_out_whole() {
        let dump = "-- Name: pgrst_ddl_watch; Type: EVENT TRIGGER; Schema: -; Owner: supabase_admin\n--\n\n\
                    CREATE EVENT TRIGGER \"x\" ON ddl_command_end\n   EXECUTE FUNCTION \"f\"();\n\n\
                    -- Name: FUNCTION armor(bytea); Type: ACL; Schema: extensions; Owner: supabase_admin\n--\n\n\
                    GRANT ALL ON FUNCTION \"extensions\".\"armor\"(\"bytea\") TO \"postgres\";\n\n\
                    -- Name: a; Type: TABLE; Schema: public; Owner: postgres\n--\n\nCREATE TABLE \"a\" (\n);\n";
        assert_eq!(printed(dump), "CREATE TABLE IF NOT EXISTS \"a\" (\n);\n");
    }

    #[test]
    fn rows_stay_as_they_are() {
        let rows = "COPY \"public\".\"a\" (\"x\") FROM stdin;\n--\n-- Name: a; Type: EVENT TRIGGER\n\n\n\\restrict x\n\\.\n";
        assert_eq!(printed(rows), rows);
    }

    #[test]
    fn roles_of_services_are_left_out() {
        for line in [
            "CREATE ROLE \"crew\";",
            "ALTER ROLE \"anon\" SET \"statement_timeout\" TO '3s';",
            "GRANT \"crew\" TO \"authenticator\";",
            "SET x = on;",
        ] {
            assert!(is_of_project(line.as_bytes()), "{line}");
        }
        for line in [
            "CREATE ROLE \"anon\";",
            "ALTER ROLE \"postgres\" WITH LOGIN;",
            "GRANT \"anon\" TO \"authenticator\";",
        ] {
            assert!(!is_of_project(line.as_bytes()), "{line}");
        }
    }
}
