//! The plan of a read, and the tree of nodes every kind of request shapes its answer with.

use super::error::PlanError;
use super::negotiate::{self, Output};
use super::node::{Embed, JoinPath, Node, Sort, SortKey, Value};
use super::resolve::Scope;
use super::{PlanContext, PlanRules, relationship, spread};
use crate::request::Action;
use crate::request::order::OrderTerm;
use crate::request::prefer::Count;
use crate::request::query::{EmbedPath, Query};
use crate::request::range::Slice;
use crate::request::select::{Join, SelectEmbed, SelectItem};
use crate::schema::{Link, Name, QualifiedName, Relationship, SchemaCache, Table};

/// A read of a relation.
#[derive(Clone, Debug)]
pub struct ReadPlan {
    pub relation: QualifiedName,
    pub node: Node,
    pub output: Output,
    pub count: Option<Count>,
    /// The bound an estimated count is exact up to.
    pub max_rows: Option<i64>,
    pub head: bool,
    /// The columns by which the rows of a later page are selected before their other columns are
    /// read; empty for a first page, and if the result could differ.
    pub page_key: Vec<Name>,
}

impl ReadPlan {
    pub(super) fn new(
        planning: PlanContext<'_>,
        relation: &QualifiedName,
        head: bool,
    ) -> Result<Self, PlanError> {
        let PlanContext { request, cache, rules } = planning;
        let Some(table) = cache.tables.get(relation) else {
            return Err(PlanError::unknown_relation(relation, cache));
        };
        let mut node = tree(planning, relation)?;
        let output = planning.read_output(relation, &node, head)?;
        spread::spell(&mut node, &output.shape);
        negotiate::strictness(request)?;
        let count = request.preferences.count;
        let relation = relation.clone();
        let page_key = page_key(table, &node);
        Ok(Self { relation, node, output, count, max_rows: rules.max_rows, head, page_key })
    }
}

/// The page key, if the order is total: otherwise the rows of the page would depend on the way they
/// are read.
fn page_key(table: &Table, node: &Node) -> Vec<Name> {
    let is_later_page = node.slice.offset > 0 && node.slice.limit.is_some();
    let by_own_values = node.order.iter().all(|sort| matches!(sort.key, SortKey::Own(_)));
    let is_ordered_by = |column: &Name| {
        node.order.iter().any(|sort| {
            let SortKey::Own(key) = &sort.key else { return false };
            key.path.is_empty() && key.column.as_str() == &**column
        })
    };
    let is_fit = is_later_page
        && !node.is_grouped()
        && by_own_values
        && table.row_key.iter().all(is_ordered_by);
    if is_fit { table.row_key.clone() } else { Vec::new() }
}

/// Builds the tree for a request whose top level is `relation` (a table, or what a function
/// returns).
pub(super) fn tree(planning: PlanContext<'_>, relation: &QualifiedName) -> Result<Node, PlanError> {
    let PlanContext { request, cache, rules } = planning;
    let is_write = matches!(request.action, Action::Write { .. });
    let builder =
        Builder { query: &request.query, schema: &request.schema, cache, rules, is_write };
    builder.check_paths()?;
    let items = &request.query.select;
    let mut node = builder.node(relation, &mut Vec::new(), &mut Vec::new(), items, false)?;
    if !is_write {
        node.slice = request.slice.capped(rules.max_rows);
    }
    spread::settle(&mut node)?;
    Ok(node)
}

struct Builder<'a> {
    query: &'a Query,
    schema: &'a Name,
    cache: &'a SchemaCache,
    rules: &'a PlanRules,
    is_write: bool,
}

impl<'a> Builder<'a> {
    /// One level. `path` names it from the top, `around` holds the aliases of the levels above;
    /// `spelled_out` tells that a level above needs to know every column by its name.
    fn node(
        &self,
        relation: &QualifiedName,
        path: &mut Vec<&'a SelectEmbed>,
        around: &mut Vec<String>,
        items: &'a [SelectItem],
        spelled_out: bool,
    ) -> Result<Node, PlanError> {
        let scope = Scope { cache: self.cache, table: self.cache.tables.get(relation) };
        let alias = fresh_alias(&relation.name, around);
        around.push(alias.clone());
        let mut node = Node {
            alias,
            columns: Vec::new(),
            embeds: Vec::new(),
            conditions: Vec::new(),
            order: Vec::new(),
            slice: self.slice(path).capped(self.rules.max_rows.filter(|_| !path.is_empty())),
            jsonb: false,
        };
        self.columns(&scope, items, &mut node, spelled_out)?;
        let grouped = node.columns.iter().any(|column| column.aggregate.is_some());
        let spelled_out = spelled_out || grouped;
        for item in items {
            if let SelectItem::Embed(embed) = item {
                node.embeds.push(self.embed(relation, path, around, embed, spelled_out)?);
            }
        }
        self.conditions(&scope, path, &mut node)?;
        self.order(&scope, relation, path, &mut node)?;
        around.pop();
        Ok(node)
    }

