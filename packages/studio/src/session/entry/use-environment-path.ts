import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useRouter } from 'wouter'
import { withoutPage } from '../address.ts'
import { readEnvironmentPath, toEnvironmentBase, toSharedPage } from '../environment-path.ts'
import type { Environment } from '../session.tsx'
import { readStored, store } from '../storage.ts'

/** The environment in the URL. */
export interface EnvironmentPlace {
  /** The environment; undefined if the session does not cover the named one. */
  readonly environment: Environment | undefined
  /** The name in the URL; undefined in links without one. */
  readonly named: string | undefined
  /** The path of the environment, below `/studio`. */
  readonly base: string
  /** Whether the URL names the environment as links do; otherwise it is about to be replaced. */
  readonly isCanonical: boolean
  /** Shows the same page in another environment. */
  choose(name: string): void
}

const entry = 'trestle.environment'

/**
 * Reads the environment from the URL. Links without one open in the environment last used in this browser; its name is then
 * added to the URL.
 *
 * @param environments - The environments that the session covers.
 */
export function useEnvironmentPath(environments: readonly Environment[]): EnvironmentPlace {
  const [path, navigate] = useLocation()
  const { environment: named } = readEnvironmentPath(path)
  // As in the URL, because the router decodes the path.
  const { page } = readEnvironmentPath(location.pathname.slice(useRouter().base.length))
  const wanted = named ?? readStored(entry)
  const previous = useRef<Environment>(undefined)
  const match =
    environments.find(({ name, id }) => name === wanted || id === wanted) ??
    // The environment was renamed while its page was open.
    environments.find(({ id }) => id === previous.current?.id && wanted === previous.current.name)
  const environment = match ?? (named === undefined ? environments[0] : undefined)
  const name = environment?.name
  const base = toEnvironmentBase(name ?? '')
  const isCanonical = `${path}/`.startsWith(`${decodeURI(base)}/`)

  useLayoutEffect(() => {
    if (name !== undefined && !isCanonical) navigate(base + page + location.search, { replace: true })
  }, [name, isCanonical, navigate, base, page])
  useEffect(() => {
    if (name !== undefined) store(entry, name)
  }, [name])
  useEffect(() => {
    if (isCanonical) previous.current = environment
  })

  return {
    environment,
    named,
    base,
    isCanonical,
    choose: (next) => {
      const shared = toSharedPage(page)
      const search = shared === page ? withoutPage(location.search) : ''
      navigate(toEnvironmentBase(next) + shared + (search === '' ? '' : `?${search}`))
    },
  }
}
