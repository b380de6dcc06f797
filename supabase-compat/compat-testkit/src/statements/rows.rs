//! What the rows of a statement are read into, as far as the source says it where the statement is.
//!
//! A type is known from a turbofish, from the type of the variable that the rows are put into, or
//! from what the function around it returns. What is known no other way is named, not guessed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sqlx::Column as _;
use sqlx::postgres::{PgColumn, PgTypeInfo, Postgres};
use sqlx::types::Uuid;
use sqlx::types::chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::visit::Visit;
use syn::{
    Block, Expr, ExprCall, GenericArgument, Pat, PathArguments, ReturnType, Stmt, Token, Type,
};

use super::json;

/// Functions of sqlx whose rows are read into a type.
const READERS: [&str; 2] = ["query_as", "query_scalar"];

/// Where a call begins: line and column.
pub(super) type CallPlace = (usize, usize);

/// The types of a crate that rows may be read into.
#[derive(Default)]
pub(super) struct RowTypes {
    structs: Vec<RowStruct>,
    /// Those that JSON is read into.
    pub(super) json_structs: Vec<RowStruct>,
    aliases: Vec<(PathBuf, String, Type)>,
    /// Where the names that a file imports come from.
    imports: HashMap<(PathBuf, String), Vec<String>>,
}

pub(super) struct RowStruct {
    pub file: PathBuf,
    pub name: String,
    pub fields: Vec<RowField>,
}

pub(super) struct RowField {
    pub column: String,
    pub ty: Type,
    pub kind: FieldKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Plain,
    /// Read from a JSON column.
    Json,
    /// May be absent.
    Optional,
    /// Not read.
    Skipped,
}

/// A column of a statement's rows.
pub(super) struct ResultColumn {
    pub column: PgColumn,
    /// Whether its values may be null; false where PostgreSQL does not know it.
    pub may_be_null: bool,
}

/// What a call reads its rows into.
pub(super) struct RowReader {
    /// One value, instead of a row.
    pub is_scalar: bool,
    /// `None` where the source does not say.
    pub ty: Option<Type>,
}

impl RowTypes {
    /// Notes the types of a file.
    pub fn add(&mut self, path: &Path, file: &syn::File) {
        TypeSearch { types: self, path }.visit_file(file);
    }

    /// Why rows of these columns cannot be read so, or that they can; `None` where a type is not known
    /// here.
    pub fn refusal(
        &self,
        path: &Path,
        reader: &RowReader,
        columns: &[ResultColumn],
    ) -> Option<Option<String>> {
        let ty = reader.ty.as_ref()?;
        if reader.is_scalar {
            let [column] = columns else {
                return Some(Some(format!("{} columns are read as one value", columns.len())));
            };
            return self.column_refusal(path, ty, column);
        }
        let resolved = self.alias(path, ty);
        match resolved.unwrap_or(ty) {
            Type::Tuple(tuple) if tuple.elems.len() == columns.len() => {
                self.first_refusal(tuple.elems.iter().zip(columns), path)
            }
            Type::Tuple(tuple) => Some(Some(format!(
                "{} columns are read into {} values",
                columns.len(),
                tuple.elems.len()
            ))),
            Type::Path(_) => self.struct_refusal(path, resolved.unwrap_or(ty), columns),
            _ => None,
        }
    }

    fn struct_refusal(
        &self,
        path: &Path,
        ty: &Type,
        columns: &[ResultColumn],
    ) -> Option<Option<String>> {
        let name = last_name(ty).unwrap_or_default();
        let row = self.find(&self.structs, path, &name)?;
        let mut pairs = Vec::new();
        for field in &row.fields {
            let column = columns.iter().find(|column| column.column.name() == field.column);
            match (column, field.kind) {
                (_, FieldKind::Skipped) | (None, FieldKind::Optional) => {}
                (None, _) => {
                    let lack = format!("there is no column {}, which {name} reads", field.column);
                    return Some(Some(lack));
                }
                (Some(column), FieldKind::Json) => {
                    if !["JSON", "JSONB"].contains(&type_name(&column.column).as_str()) {
                        return Some(Some(mismatch(&column.column, "JSON")));
                    }
                }
                (Some(column), _) => pairs.push((&field.ty, column)),
            }
        }
        self.first_refusal(pairs.into_iter(), &row.file)
    }