    fn columns(
        &self,
        scope: &Scope<'_>,
        items: &[SelectItem],
        node: &mut Node,
        spelled_out: bool,
    ) -> Result<(), PlanError> {
        let fields = || {
            items.iter().filter_map(|item| match item {
                SelectItem::Field(field) => Some(field),
                SelectItem::Embed(_) => None,
            })
        };
        let grouped = fields().any(|field| field.aggregate.is_some());
        if grouped && !self.rules.aggregates_enabled {
            return Err(PlanError::AggregatesDisabled);
        }
        // `GROUP BY` names outputs by position, and a format applies to one column: a star allows
        // neither.
        let spell_out = grouped || spelled_out || scope.star_has_formats();
        for field in fields() {
            let column = scope.output(field);
            let star = column.value == Value::Star && column.aggregate.is_none();
            match scope.all_columns().filter(|_| star && spell_out) {
                Some(all) => node.columns.extend(all),
                None => node.columns.push(column),
            }
        }
        Ok(())
    }

    fn embed(
        &self,
        origin: &QualifiedName,
        path: &mut Vec<&'a SelectEmbed>,
        around: &mut Vec<String>,
        embed: &'a SelectEmbed,
        spelled_out: bool,
    ) -> Result<Embed, PlanError> {
        if let Some(most) = self.rules.max_embed_depth.filter(|most| path.len() >= *most) {
            return Err(PlanError::EmbedsTooDeep { most });
        }
        let link = relationship::find(self.cache, self.schema, &origin.name, embed)?;
        path.push(embed);
        // A to-many spread gathers each column into an array of its own, so it needs their names.
        let spelled_out = embed.spread && (spelled_out || !link.to_one());
        let node = self.node(&link.target, path, around, &embed.items, spelled_out)?;
        path.pop();
        let used_aliases = around.iter().chain([&node.alias]);
        Ok(Embed {
            key: embed.alias.clone().unwrap_or_else(|| embed.target.clone()),
            legacy_name: self.legacy_name(path, embed),
            relation: link.target.clone(),
            via: via(link, used_aliases),
            to_one: link.to_one(),
            inner: embed.join == Some(Join::Inner),
            spread: embed.spread.then(Vec::new),
            node,
        })
    }

    fn conditions(
        &self,
        scope: &Scope<'_>,
        path: &[&SelectEmbed],
        node: &mut Node,
    ) -> Result<(), PlanError> {
        if self.is_write && path.is_empty() {
            return Ok(());
        }
        let embeds = &node.embeds;
        let position = |key: &str| embeds.iter().position(|embed| embed.key == key);
        let mut conditions = Vec::new();
        for (_, filter) in self.query.filters.iter().filter(|(at, _)| self.reaches(at, path)) {
            conditions.push(scope.filter(filter, &position)?);
        }
        for (_, logic) in self.query.logic.iter().filter(|(at, _)| self.reaches(at, path)) {
            conditions.push(scope.logic(logic, &position)?);
        }
        node.conditions = conditions;
        Ok(())
    }

    fn order(
        &self,
        scope: &Scope<'_>,
        relation: &QualifiedName,
        path: &[&SelectEmbed],
        node: &mut Node,
    ) -> Result<(), PlanError> {
        // Of several order clauses for one level the first counts.
        let clause = self.query.order.iter().find(|(at, _)| self.reaches(at, path));
        for term in clause.into_iter().flat_map(|(_, terms)| terms) {
            let key = match &term.relation {
                None => SortKey::Own(scope.operand(&term.field)),
                Some(name) => self.related_sort(relation, node, name, term)?,
            };
            node.order.push(Sort { key, direction: term.direction, nulls: term.nulls });
        }
        Ok(())
    }

    fn related_sort(
        &self,
        relation: &QualifiedName,
        node: &Node,
        name: &str,
        term: &OrderTerm,
    ) -> Result<SortKey, PlanError> {
        let found = node.embeds.iter().enumerate().find(|(_, embed)| embed.key == name);
        let (position, embed) =
            found.ok_or_else(|| PlanError::NotEmbedded { name: name.to_owned(), alias: None })?;
        if !embed.to_one {
            return Err(PlanError::RelatedOrderNotToOne {
                origin: relation.name.to_string(),
                target: name.to_owned(),
            });
        }
        if term.field.path.is_empty() && embed.node.renames(&term.field.name) {
            return Ok(SortKey::EmbedOutput { position, name: term.field.name.clone() });
        }
        let scope = Scope { cache: self.cache, table: self.cache.tables.get(&embed.relation) };
        Ok(SortKey::Embed { position, operand: scope.operand(&term.field) })
    }

