/**
 * Rewrites imports of a style sheet's whole class object to `import * as styles`, so that a build
 * drops the classes that no script uses and creates no object at run time.
 */
import type { Plugin } from 'vite'

const SHEET = /import (\w+) from ('[^']+\.module\.css')/g

export function classNames(): Plugin {
  return {
    name: 'palmares-class-names',
    apply: 'build',
    enforce: 'pre',
    transform: { filter: { id: /\/src\/[^?]*\.tsx?$/, code: /\.module\.css'/ }, handler: namedClasses },
  }
}

/** The source with these imports rewritten, for each sheet whose classes are all used by name. */
export function namedClasses(code: string): string {
  return code.replaceAll(SHEET, (statement, name: string, file: string) => {
    const others = new RegExp(`(?<![\\w.])${name}(?!\\w|\\.[A-Za-z_$])`, 'g')
    // The import statement itself is one match.
    return (code.match(others) ?? []).length > 1 ? statement : `import * as ${name} from ${file}`
  })
}
