//! Helper types below the type of the database, which look up its parts.

/// The helpers for rows, enums and composite types by name.
pub(super) fn helpers() -> String {
    let mut text = String::from(PREAMBLE);
    text.push_str(&tables());
    for (operation, letter) in [("Insert", 'I'), ("Update", 'U')] {
        text.push_str(&table_operation(operation, letter));
    }
    text.push_str(&named("Enums", "DefaultSchemaEnumNameOrOptions", "EnumName"));
    let options = "PublicCompositeTypeNameOrOptions";
    text.push_str(&named("CompositeTypes", options, "CompositeTypeName"));
    text
}

const PREAMBLE: &str = "\
type DatabaseWithoutInternals = Omit<Database, \"__InternalSupabase\">

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, \"public\">]
";

/// The type parameter of the helpers for tables.
const TABLE: &str = "DefaultSchemaTableNameOrOptions";

/// The expression for `part` of the schema that `option` names.
fn in_schema(option: &str, part: &str) -> String {
    format!("DatabaseWithoutInternals[{option}[\"schema\"]][\"{part}\"]")
}

/// The head of a helper: its type parameters, with the given names behind `keyof`.
fn head(helper: &str, option: &str, name: &str, default: &str, named: &str) -> String {
    format!(
        "
export type {helper}<
  {option} extends
    | keyof {default}
    | {{ schema: keyof DatabaseWithoutInternals }},
  {name} extends ({option} extends {{
    schema: keyof DatabaseWithoutInternals
  }}
    ? keyof {named}
    : never) = never,
> = {option} extends {{
  schema: keyof DatabaseWithoutInternals
}}
"
    )
}

fn tables() -> String {
    let (tables, views) = (in_schema(TABLE, "Tables"), in_schema(TABLE, "Views"));
    let default = "(DefaultSchema[\"Tables\"] & DefaultSchema[\"Views\"])";
    let named = format!("({tables} &\n        {views})");
    let mut text = head("Tables", TABLE, "TableName", default, &named);
    text.push_str(&format!(
        "  ? ({tables} &
      {views})[TableName] extends {{
      Row: infer R
    }}
    ? R
    : never
  : {TABLE} extends keyof (DefaultSchema[\"Tables\"] &
        DefaultSchema[\"Views\"])
    ? (DefaultSchema[\"Tables\"] &
        DefaultSchema[\"Views\"])[{TABLE}] extends {{
        Row: infer R
      }}
      ? R
      : never
    : never
"
    ));
    text
}

fn table_operation(operation: &str, letter: char) -> String {
    let tables = in_schema(TABLE, "Tables");
    let default = "DefaultSchema[\"Tables\"]";
    let helper = format!("Tables{operation}");
    let mut text = head(&helper, TABLE, "TableName", default, &tables);
    text.push_str(&format!(
        "  ? {tables}[TableName] extends {{
      {operation}: infer {letter}
    }}
    ? {letter}
    : never
  : {TABLE} extends keyof {default}
    ? {default}[{TABLE}] extends {{
        {operation}: infer {letter}
      }}
      ? {letter}
      : never
    : never
"
    ));
    text
}

/// A helper that returns the part with a name.
fn named(part: &str, option: &str, name: &str) -> String {
    let expression = in_schema(option, part);
    let default = format!("DefaultSchema[\"{part}\"]");
    let mut text = head(part, option, name, &default, &expression);
    text.push_str(&format!(
        "  ? {expression}[{name}]
  : {option} extends keyof {default}
    ? {default}[{option}]
    : never
"
    ));
    text
}
