//! The check that keeps fixed SQL honest: every statement in a crate's source is prepared by a
//! real server that has the crate's schema, and its columns are compared with what the source reads
//! them into.

mod json;
mod rows;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use compat_pg::PgError;
use rows::{CallPlace, ResultColumn, RowReader, RowTypes, place_of, readers_of, reads_rows};
use sqlx::postgres::PgColumn;
use sqlx::{AssertSqlSafe, PgConnection, Statement as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprCall, ExprLit, ExprMacro, Item, Lit, Token};

use crate::TestDatabase;

/// Functions of sqlx that take a statement's text first.
const TAKERS: [&str; 4] = ["query", "query_as", "query_scalar", "raw_sql"];

/// Functions of ours that take a statement's text and run it, with the index of the text among
/// their arguments. The text is checked where they are called; their own call of sqlx, whose text
/// is a parameter, is not checked. A helper that takes the query instead, like
/// `done(sqlx::query(…), connection)`, needs no entry.
const HELPERS: [(&str, usize); 4] = [("forget", 1), ("rows_of", 1), ("row_of", 1), ("perform", 1)];

/// Finds every statement handed to `sqlx::query`, `query_as`, `query_scalar` or `raw_sql` below
/// `<manifest_dir>/src` and prepares it. A text may be a literal, a constant of the same file,
/// `concat!` of literals or `include_str!`; any other argument, and a crate without a single
/// statement, fail. Texts may also be handed to one of `HELPERS` by its bare name, and to `Job::sql`.
///
/// The columns of `query_as` and `query_scalar` have to fit what they are read into: names, types, and
/// whether a value may be null, as far as the column of a table says it: of expressions, views and
/// outer joins that is not known. A statement that compares such a column behind `where` rules it out.
/// What `row_to_json` writes is compared with the struct that the JSON is read into.
/// Gives the places of those whose rows' type is not known here, by file below `src`, in order:
/// `store/server.rs: 1`.
pub async fn every_statement_prepares(manifest_dir: &str, db: &TestDatabase) -> Vec<String> {
    let folder = Path::new(manifest_dir).join("src");
    let mut types = RowTypes::default();
    let files: Vec<_> = rust_files(&folder).into_iter().map(SourceFile::read).collect();
    files.iter().for_each(|file| types.add(&file.path, &file.syntax));
    let statements: Vec<_> = files.iter().flat_map(statements_in).collect();
    assert!(!statements.is_empty(), "{manifest_dir} hands no statement to sqlx");
    let (mut faults, mut unknown) = (Vec::new(), BTreeMap::new());
    for FoundStatement { path, line, text, is_read, reader } in statements {
        let as_columns = text.as_deref().and_then(json::as_columns);
        let refusal = match text {
            None => Some("the statement's text is not fixed".to_owned()),
            Some(text) => {
                // Each in a transaction of its own, so that one refusal does not hide the next.
                let mut work = db.pools().owner.begin().await.expect("the database answers");
                let mut outcome = check(&mut work, &text).await;
                if let (Ok(_), Some(text)) = (&outcome, &as_columns) {
                    outcome = check(&mut work, text).await;
                }
                work.rollback().await.expect("the database answers");
                match outcome {
                    Err(error) => Some(format!("{}\n    {text}", PgError::from(error))),
                    Ok(columns) if is_read || as_columns.is_some() => {
                        let fits = if is_read { RowTypes::refusal } else { RowTypes::json_refusal };
                        match reader.and_then(|reader| fits(&types, path, reader, &columns)) {
                            Some(refusal) => refusal,
                            None => {
                                *unknown.entry(path).or_insert(0) += 1;
                                None
                            }
                        }
                    }
                    Ok(_) => None,
                }
            }
        };
        faults.extend(refusal.map(|refusal| format!("{}:{line}: {refusal}", path.display())));
    }
    assert!(faults.is_empty(), "{} statements fail:\n{}", faults.len(), faults.join("\n"));
    let below = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
    unknown.into_iter().map(|(path, count)| format!("{}: {count}", below(path))).collect()
}

