/** Quotes names and values for SQL, so that neither can become part of the statement. */

/** A quoted name; always quoted, so that no list of reserved words is needed. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A relation, function or type qualified by its schema. */
export function qualified(schema: string, name: string): string {
  return `${identifier(schema)}.${identifier(name)}`
}

/**
 * A text literal. A text with a backslash uses the form that does not depend on
 * `standard_conforming_strings`.
 */
export function literal(text: string): string {
  const doubled = text.replaceAll("'", "''")
  return doubled.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

/** The parameters of a statement, numbered from `$1`. */
export class Parameters {
  readonly values: (string | null)[] = []

  /** Adds a value and returns its placeholder, cast to a type as PostgreSQL spells it. */
  add(value: string | null, type: string): string {
    this.values.push(value)
    // Cast from text, so that the server does not expect a binary value from the driver.
    return `$${this.values.length}::text::${type}`
  }
}
