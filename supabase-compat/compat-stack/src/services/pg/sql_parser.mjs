// PostgreSQL's parser, compiled to WebAssembly, and what writes its trees as statements: the packages of postgres-meta.
import { deparse, parse } from 'npm:pgsql-parser@17.9.17'

async function answer({ query, tree }) {
  return query === undefined ? deparse(tree, {}) : parse(query)
}
