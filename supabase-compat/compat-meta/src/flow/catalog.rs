//! Reads the catalogue.

use compat_pg::{Session, SessionDb};
use serde_json::Value;

use super::query::{self, QueryRules};
use crate::MetaError;
use crate::store::relation::{
    COLUMN_PRIVILEGES, COLUMNS, CONFIG, EXTENSIONS, FOREIGN_TABLES, FUNCTIONS, INDEXES,
    MATERIALIZED_VIEWS, POLICIES, PUBLICATIONS, ROLES, Relation, SCHEMAS, Selection,
    TABLE_PRIVILEGES, TABLES, TRIGGERS, TYPES, VERSION, VIEWS,
};

/// A kind of object; each has a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Schemas,
    Tables,
    Columns,
    Types,
    Functions,
    Triggers,
    Indexes,
    Policies,
    Roles,
    Publications,
    Extensions,
    Views,
    MaterializedViews,
    ForeignTables,
    TablePrivileges,
    ColumnPrivileges,
    Config,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 17] = [
        Self::Schemas,
        Self::Tables,
        Self::Columns,
        Self::Types,
        Self::Functions,
        Self::Triggers,
        Self::Indexes,
        Self::Policies,
        Self::Roles,
        Self::Publications,
        Self::Extensions,
        Self::Views,
        Self::MaterializedViews,
        Self::ForeignTables,
        Self::TablePrivileges,
        Self::ColumnPrivileges,
        Self::Config,
    ];

    /// The kind's segment of the path.
    pub fn path(self) -> &'static str {
        self.relation().path
    }

    /// Whether a route reads a single object by its number.
    pub fn has_numbers(self) -> bool {
        !matches!(
            self,
            Self::Types
                | Self::Extensions
                | Self::TablePrivileges
                | Self::ColumnPrivileges
                | Self::Config
        )
    }

    /// Whether the list includes columns by default; none if objects of this kind have no columns.
    pub fn columns(self) -> Option<bool> {
        match self {
            Self::Tables | Self::Views | Self::ForeignTables => Some(true),
            Self::MaterializedViews => Some(false),
            _ => None,
        }
    }

    /// Whether the original validates the parameters of the list; a limit of 0 then means no limit.
    pub fn has_checked_parameters(self) -> bool {
        matches!(
            self,
            Self::Schemas
                | Self::Tables
                | Self::Columns
                | Self::Views
                | Self::MaterializedViews
                | Self::ForeignTables
                | Self::TablePrivileges
                | Self::ColumnPrivileges
        )
    }

    fn relation(self) -> &'static Relation {
        match self {
            Self::Schemas => &SCHEMAS,
            Self::Tables => &TABLES,
            Self::Columns => &COLUMNS,
            Self::Types => &TYPES,
            Self::Functions => &FUNCTIONS,
            Self::Triggers => &TRIGGERS,
            Self::Indexes => &INDEXES,
            Self::Policies => &POLICIES,
            Self::Roles => &ROLES,
            Self::Publications => &PUBLICATIONS,
            Self::Extensions => &EXTENSIONS,
            Self::Views => &VIEWS,
            Self::MaterializedViews => &MATERIALIZED_VIEWS,
            Self::ForeignTables => &FOREIGN_TABLES,
            Self::TablePrivileges => &TABLE_PRIVILEGES,
            Self::ColumnPrivileges => &COLUMN_PRIVILEGES,
            Self::Config => &CONFIG,
        }
    }
}

/// The options of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListRequest {
    /// Whether the server's own schemas or roles are included.
    pub includes_system: bool,
    /// Whether array types are included.
    pub includes_arrays: bool,
    /// Whether the columns of relations are included; none if the request does not say.
    pub includes_columns: Option<bool>,
    pub included_schemas: Vec<String>,
    pub excluded_schemas: Vec<String>,
    pub limit: Option<String>,
    pub offset: Option<String>,
}

/// The list of a kind's objects, as JSON.
pub(crate) async fn list(
    sessions: &SessionDb,
    kind: Kind,
    request: &ListRequest,
    rules: &QueryRules,
) -> Result<Vec<u8>, MetaError> {
    // For materialized views, the original does not hide schemas of the server.
    let hides_system = !request.includes_system && kind != Kind::MaterializedViews;
    let (included, excluded) = match kind {
        Kind::Schemas => (&[][..], &[][..]),
        _ => (&request.included_schemas[..], &request.excluded_schemas[..]),
    };
    let mut selection = Selection::default()
        .in_schemas(kind.relation(), included, excluded, hides_system)
        .page(request.limit.clone(), request.offset.clone());
    if matches!(kind, Kind::Schemas | Kind::Roles) && !request.includes_system {
        selection = selection.without_prefix("name", "pg_");
    }
    if kind == Kind::Types && !request.includes_arrays {
        selection = selection.without_arrays();
    }
    if let Some(by_default) = kind.columns() {
        selection = selection.with_columns(request.includes_columns.unwrap_or(by_default));
    }
    read(sessions, &selection.of(kind.relation()), rules).await
}

/// The server's version, as JSON.
pub(crate) async fn version(sessions: &SessionDb, rules: &QueryRules) -> Result<Value, MetaError> {
    let body = read(sessions, VERSION, rules).await?;
    objects(&body)?.into_iter().next().ok_or(MetaError::Lost)
}

/// An object by its number or, for an extension, its name. For columns, a number without a point is
/// that of a table, and the table's first column is returned.
pub(crate) async fn single(
    sessions: &SessionDb,
    kind: Kind,
    id: &str,
    rules: &QueryRules,
) -> Result<Value, MetaError> {
    let mut session = sessions.open(&rules.session).await?;
    let object = by_id(&mut session, kind, id, rules.session.bytes).await;
    session.give_back().await;
    object
}

/// An object by its number or name, read on an open session.
pub(crate) async fn by_id(
    session: &mut Session,
    kind: Kind,
    id: &str,
    limit: usize,
) -> Result<Value, MetaError> {
    let column = match kind {
        Kind::Extensions => "name",
        Kind::Columns if !id.contains('.') => "table_id",
        _ => "id",
    };
    let mut selection = Selection::equal(column, id).with_columns(kind.columns().is_some());
    if kind == Kind::Schemas {
        selection = selection.without_prefix("name", "pg_");
    }
    let by = if kind == Kind::Extensions { "named" } else { "with ID" };
    let noun = kind.relation().noun;
    let object = select(session, kind, &selection, limit).await?.into_iter().next();
    object.ok_or_else(|| MetaError::Missing(format!("Cannot find {noun} {by} {id}")))
}

/// The objects of a selection, the newest last.
pub(crate) async fn select(
    session: &mut Session,
    kind: Kind,
    selection: &Selection,
    limit: usize,
) -> Result<Vec<Value>, MetaError> {
    session.query(&selection.of(kind.relation())).await?;
    objects(&query::rows(session, limit).await?)
}

async fn read(
    sessions: &SessionDb,
    statement: &str,
    rules: &QueryRules,
) -> Result<Vec<u8>, MetaError> {
    let mut session = sessions.open(&rules.session).await?;
    session.query(statement).await?;
    let body = query::rows(&mut session, rules.session.bytes).await?;
    session.give_back().await;
    Ok(body)
}

fn objects(body: &[u8]) -> Result<Vec<Value>, MetaError> {
    serde_json::from_slice(body).map_err(|error| {
        tracing::error!(%error, "cannot decode rows of the catalogue as JSON");
        MetaError::Lost
    })
}