/// The columns of a statement. A script of several statements cannot be prepared; it is run and
/// rolled back instead, and has no columns.
async fn check(work: &mut PgConnection, text: &str) -> Result<Vec<ResultColumn>, sqlx::Error> {
    use sqlx::{Connection, Executor, SqlSafeStr};
    let text = || AssertSqlSafe(text.to_owned()).into_sql_str();
    let mut attempt = work.begin().await?;
    let prepared = attempt.prepare(text()).await.map(|statement| statement.columns().to_vec());
    let problem = match prepared {
        Ok(columns) => return with_nullability(&mut attempt, columns, text().as_str()).await,
        Err(error) => error,
    };
    attempt.rollback().await?;
    let script = problem
        .as_database_error()
        .is_some_and(|refusal| refusal.message().starts_with("cannot insert multiple commands"));
    if !script {
        return Err(problem);
    }
    sqlx::raw_sql(text()).execute(work).await.map(|_| Vec::new())
}

/// Columns with their nullability, as far as PostgreSQL knows it. A table's column is nullable
/// unless it is declared `not null` or the statement compares it, which is never true for null.
async fn with_nullability(
    connection: &mut PgConnection,
    columns: Vec<PgColumn>,
    text: &str,
) -> Result<Vec<ResultColumn>, sqlx::Error> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let mut results = Vec::new();
    for column in columns {
        // A view's columns are never declared `not null`, even if they never are null.
        let nullable: Option<String> = sqlx::query_scalar(
            "select a.attname::text
             from pg_attribute as a
             join pg_class as c on c.oid = a.attrelid
             where a.attrelid = $1 and a.attnum = $2 and c.relkind in ('r', 'p') and not a.attnotnull",
        )
        .bind(column.relation_id())
        .bind(column.relation_attribute_no())
        .fetch_optional(&mut *connection)
        .await?;
        let may_be_null = nullable.is_some_and(|name| !is_compared(&words, &name));
        results.push(ResultColumn { column, may_be_null });
    }
    Ok(results)
}

/// Whether a statement compares a column behind `where`.
fn is_compared(words: &str, column: &str) -> bool {
    let mut conditions = words.split(" where ").skip(1);
    conditions.any(|condition| {
        ["is not null", "=", "<", ">", "in (", "like "].iter().any(|operator| {
            let comparison = format!("{column} {operator}");
            condition.match_indices(&comparison).any(|(at, _)| {
                !condition[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
            })
        })
    })
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A file of Rust.
struct SourceFile {
    path: PathBuf,
    syntax: syn::File,
    /// The types into which its calls read their rows.
    readers: HashMap<CallPlace, RowReader>,
}

impl SourceFile {
    fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
        let syntax =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let readers = readers_of(&syntax);
        Self { path, syntax, readers }
    }
}

/// A statement and where it stands.
struct FoundStatement<'a> {
    path: &'a Path,
    line: usize,
    /// `None` when it is not fixed.
    text: Option<String>,
    /// Whether its rows are read into a type.
    is_read: bool,
    /// `None` where the source does not say which.
    reader: Option<&'a RowReader>,
}

fn statements_in(file: &SourceFile) -> Vec<FoundStatement<'_>> {
    let mut constants = Constants { folder: &file.path, known: Vec::new() };
    constants.visit_file(&file.syntax);
    let mut search = Search { constants: &constants, file, handed: None, found: Vec::new() };
    search.visit_file(&file.syntax);
    search.found
}

/// The string constants of one file.
struct Constants<'a> {
    folder: &'a Path,
    known: Vec<(String, String)>,
}

impl Constants<'_> {
    /// The fixed text an expression stands for.
    fn text(&self, expression: &Expr) -> Option<String> {
        match expression {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            Expr::Reference(reference) => self.text(&reference.expr),
            Expr::Paren(inner) => self.text(&inner.expr),
            Expr::Path(path) => {
                let name = path.path.segments.last()?.ident.to_string();
                self.known.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone())
            }
            Expr::Macro(call) => self.expanded(call),
            _ => None,
        }
    }

    fn expanded(&self, call: &ExprMacro) -> Option<String> {
        let parts = arguments(call)?;
        if call.mac.path.is_ident("concat") {
            return parts.iter().map(|part| self.text(part)).collect();
        }
        if !call.mac.path.is_ident("include_str") {
            return None;
        }
        let name = self.text(parts.first()?)?;
        fs::read_to_string(self.folder.parent()?.join(name)).ok()
    }
}

