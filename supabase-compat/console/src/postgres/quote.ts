/** Puts names and values into SQL so that neither can become part of the statement. */

/** A name, always in quotes: no list of reserved words to keep. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A relation, function or type with its schema. */
export function qualified(schema: string, name: string): string {
  return `${identifier(schema)}.${identifier(name)}`
}

/** A text as a constant. A backslash needs the form that reads the same whatever `standard_conforming_strings` says. */
export function literal(text: string): string {
  const doubled = text.replaceAll("'", "''")
  return doubled.includes('\\') ? ` E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

/** Values of one statement that are sent beside it, numbered from `$1`. */
export class Parameters {
  readonly values: (string | null)[] = []

  /** The place of a value, converted to a type as PostgreSQL itself spells it. */
  add(value: string | null, type: string): string {
    this.values.push(value)
    // By way of text, so that the server does not ask the driver for a binary form of the type.
    return `$${this.values.length}::text::${type}`
  }
}
