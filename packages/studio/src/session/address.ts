import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** What is chosen on a page, kept in the query of its address. */
export interface AddressState {
  /** Returns what is chosen under a name; undefined when nothing is. */
  get(name: string): string | undefined
  /** Returns all that is chosen under a name. */
  getAll(name: string): readonly string[]
  /** Chooses; undefined and empty texts choose nothing. The cursor of a list begins anew. */
  choose(changes: Choices): void
  /** Turns to another page of a list, the first one where nothing is named; the browser's back button leads back. */
  turn(to: Choices): void
  /** The cursor of the list, as its query takes it. */
  readonly cursor: ListCursor
  /** Whether it is the first page of the list. */
  readonly isFirst: boolean
}

/** What is chosen by name. */
export type Choices = Readonly<Record<string, string | readonly string[] | undefined>>

/** Where a page of a list begins or ends. */
export interface ListCursor {
  /** The place the page begins after. */
  readonly after: string | undefined
  /** The place the page ends before. */
  readonly before: string | undefined
}

const pageNames = ['after', 'before', 'page']

/** Keeps what is chosen on a page in the query of its address, so that it can be linked and gone back to. */
export function useAddress(): AddressState {
  const [params, setParams] = useSearchParams()
  const choose = useCallback<AddressState['choose']>(
    (changes) => setParams((before) => changed(before, changes), { replace: true }),
    [setParams],
  )
  const turn = useCallback<AddressState['turn']>((to) => setParams((before) => changed(before, to)), [setParams])
  const get = (name: string): string | undefined => params.get(name) ?? undefined
  const getAll = (name: string): readonly string[] => params.getAll(name)
  const cursor = { after: get('after'), before: get('before') }
  return { get, getAll, choose, turn, cursor, isFirst: cursor.after === undefined && cursor.before === undefined }
}

/**
 * Returns the query of an address without the page of its list.
 *
 * @param search - The query.
 */
export function withoutPage(search: string): string {
  return changed(new URLSearchParams(search), {}).toString()
}

function changed(before: URLSearchParams, changes: Choices): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const name of pageNames) next.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const one of [value ?? []].flat()) if (one !== '') next.append(name, one)
  }
  return next
}
