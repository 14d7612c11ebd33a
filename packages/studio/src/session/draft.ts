import { useCallback, useState } from 'react'
import { useSession } from './session.tsx'

/**
 * Keeps a draft until the browser tab is closed, even if the user leaves the page.
 *
 * @param key - Identifies the draft.
 * @returns The draft, undefined if nothing was edited, and a function that replaces it.
 */
export function useDraft<T>(key: string): readonly [T | undefined, (value: T | undefined) => void] {
  const { environment } = useSession()
  const entry = `trestle.draft.${environment.id}.${key}`
  const [state, setState] = useState(() => ({ entry, value: read<T>(entry) }))
  const current = state.entry === entry ? state : { entry, value: read<T>(entry) }
  if (current !== state) setState(current)
  const replace = useCallback(
    (value: T | undefined) => {
      setState({ entry, value })
      write(entry, value)
    },
    [entry],
  )
  return [current.value, replace]
}

function read<T>(entry: string): T | undefined {
  try {
    const text = sessionStorage.getItem(entry)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

function write(entry: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(entry)
    else sessionStorage.setItem(entry, JSON.stringify(value))
  } catch {
    // Storage is full or disabled; the draft lives as long as the page.
  }
}
