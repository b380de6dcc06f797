//! Statements that name a function from the operator's settings: they cannot be files, and their
//! names cannot come from a request.

use compat_rest_core::schema::QualifiedName;
use compat_rest_core::sql::Sql;

/// Calls the function that runs before every request.
pub(crate) fn pre_request(function: &QualifiedName) -> String {
    let mut sql = Sql::default();
    sql.push("select ").name(function).push("()");
    sql.finish().0
}

/// Calls the function that makes `pgrst.*` settings, and reads those named by `$1` afterwards: the
/// settings last as long as this one statement.
pub(crate) fn made_settings(function: &QualifiedName) -> String {
    let mut sql = Sql::default();
    sql.push("with made as materialized (select ").name(function);
    // A materialised part computes its columns even if no query names them.
    sql.push(
        "() as called) select setting as name, current_setting('pgrst.' || setting, true) \
         as value from made, unnest($1::text[]) as setting \
         where coalesce(current_setting('pgrst.' || setting, true), '') <> ''",
    );
    sql.finish().0
}

/// A quoted search path: the requested schema, then the extra ones, also where that names one twice,
/// since plans show it.
pub(crate) fn search_path<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut sql = Sql::default();
    sql.join(", ", names, |sql, name| {
        sql.ident(name);
    });
    sql.finish().0
}