impl<'ast> Visit<'ast> for Constants<'_> {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        if let Some(text) = self.text(&item.expr) {
            self.known.push((item.ident.to_string(), text));
        }
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        if let Some(text) = self.text(&item.expr) {
            self.known.push((item.ident.to_string(), text));
        }
    }
}

struct Search<'a, 'b> {
    constants: &'b Constants<'b>,
    file: &'a SourceFile,
    /// The text's parameter, inside a helper.
    handed: Option<String>,
    found: Vec<FoundStatement<'a>>,
}

impl Search<'_, '_> {
    fn note(&mut self, call: &ExprCall, text: Option<String>) {
        let line = call.span().start().line;
        let reader = self.file.readers.get(&place_of(call));
        let (path, is_read) = (self.file.path.as_path(), reads_rows(&call.func));
        self.found.push(FoundStatement { path, line, text, is_read, reader });
    }

    /// Whether this is the text parameter of the enclosing helper.
    fn is_helper_text(&self, text: &Expr) -> bool {
        let Expr::Path(path) = text else { return false };
        self.handed.as_ref().is_some_and(|name| path.path.is_ident(name))
    }
}

impl<'ast> Visit<'ast> for Search<'_, '_> {
    fn visit_item(&mut self, item: &'ast Item) {
        // Tests may write whatever SQL they like.
        if !matches!(item, Item::Mod(module) if module.attrs.iter().any(is_for_tests)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let place = place_in_helper(&item.sig.ident.to_string());
        let before = self.handed.take();
        self.handed = place.and_then(|place| parameter(&item.sig, place));
        syn::visit::visit_item_fn(self, item);
        self.handed = before;
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        let first = call.args.first().filter(|_| takes_a_statement(&call.func));
        if let Some(text) = first.filter(|text| !self.is_helper_text(text)) {
            self.note(call, self.constants.text(text));
        }
        if let Some(text) = helpers_place(&call.func).and_then(|place| call.args.get(place)) {
            self.note(call, self.constants.text(text));
        }
        syn::visit::visit_expr_call(self, call);
    }

    /// The arguments of a macro are usually expressions, for instance in `join!`.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(parts) = call.parse_body_with(parse) {
            // The visitor wants borrows that live as long as the file; these live shorter.
            let (constants, file, handed) = (self.constants, self.file, self.handed.clone());
            let mut inner = Search { constants, file, handed, found: Vec::new() };
            for part in &parts {
                inner.visit_expr(part);
            }
            self.found.append(&mut inner.found);
        }
    }
}

fn arguments(call: &ExprMacro) -> Option<Vec<Expr>> {
    let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
    call.mac.parse_body_with(parse).ok().map(|parts| parts.into_iter().collect())
}

/// `sqlx::query(…)` and its kin, with or without a turbofish.
fn takes_a_statement(function: &Expr) -> bool {
    let Expr::Path(path) = function else { return false };
    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
    names.next().is_some_and(|name| TAKERS.contains(&name.as_str()))
        && names.next().is_some_and(|name| name == "sqlx")
}

/// The index of the text in a call of a helper. Only a bare name counts as a helper: other
/// functions of the same name are called with their module's name.
fn helpers_place(function: &Expr) -> Option<usize> {
    let Expr::Path(path) = function else { return None };
    if is_sql_job(&path.path) {
        return Some(2);
    }
    place_in_helper(&path.path.get_ident()?.to_string())
}

/// `Job::sql(name, every, statement)`.
fn is_sql_job(path: &syn::Path) -> bool {
    let names: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
    names.ends_with(&["Job".to_owned(), "sql".to_owned()])
}

fn place_in_helper(name: &str) -> Option<usize> {
    HELPERS.iter().find(|(helper, _)| *helper == name).map(|(_, place)| *place)
}

/// The name of the parameter at this index.
fn parameter(signature: &syn::Signature, place: usize) -> Option<String> {
    let syn::FnArg::Typed(argument) = signature.inputs.get(place)? else { return None };
    let syn::Pat::Ident(name) = &*argument.pat else { return None };
    Some(name.ident.to_string())
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("cfg")
        && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
}
