import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** What is chosen on a page, kept in the query of its address. */
export interface AddressState {
  /** Returns what is chosen under a name; undefined when nothing is. */
  get(name: string): string | undefined
  /** Chooses; undefined and empty texts choose nothing. The cursor of a list begins anew. */
  choose(changes: Readonly<Record<string, string | undefined>>): void
}

const cursorNames = ['after', 'before']

/** Keeps what is chosen on a page in the query of its address, so that it can be linked and gone back to. */
export function useAddress(): AddressState {
  const [params, setParams] = useSearchParams()
  const choose = useCallback<AddressState['choose']>(
    (changes) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before)
          for (const name of cursorNames) next.delete(name)
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === '') next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return { get: (name) => params.get(name) ?? undefined, choose }
}
