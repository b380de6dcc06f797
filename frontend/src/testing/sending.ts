/**
 * Mutations that keep their messages and invalidations but call a test's own functions. For tests
 * only.
 */

type Send = (...sent: never[]) => unknown

/**
 * A module of operations whose `<name>Mutation` calls `sends.<name>`; for the factory of a
 * `vi.mock`.
 */
export function sending<Module extends object>(module: Module, sends: Record<string, Send>): Module {
  const replaced = Object.entries(sends).map(([name, mutationFn]) => {
    const made: unknown = Reflect.get(module, `${name}Mutation`)
    if (typeof made !== 'function') throw new Error(`no ${name}Mutation to stand in for`)
    return [`${name}Mutation`, (...options: unknown[]) => ({ ...made(...options), mutationFn })] as const
  })
  return { ...module, ...Object.fromEntries(replaced) }
}
