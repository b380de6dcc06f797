/**
 * Has the scripts name the classes of a style sheet one by one, `import * as styles`, where its source asks for all of them
 * in one object. So a build leaves out what nobody asks for, and no object is made and read.
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

/** The source, with each sheet whose classes are all asked for by name taken apart. */
export function namedClasses(code: string): string {
  return code.replaceAll(SHEET, (statement, name: string, file: string) => {
    const others = new RegExp(`(?<![\\w.])${name}(?!\\w|\\.[A-Za-z_$])`, 'g')
    // The statement itself is one.
    return (code.match(others) ?? []).length > 1 ? statement : `import * as ${name} from ${file}`
  })
}
