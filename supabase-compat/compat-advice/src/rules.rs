//! The rules, each a file of SQL over the catalog.

use crate::{Category, Finding, Level, Notice};

/// The original's documentation of the rules.
const GUIDE: &str = "https://supabase.com/docs/guides/database/database-linter?lint=";

/// One rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name in the original's linter.
    pub name: &'static str,
    /// Its title for people.
    pub title: &'static str,
    /// The severity of a finding.
    pub level: Level,
    /// The subject of the rule.
    pub category: Category,
    /// What it looks for.
    pub description: &'static str,
    /// The page of the original's guide, or what to do if there is none.
    remediation: Remediation,
    /// Returns a row for each finding: `detail`, `metadata`, `cache_key`, `statement`.
    pub(crate) sql: &'static str,
}

#[derive(Debug)]
enum Remediation {
    Page(&'static str),
    Words(&'static str),
}

impl Rule {
    pub(crate) fn notice(&self, finding: Finding) -> Notice {
        let Finding { detail, metadata, cache_key, statement } = finding;
        Notice {
            name: self.name,
            title: self.title,
            level: self.level,
            facing: "EXTERNAL",
            categories: [self.category],
            description: self.description,
            detail,
            remediation: match self.remediation {
                Remediation::Page(page) => format!("{GUIDE}{page}"),
                Remediation::Words(words) => words.to_owned(),
            },
            metadata,
            cache_key,
            statement,
        }
    }
}

/// Every rule, in the order of the original's numbers.
pub const RULES: &[Rule] = &[
    Rule {
        name: "unindexed_foreign_keys",
        title: "Unindexed foreign keys",
        level: Level::Info,
        category: Category::Performance,
        description: "Finds foreign keys whose columns no index begins with: deletes and joins then read the whole table.",
        remediation: Remediation::Page("0001_unindexed_foreign_keys"),
        sql: include_str!("../sql/unindexed_foreign_keys.sql"),
    },
    Rule {
        name: "auth_users_exposed",
        title: "Exposed Auth Users",
        level: Level::Error,
        category: Category::Security,
        description: "Finds views in served schemas that hand rows of auth.users to anon or authenticated.",
        remediation: Remediation::Page("0002_auth_users_exposed"),
        sql: include_str!("../sql/auth_users_exposed.sql"),
    },
    Rule {
        name: "auth_rls_initplan",
        title: "Auth RLS Initialization Plan",
        level: Level::Warn,
        category: Category::Performance,
        description: "Finds policies that call auth functions or current_setting() once for each row instead of once for each query.",
        remediation: Remediation::Page("0003_auth_rls_initplan"),
        sql: include_str!("../sql/auth_rls_initplan.sql"),
    },
    Rule {
        name: "no_primary_key",
        title: "No Primary Key",
        level: Level::Info,
        category: Category::Performance,
        description: "Finds tables without a primary key: their rows have no name, and replication cannot follow them.",
        remediation: Remediation::Page("0004_no_primary_key"),
        sql: include_str!("../sql/no_primary_key.sql"),
    },
    Rule {
        name: "unused_index",
        title: "Unused Index",
        level: Level::Info,
        category: Category::Performance,
        description: "Finds indexes that no query has used since statistics were last reset; each of them slows down writes.",
        remediation: Remediation::Page("0005_unused_index"),
        sql: include_str!("../sql/unused_index.sql"),
    },
    Rule {
        name: "multiple_permissive_policies",
        title: "Multiple Permissive Policies",
        level: Level::Warn,
        category: Category::Performance,
        description: "Finds tables where a role has several permissive policies for one command: all of them run for every query.",
        remediation: Remediation::Page("0006_multiple_permissive_policies"),
        sql: include_str!("../sql/multiple_permissive_policies.sql"),
    },
    Rule {
        name: "policy_exists_rls_disabled",
        title: "Policy Exists RLS Disabled",
        level: Level::Error,
        category: Category::Security,
        description: "Finds tables whose policies have no effect because row level security is off.",
        remediation: Remediation::Page("0007_policy_exists_rls_disabled"),
        sql: include_str!("../sql/policy_exists_rls_disabled.sql"),
    },
    Rule {
        name: "rls_enabled_no_policy",
        title: "RLS Enabled No Policy",
        level: Level::Info,
        category: Category::Security,
        description: "Finds tables with row level security and no policy: nobody but owners and service_role sees their rows.",
        remediation: Remediation::Page("0008_rls_enabled_no_policy"),
        sql: include_str!("../sql/rls_enabled_no_policy.sql"),
    },
    Rule {
        name: "duplicate_index",
        title: "Duplicate Index",
        level: Level::Warn,
        category: Category::Performance,
        description: "Finds indexes of a table that are defined alike; all but one only cost.",
        remediation: Remediation::Page("0009_duplicate_index"),
        sql: include_str!("../sql/duplicate_index.sql"),
    },
    Rule {
        name: "security_definer_view",
        title: "Security Definer View",
        level: Level::Error,
        category: Category::Security,
        description: "Finds served views that read with their owner's rights and so pass by row level security.",
        remediation: Remediation::Page("0010_security_definer_view"),
        sql: include_str!("../sql/security_definer_view.sql"),
    },
    Rule {
        name: "function_search_path_mutable",
        title: "Function Search Path Mutable",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds functions that look names up in whatever search path their caller has.",
        remediation: Remediation::Page("0011_function_search_path_mutable"),
        sql: include_str!("../sql/function_search_path_mutable.sql"),
    },
    Rule {
        name: "rls_disabled_in_public",
        title: "RLS Disabled in Public",
        level: Level::Error,
        category: Category::Security,
        description: "Finds tables in served schemas that anon or authenticated may read, without row level security.",
        remediation: Remediation::Page("0013_rls_disabled_in_public"),
        sql: include_str!("../sql/rls_disabled_in_public.sql"),
    },
    Rule {
        name: "extension_in_public",
        title: "Extension in Public",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds extensions whose functions lie in the schema public and are served with it.",
        remediation: Remediation::Page("0014_extension_in_public"),
        sql: include_str!("../sql/extension_in_public.sql"),
    },
    Rule {
        name: "rls_references_user_metadata",
        title: "RLS references user metadata",
        level: Level::Error,
        category: Category::Security,
        description: "Finds policies that decide by user_metadata, which each user may change.",
        remediation: Remediation::Page("0015_rls_references_user_metadata"),
        sql: include_str!("../sql/rls_references_user_metadata.sql"),
    },
    Rule {
        name: "materialized_view_in_api",
        title: "Materialized View in API",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds served materialized views, which know no row level security.",
        remediation: Remediation::Page("0016_materialized_view_in_api"),
        sql: include_str!("../sql/materialized_view_in_api.sql"),
    },
    Rule {
        name: "foreign_table_in_api",
        title: "Foreign Table in API",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds served foreign tables, which know no row level security.",
        remediation: Remediation::Page("0017_foreign_table_in_api"),
        sql: include_str!("../sql/foreign_table_in_api.sql"),
    },
    Rule {
        name: "unsupported_reg_types",
        title: "Unsupported reg types",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds columns of types that pg_upgrade refuses, because their values name objects by number.",
        remediation: Remediation::Page("unsupported_reg_types"),
        sql: include_str!("../sql/unsupported_reg_types.sql"),
    },
    Rule {
        name: "insecure_queue_exposed_in_api",
        title: "Insecure Queue Exposed in API",
        level: Level::Error,
        category: Category::Security,
        description: "Finds queues without row level security while pgmq_public is served.",
        remediation: Remediation::Page("0019_insecure_queue_exposed_in_api"),
        sql: include_str!("../sql/insecure_queue_exposed_in_api.sql"),
    },
    Rule {
        name: "table_bloat",
        title: "Table Bloat",
        level: Level::Info,
        category: Category::Performance,
        description: "Finds tables that take many times the space of their rows.",
        remediation: Remediation::Words(
            "Rewrite the table with VACUUM FULL, which locks it meanwhile, and let autovacuum run more often.",
        ),
        sql: include_str!("../sql/table_bloat.sql"),
    },
    Rule {
        name: "fkey_to_auth_unique",
        title: "Foreign Key to Auth Unique Constraint",
        level: Level::Error,
        category: Category::Security,
        description: "Finds foreign keys to unique constraints of the schema auth, which belong to the services and may go.",
        remediation: Remediation::Words(
            "Drop the constraint and refer to the primary key of the table instead.",
        ),
        sql: include_str!("../sql/fkey_to_auth_unique.sql"),
    },
    Rule {
        name: "extension_versions_outdated",
        title: "Extension Versions Outdated",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds extensions that are older than what the server offers.",
        remediation: Remediation::Page("0022_extension_versions_outdated"),
        sql: include_str!("../sql/extension_versions_outdated.sql"),
    },
    Rule {
        name: "sensitive_columns_exposed",
        title: "Sensitive Columns Exposed",
        level: Level::Error,
        category: Category::Security,
        description: "Finds served tables without row level security that have columns named like secrets or personal data.",
        remediation: Remediation::Page("0023_sensitive_columns_exposed"),
        sql: include_str!("../sql/sensitive_columns_exposed.sql"),
    },
    Rule {
        name: "rls_policy_always_true",
        title: "RLS Policy Always True",
        level: Level::Warn,
        category: Category::Security,
        description: "Finds policies that let everybody write: their condition is always true. Reading is often meant to be open and is left out.",
        remediation: Remediation::Page("0024_permissive_rls_policy"),
        sql: include_str!("../sql/rls_policy_always_true.sql"),
    },
];
