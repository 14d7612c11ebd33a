import type { ServicePreset } from '../config/service-preset.ts'

/** The account settings of a bridge; missing ones are read from the environment. */
export interface Account {
  readonly secretKey?: string | readonly string[] | undefined
  readonly apiUrl?: string | undefined
  /** The variable names of another service. @default none */
  readonly service?: ServicePreset | undefined
}

const mounted = new WeakMap<object, Account>()
const ambiguous = new WeakSet<object>()

/**
 * Records the account of the bridge in which a workflow is mounted, for its triggers.
 *
 * @param workflow - The workflow's options, which identify it.
 */
export function noteAccount(workflow: object, { secretKey, apiUrl, service }: Account): void {
  if (secretKey === undefined && apiUrl === undefined && service === undefined) return
  const mountedAccount = mounted.get(workflow)
  if (mountedAccount && JSON.stringify(mountedAccount) !== JSON.stringify({ secretKey, apiUrl, service }))
    ambiguous.add(workflow)
  mounted.set(workflow, { secretKey, apiUrl, service })
}

/**
 * Returns the account of a trigger: each field comes from the trigger's options, otherwise from the bridge in which the
 * workflow is mounted.
 *
 * @param workflow - The workflow's options, which identify it.
 * @throws TypeError - The workflow is mounted in bridges with different accounts, and the trigger does not specify one.
 */
export function resolveAccount(workflow: object, given: Account): Account {
  const { secretKey, apiUrl, service } = given
  if (secretKey !== undefined && apiUrl !== undefined) return given
  if (ambiguous.has(workflow))
    throw new TypeError(
      'The workflow is mounted in several bridges with different values of secretKey or apiUrl. Pass both to trigger().',
    )
  const account = mounted.get(workflow)
  return {
    secretKey: secretKey ?? account?.secretKey,
    apiUrl: apiUrl ?? account?.apiUrl,
    service: service ?? account?.service,
  }
}
