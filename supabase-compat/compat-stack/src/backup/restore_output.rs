//! Tells harmless errors of `pg_restore` from others: a grant on a function that an extension no
//! longer has may be lost.

/// The prefix of an error that the server reported.
const REFUSAL: &str = "pg_restore: error: could not execute query: ERROR:";
/// The prefix of every fatal error.
const ERROR: &str = "pg_restore: error:";
/// The prefix of the line with the failed command.
const COMMAND: &str = "Command was: ";

/// The failed commands, if all of them are grants or revocations on functions that do not exist;
/// none if anything else failed.
pub(super) fn obsolete_grants(output: &str) -> Option<Vec<String>> {
    let mut commands = Vec::new();
    let mut lines = output.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with(ERROR) {
            continue;
        }
        if !line.starts_with(REFUSAL) || !line.ends_with("does not exist") {
            return None;
        }
        let command = lines.next()?.strip_prefix(COMMAND)?;
        let is_grant = ["GRANT ", "REVOKE "].iter().any(|word| command.starts_with(word));
        if !is_grant || !command.contains(" ON FUNCTION ") {
            return None;
        }
        commands.push(command.to_owned());
    }
    (!commands.is_empty()).then_some(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRANT: &str = "pg_restore: error: could not execute query: ERROR:  function x.f(oid) does not exist\n\
        Command was: GRANT ALL ON FUNCTION x.f(a oid) TO postgres;\n\n";

    #[test]
    fn obsolete_function_grants_are_recognised() {
        let output = format!("{GRANT}pg_restore: warning: errors ignored on restore: 1");
        let expected = vec!["GRANT ALL ON FUNCTION x.f(a oid) TO postgres;".to_owned()];
        assert_eq!(obsolete_grants(&output), Some(expected));
    }

    #[test]
    fn any_other_failure_counts() {
        let table = "pg_restore: error: could not execute query: ERROR:  relation \"t\" does not exist\n\
            Command was: GRANT ALL ON TABLE t TO postgres;\n";
        let function = "pg_restore: error: could not execute query: ERROR:  type \"t\" does not exist\n\
            Command was: CREATE FUNCTION f() RETURNS t;\n";
        let archive = "pg_restore: error: unexpected end of file\n";
        for output in [table, function, archive, "", "killed"] {
            assert_eq!(
                obsolete_grants(&format!("{GRANT}{output}")).is_none(),
                output.contains("error")
            );
            assert_eq!(obsolete_grants(output), None);
        }
    }
}