    fn first_refusal<'a>(
        &self,
        pairs: impl Iterator<Item = (&'a Type, &'a ResultColumn)>,
        path: &Path,
    ) -> Option<Option<String>> {
        for (ty, column) in pairs {
            if let Some(refusal) = self.column_refusal(path, ty, column)? {
                return Some(Some(refusal));
            }
        }
        Some(None)
    }

    fn column_refusal(
        &self,
        path: &Path,
        ty: &Type,
        ResultColumn { column, may_be_null }: &ResultColumn,
    ) -> Option<Option<String>> {
        let ty = self.alias(path, ty).unwrap_or(ty);
        let optional = inner_of(ty, "Option");
        let name = rust_name(optional.unwrap_or(ty));
        let fits = is_compatible(&name, column.type_info())?;
        if fits && *may_be_null && optional.is_none() {
            return Some(Some(format!("column {} may be null, read as {name}", column.name())));
        }
        Some((!fits).then(|| mismatch(column, &name)))
    }

    fn alias(&self, path: &Path, ty: &Type) -> Option<&Type> {
        let name = last_name(ty)?;
        let entry = self.aliases.iter().find(|(file, alias, _)| file == path && *alias == name);
        entry.map(|(.., ty)| ty)
    }

    /// The struct of this name: of the same file, or of the module from which the file imports it, or
    /// the only one of the crate.
    pub(super) fn find<'a>(
        &self,
        structs: &'a [RowStruct],
        path: &Path,
        name: &str,
    ) -> Option<&'a RowStruct> {
        let named: Vec<&RowStruct> = structs.iter().filter(|row| row.name == name).collect();
        let module = self.imports.get(&(path.to_owned(), name.to_owned()));
        let is_imported = |row: &&&RowStruct| {
            let stem = row.file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            module.is_some_and(|module| module.last().is_some_and(|last| last == stem))
        };
        let here = named.iter().find(|row| row.file == path);
        let only = || named.first().filter(|_| named.len() == 1);
        here.or_else(|| named.iter().find(is_imported)).or_else(only).copied()
    }
}

pub(super) fn mismatch(column: &PgColumn, rust: &str) -> String {
    format!("column {} is {}, read as {rust}", column.name(), type_name(column))
}

pub(super) fn type_name(column: &PgColumn) -> String {
    column.type_info().to_string()
}

/// Whether a value of this PostgreSQL type can be read as this Rust type; none where the type is not
/// known here.
fn is_compatible(rust: &str, info: &PgTypeInfo) -> Option<bool> {
    macro_rules! one_of {
        ($($name:literal => $ty:ty),* $(,)?) => {
            match rust {
                $(
                    $name => <$ty as sqlx::Type<Postgres>>::compatible(info),
                    concat!("Vec<", $name, ">") => <Vec<$ty> as sqlx::Type<Postgres>>::compatible(info),
                )*
                _ => return None,
            }
        };
    }
    if rust == "Vec<u8>" {
        return Some(<Vec<u8> as sqlx::Type<Postgres>>::compatible(info));
    }
    Some(one_of! {
        "bool" => bool,
        "i16" => i16,
        "i32" => i32,
        "i64" => i64,
        "f32" => f32,
        "f64" => f64,
        "String" => String,
        "Uuid" => Uuid,
        "DateTime<Utc>" => DateTime<Utc>,
        "NaiveDate" => NaiveDate,
        "NaiveDateTime" => NaiveDateTime,
        "NaiveTime" => NaiveTime,
        "Value" => serde_json::Value,
    })
}

/// The type as this module writes it: last names only, `Json<T>` as the value it is.
pub(super) fn rust_name(ty: &Type) -> String {
    let Type::Path(path) = ty else { return "?".to_owned() };
    let Some(last) = path.path.segments.last() else { return "?".to_owned() };
    let name = last.ident.to_string();
    if name == "Json" {
        return "Value".to_owned();
    }
    if let Some(inner) = inner_of(ty, "Option") {
        return rust_name(inner);
    }
    match &last.arguments {
        PathArguments::AngleBracketed(list) => {
            let names: Vec<String> = list
                .args
                .iter()
                .filter_map(|argument| match argument {
                    GenericArgument::Type(ty) => Some(rust_name(ty)),
                    _ => None,
                })
                .collect();
            format!("{name}<{}>", names.join(", "))
        }
        _ => name,
    }
}

pub(super) fn last_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|segment| segment.ident.to_string())
}

/// `T` of `Name<T, …>`.
pub(super) fn inner_of<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    list.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

struct TypeSearch<'a> {
    types: &'a mut RowTypes,
    path: &'a Path,
}

