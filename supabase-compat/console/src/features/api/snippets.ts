/** The first lines of a client in each language. */
export const SNIPPET_LANGUAGES = ['javascript', 'python', 'dart', 'curl'] as const
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number]

export const SNIPPET_NAMES: Record<SnippetLanguage, string> = {
  javascript: 'JavaScript',
  python: 'Python',
  dart: 'Dart',
  curl: 'curl',
}

/** A snippet that reads ten rows of `table`. */
export function snippet(language: SnippetLanguage, url: string, key: string, table: string): string {
  const path = encodeURIComponent(table)
  switch (language) {
    case 'javascript':
      return [
        "import { createClient } from '@supabase/supabase-js'",
        '',
        `const supabase = createClient('${url}', '${key}')`,
        '',
        `const { data, error } = await supabase.from(${text(table)}).select().limit(10)`,
      ].join('\n')
    case 'python':
      return [
        'from supabase import create_client',
        '',
        `supabase = create_client("${url}", "${key}")`,
        '',
        `rows = supabase.table(${JSON.stringify(table)}).select("*").limit(10).execute().data`,
      ].join('\n')
    case 'dart':
      return [
        "import 'package:supabase_flutter/supabase_flutter.dart';",
        '',
        'await Supabase.initialize(',
        `  url: '${url}',`,
        `  anonKey: '${key}',`,
        ');',
        '',
        `final rows = await Supabase.instance.client.from(${text(table).replaceAll('$', String.raw`\$`)}).select().limit(10);`,
      ].join('\n')
    case 'curl':
      return [
        `curl '${url}/rest/v1/${path.replaceAll("'", '%27')}?select=*&limit=10' \\`,
        `  -H 'apikey: ${key}'`,
      ].join('\n')
  }
}

const text = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
