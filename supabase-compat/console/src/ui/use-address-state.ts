/** State in the address, so that it can be shared: one parameter, absent for its default. */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

export function useAddressState(name: string, usual = ''): [string, (value: string) => void] {
  const [parameters, setParameters] = useSearchParams()
  const change = useCallback(
    (value: string) =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before)
          if (value === usual) next.delete(name)
          else next.set(name, value)
          // Another choice begins on the first page.
          if (name !== 'page') next.delete('page')
          return next
        },
        { replace: true },
      ),
    [name, usual, setParameters],
  )
  return [parameters.get(name) ?? usual, change]
}