impl<'ast> Visit<'ast> for TypeSearch<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if derives(&item.attrs, "Deserialize") {
            self.types.json_structs.push(json::row_struct(self.path, item));
        }
        if !derives(&item.attrs, "FromRow") {
            return;
        }
        let fields = item.fields.iter().filter_map(|field| {
            let mut column = field.ident.as_ref()?.to_string();
            let mut kind = FieldKind::Plain;
            for attribute in field.attrs.iter().filter(|one| one.path().is_ident("sqlx")) {
                // What is none of these is not known, and then no column is found.
                let _ = attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("rename") {
                        column = meta.value()?.parse::<syn::LitStr>()?.value();
                    } else if meta.path.is_ident("json") {
                        kind = FieldKind::Json;
                    } else if meta.path.is_ident("default") {
                        kind = FieldKind::Optional;
                    } else if meta.path.is_ident("skip") {
                        kind = FieldKind::Skipped;
                    }
                    Ok(())
                });
            }
            Some(RowField { column, ty: field.ty.clone(), kind })
        });
        self.types.structs.push(RowStruct {
            file: self.path.to_owned(),
            name: item.ident.to_string(),
            fields: fields.collect(),
        });
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        let alias = (self.path.to_owned(), item.ident.to_string(), (*item.ty).clone());
        self.types.aliases.push(alias);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.note_imports(&item.tree, &mut Vec::new());
    }
}

impl TypeSearch<'_> {
    fn note_imports(&mut self, tree: &syn::UseTree, module: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                module.push(path.ident.to_string());
                self.note_imports(&path.tree, module);
                module.pop();
            }
            syn::UseTree::Name(name) => {
                let key = (self.path.to_owned(), name.ident.to_string());
                self.types.imports.insert(key, module.clone());
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.note_imports(item, module));
            }
            syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => {}
        }
    }
}

fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().filter(|one| one.path().is_ident("derive")).any(|attribute| {
        let mut derives_trait = false;
        let _ = attribute.parse_nested_meta(|meta| {
            derives_trait |= meta.path.segments.last().is_some_and(|last| last.ident == name);
            Ok(())
        });
        derives_trait
    })
}

/// Whether a function of sqlx reads rows into a type.
pub(super) fn reads_rows(function: &Expr) -> bool {
    reader(function).is_some()
}

/// What each call of a file reads its rows into.
pub(super) fn readers_of(file: &syn::File) -> HashMap<CallPlace, RowReader> {
    let mut search = ReaderSearch::default();
    search.visit_file(file);
    search.readers
}

/// The place of a call, by which [`readers_of`] knows it.
pub(super) fn place_of(call: &ExprCall) -> CallPlace {
    let start = call.span().start();
    (start.line, start.column)
}

#[derive(Default)]
struct ReaderSearch {
    readers: HashMap<CallPlace, RowReader>,
}

impl<'ast> Visit<'ast> for ReaderSearch {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.body(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.body(&item.sig, &item.block);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        self.block(block, None);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.value(expression, None);
    }

    /// What a macro is given is usually expressions, for instance in `join!`.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        if let Ok(parts) = call.parse_body_with(parse) {
            parts.iter().for_each(|part| self.value(part, None));
        }
    }
}

impl ReaderSearch {
    fn body(&mut self, signature: &syn::Signature, block: &Block) {
        let returned = match &signature.output {
            ReturnType::Type(_, ty) => Some(&**ty),
            ReturnType::Default => None,
        };
        self.block(block, returned);
    }

