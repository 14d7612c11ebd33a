import { nearest } from '@trestle/protocol'
import { listVariables } from './shape/describe-settings.ts'

const prefix = 'SERVICE_'

/** Variables of bridges and clients, which often run in the same environment. */
const clientVariables: ReadonlySet<string> = new Set([
  ...['SERVICE_API_KEY', 'SERVICE_API_URL', 'SERVICE_APPLICATION_IDENTIFIER', 'SERVICE_SECRET_KEY'],
  'SERVICE_STRICT_AUTHENTICATION_ENABLED',
])

/** A variable that sets nothing. */
export interface MisspelledVariable {
  readonly name: string
  /** The variable that was probably meant. */
  readonly meant: string
}

/**
 * Finds variables whose names resemble that of a setting. Other unknown variables with the same prefix may belong to
 * something else, so they are ignored.
 */
export function findMisspelledVariables(
  env: Readonly<Record<string, string | undefined>>,
): readonly MisspelledVariable[] {
  const byRest = new Map(listVariables().map(({ variable }) => [variable.replace(prefix, ''), variable]))
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !clientVariables.has(name))
    .flatMap((name) => {
      const rest = name.slice(prefix.length)
      const meant = byRest.get(rest) ?? byRest.get(nearest(rest, [...byRest.keys()]) ?? '')
      return meant === undefined || meant === name ? [] : { name, meant }
    })
}
