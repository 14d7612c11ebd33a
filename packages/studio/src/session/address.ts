import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'

/** Page state in the URL query. */
export interface AddressState {
  /** Returns the value of a parameter; undefined if it is not set. */
  get(name: string): string | undefined
  /** Returns all values of a parameter. */
  getAll(name: string): readonly string[]
  /** Sets parameters; undefined and empty values remove them. Resets the cursor of the list. */
  choose(changes: Choices): void
  /**
   * Goes to another page of a list, by default the first one. The browser's back button returns to the previous page.
   */
  turn(to: Choices): void
  /** The list cursor as API parameters. */
  readonly cursor: ListCursor
  /** Whether it is the first page of the list. */
  readonly isFirst: boolean
}

/** Values by name. */
export type Choices = Readonly<Record<string, string | readonly string[] | undefined>>

/** The start or end of a list page. */
export interface ListCursor {
  /** The cursor after which the page starts. */
  readonly after: string | undefined
  /** The cursor before which the page ends. */
  readonly before: string | undefined
}

const pageNames = ['after', 'before', 'page']

/** Changes the URL query. */
export type ChangeParams = (
  toNext: (before: URLSearchParams) => URLSearchParams,
  options?: { readonly replace: boolean },
) => void

/**
 * Returns the URL query, and a function that changes it. Those of the router decode path and query twice, so that an id
 * such as `a%41` would become another one.
 */
export function useParameters(): readonly [URLSearchParams, ChangeParams] {
  const search = useSearch()
  const [, navigate] = useLocation()
  const change = useCallback<ChangeParams>(
    (toNext, options) => {
      const next = toNext(new URLSearchParams(location.search)).toString()
      navigate(`~${location.pathname}${next === '' ? '' : `?${next}`}`, options)
    },
    [navigate],
  )
  return [useMemo(() => new URLSearchParams(search), [search]), change]
}

/** Stores the page state in the URL query, so that links and the back button work. */
export function useAddress(): AddressState {
  const [params, setParams] = useParameters()
  const choose = useCallback<AddressState['choose']>(
    (changes) => setParams((before) => changed(before, changes), { replace: true }),
    [setParams],
  )
  const turn = useCallback<AddressState['turn']>((to) => setParams((before) => changed(before, to)), [setParams])
  const get = (name: string): string | undefined => params.get(name) ?? undefined
  const getAll = (name: string): readonly string[] => params.getAll(name)
  const cursor = { after: get('after'), before: get('before') }
  return { get, getAll, choose, turn, cursor, isFirst: pageNames.every((name) => !params.has(name)) }
}

/**
 * Returns a URL query without the list cursor.
 *
 * @param search - The URL query.
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