    /// `expected` is the type of the block's value.
    fn block(&mut self, block: &Block, expected: Option<&Type>) {
        for (at, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Local(local) => {
                    let Some(init) = &local.init else { continue };
                    let ty = match &local.pat {
                        Pat::Type(typed) => Some(&*typed.ty),
                        Pat::Ident(name) => {
                            type_of_use(&name.ident, &block.stmts[at + 1..], expected)
                        }
                        _ => None,
                    };
                    self.value(&init.expr, ty);
                    if let Some((_, otherwise)) = &init.diverge {
                        self.value(otherwise, None);
                    }
                }
                Stmt::Expr(value, None) => self.value(value, expected),
                Stmt::Expr(Expr::Return(value), Some(_)) => {
                    if let Some(value) = &value.expr {
                        self.value(value, None);
                    }
                }
                Stmt::Expr(value, Some(_)) => self.value(value, None),
                Stmt::Item(item) => self.visit_item(item),
                Stmt::Macro(call) => self.visit_macro(&call.mac),
            }
        }
    }

    fn value(&mut self, expression: &Expr, expected: Option<&Type>) {
        match expression {
            Expr::Block(block) => self.block(&block.block, expected),
            Expr::Paren(inner) => self.value(&inner.expr, expected),
            Expr::If(choice) => {
                self.value(&choice.cond, None);
                self.block(&choice.then_branch, expected);
                if let Some((_, otherwise)) = &choice.else_branch {
                    self.value(otherwise, expected);
                }
            }
            Expr::Match(choice) => {
                self.value(&choice.expr, None);
                choice.arms.iter().for_each(|arm| self.value(&arm.body, expected));
            }
            Expr::Call(call) if is_named(&call.func, "Ok") => {
                let value = expected.and_then(|ty| inner_of(ty, "Result"));
                call.args.iter().for_each(|argument| self.value(argument, value));
            }
            Expr::Call(call) if is_named(&call.func, "Some") => {
                let value = expected.and_then(|ty| inner_of(ty, "Option"));
                call.args.iter().for_each(|argument| self.value(argument, value));
            }
            Expr::Call(call) => self.call(call, None),
            Expr::Try(_) | Expr::Await(_) | Expr::MethodCall(_) => self.chain(expression, expected),
            other => syn::visit::visit_expr(self, other),
        }
    }

    /// A call, with the type of a row where what is around it says that.
    fn call(&mut self, call: &ExprCall, ty: Option<&Type>) {
        if let Some((is_scalar, turbofish)) = reader(&call.func) {
            let ty = turbofish.or_else(|| ty.cloned());
            self.readers.entry(place_of(call)).or_insert(RowReader { is_scalar, ty });
        }
        if json::helper(&call.func).is_some() {
            let reader = RowReader { is_scalar: false, ty: ty.cloned() };
            self.readers.entry(place_of(call)).or_insert(reader);
        }
        call.args.iter().for_each(|argument| self.value(argument, None));
    }

    /// `sqlx::query_as(…).bind(…).fetch_one(…).await?`, and what is called of its value.
    fn chain(&mut self, expression: &Expr, expected: Option<&Type>) {
        let mut ty = expected.cloned();
        let (mut at, mut is_tried, mut row) = (expression, false, None);
        loop {
            match at {
                Expr::Try(inner) => {
                    is_tried = true;
                    at = &inner.expr;
                }
                Expr::Await(inner) => at = &inner.base,
                Expr::Paren(inner) => at = &inner.expr,
                Expr::MethodCall(call) => {
                    call.args.iter().for_each(|argument| self.value(argument, None));
                    let value = |ty: Option<Type>| match is_tried {
                        true => ty,
                        false => ty.as_ref().and_then(|ty| inner_of(ty, "Result")).cloned(),
                    };
                    match call.method.to_string().as_str() {
                        "fetch_one" => row = value(ty.take()),
                        "fetch_optional" => {
                            row = value(ty.take())
                                .as_ref()
                                .and_then(|ty| inner_of(ty, "Option"))
                                .cloned();
                        }
                        "fetch_all" => {
                            row = value(ty.take())
                                .as_ref()
                                .and_then(|ty| inner_of(ty, "Vec"))
                                .cloned();
                        }
                        // These change nothing of the value's type.
                        "map_err" | "inspect_err" => {}
                        "expect" | "unwrap" => is_tried = true,
                        "bind" | "persistent" => {}
                        _ => ty = None,
                    }
                    at = &call.receiver;
                }
                Expr::Call(call) => {
                    let json = ty.as_ref().and_then(|ty| json::value_of(&call.func, ty, is_tried));
                    return self.call(call, json.or(row.as_ref()));
                }
                other => return self.value(other, None),
            }
        }
    }
}

/// The type that a variable must have for what is done with it: it is the block's value, or `Ok` of it.
fn type_of_use<'a>(
    name: &syn::Ident,
    behind: &[Stmt],
    expected: Option<&'a Type>,
) -> Option<&'a Type> {
    let Some(Stmt::Expr(value, None)) = behind.last() else { return None };
    let is_it =
        |expression: &Expr| matches!(expression, Expr::Path(path) if path.path.is_ident(name));
    match value {
        value if is_it(value) => expected,
        Expr::Call(call) if is_named(&call.func, "Ok") && call.args.first().is_some_and(is_it) => {
            expected.and_then(|ty| inner_of(ty, "Result"))
        }
        _ => None,
    }
}

fn is_named(function: &Expr, name: &str) -> bool {
    matches!(function, Expr::Path(path) if path.path.is_ident(name))
}

/// Whether a call reads rows; whether as one value each, and the type of its turbofish.
fn reader(function: &Expr) -> Option<(bool, Option<Type>)> {
    let Expr::Path(path) = function else { return None };
    let mut segments = path.path.segments.iter().rev();
    let (last, before) = (segments.next()?, segments.next()?);
    let name = last.ident.to_string();
    if before.ident != "sqlx" || !READERS.contains(&name.as_str()) {
        return None;
    }
    let turbofish = match &last.arguments {
        PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                GenericArgument::Type(Type::Infer(_)) => None,
                GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            })
            .next(),
        _ => None,
    };
    Some((name == "query_scalar", turbofish))
}