    fn slice(&self, path: &[&SelectEmbed]) -> Slice {
        let entry = self.query.slices.iter().find(|(at, _)| self.reaches(at, path));
        entry.map_or(Slice::default(), |(_, slice)| *slice)
    }

    /// True when a clause's path leads to this level.
    fn reaches(&self, at: &[String], path: &[&SelectEmbed]) -> bool {
        let mut siblings: &[SelectItem] = &self.query.select;
        at.len() == path.len()
            && at.iter().zip(path).all(|(name, embed)| {
                if embed.alias.as_ref() != Some(name) && embed.target != *name {
                    return false;
                }
                let claims = self.target_embed(siblings, name);
                siblings = &embed.items;
                claims.is_some_and(|target_embed| std::ptr::eq(target_embed, *embed))
            })
    }

    /// The embed a clause means: the first of that name, or else the first of that target.
    fn target_embed<'i>(&self, siblings: &'i [SelectItem], name: &str) -> Option<&'i SelectEmbed> {
        let by_name =
            embeds(siblings).find(|embed| embed.alias.as_ref().unwrap_or(&embed.target) == name);
        by_name.or_else(|| {
            let legacy = self.rules.legacy_target_names;
            embeds(siblings).find(|embed| legacy && embed.target == name)
        })
    }

    /// The target's name, if some clause reaches this embed by it instead of by its alias.
    fn legacy_name(&self, above: &[&SelectEmbed], embed: &SelectEmbed) -> Option<String> {
        let alias = embed.alias.as_ref()?;
        let mut paths = self.paths();
        let here: Vec<&SelectEmbed> = above.iter().copied().chain([embed]).collect();
        let used = paths.any(|path| {
            path.get(above.len()).is_some_and(|name| name != alias)
                && path.get(..here.len()).is_some_and(|path| self.reaches(path, &here))
        });
        used.then(|| embed.target.clone())
    }

    /// The paths of all clauses.
    fn paths(&self) -> impl Iterator<Item = &'a EmbedPath> {
        let query = self.query;
        let slices = query.slices.iter().map(|(at, _)| at).filter(|_| !self.is_write);
        let filters = query.filters.iter().map(|(at, _)| at);
        let logic = query.logic.iter().map(|(at, _)| at);
        filters.chain(logic).chain(query.order.iter().map(|(at, _)| at)).chain(slices)
    }

    /// Refuses clauses whose path leads nowhere.
    fn check_paths(&self) -> Result<(), PlanError> {
        for path in self.paths() {
            self.check_path(path, &self.query.select)?;
        }
        Ok(())
    }

    fn check_path(&self, path: &[String], items: &[SelectItem]) -> Result<(), PlanError> {
        let Some((first, rest)) = path.split_first() else { return Ok(()) };
        match self.target_embed(items, first) {
            Some(embed) => self.check_path(rest, &embed.items),
            None => {
                let renamed = embeds(items).find(|embed| embed.target == *first);
                let alias = renamed.and_then(|embed| embed.alias.clone());
                Err(PlanError::NotEmbedded { name: first.clone(), alias })
            }
        }
    }
}

fn embeds(items: &[SelectItem]) -> impl Iterator<Item = &SelectEmbed> {
    items.iter().filter_map(|item| match item {
        SelectItem::Embed(embed) => Some(embed),
        SelectItem::Field(_) => None,
    })
}

fn via<'n>(
    relationship: &Relationship,
    used_aliases: impl Iterator<Item = &'n String>,
) -> JoinPath {
    match &relationship.link {
        Link::ManyToOne(key) | Link::OneToMany(key) | Link::OneToOne(key) => {
            JoinPath::Columns(key.columns.clone())
        }
        Link::ManyToMany(junction) => {
            let used_aliases: Vec<String> = used_aliases.cloned().collect();
            JoinPath::Junction {
                alias: fresh_alias(&junction.table.name, &used_aliases),
                table: junction.table.clone(),
                above: junction.source.clone(),
                below: junction.target.clone(),
            }
        }
        Link::Computed { function, .. } => {
            JoinPath::Function { function: function.clone(), row: relationship.origin.clone() }
        }
    }
}

/// The relation's name, made unlike every alias around it.
fn fresh_alias(name: &str, around: &[String]) -> String {
    let mut alias =
        if around.is_empty() { name.to_owned() } else { format!("{name}_{}", around.len()) };
    while around.contains(&alias) {
        alias.push('_');
    }
    alias
}
