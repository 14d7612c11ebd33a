import { decodePercent } from '@trestle/protocol'
import { toPathName } from '../ui/path-names.ts'

/** A path of the studio, split into its environment and the page. */
export interface EnvironmentPath {
  /** The name or identifier of the environment; undefined in links without one. */
  readonly environment: string | undefined
  /** The path of the page. */
  readonly page: string
}

/**
 * Returns the environment and the page of a path below `/studio`.
 *
 * @param path - The path as the router decodes it, such as `/env/Production/runs`.
 */
export function readEnvironmentPath(path: string): EnvironmentPath {
  const [, segment, page = ''] = /^\/env\/([^/]+)(\/.*)?$/.exec(path) ?? []
  if (segment === undefined) return { environment: undefined, page: path }
  return { environment: decodePercent(segment), page: page === '' ? '/' : page }
}

/** Returns the path of an environment, which precedes that of its pages. */
export function toEnvironmentBase(name: string): string {
  return `/env/${toPathName(name)}`
}

/**
 * Returns the page to show after a change of the environment: the same page, or the list of a record that other
 * environments do not have.
 */
export function toSharedPage(page: string): string {
  const [, section = '', ...rest] = page.split('/')
  return rest.some((part) => /^[0-9a-f]{24}$/.test(part)) ? `/${section}` : page
}
