import type { ServicePreset } from '../config/service-preset.ts'

/** The account a bridge's options name; what is missing comes from the environment. */
export interface Account {
  readonly secretKey?: string | readonly string[] | undefined
  readonly apiUrl?: string | undefined
  /** The names that another service has for the variables. @default none */
  readonly service?: ServicePreset | undefined
}

const mounted = new WeakMap<object, Account>()
const ambiguous = new WeakSet<object>()

/**
 * Notes the account of the bridge a workflow is mounted in, so that its triggers go to the same account.
 *
 * @param workflow - The workflow's options, which identify it.
 * @param account - The options of the bridge.
 */
export function noteAccount(workflow: object, { secretKey, apiUrl, service }: Account): void {
  if (secretKey === undefined && apiUrl === undefined && service === undefined) return
  const known = mounted.get(workflow)
  if (known && JSON.stringify(known) !== JSON.stringify({ secretKey, apiUrl, service })) ambiguous.add(workflow)
  mounted.set(workflow, { secretKey, apiUrl, service })
}

/**
 * Returns the account a trigger goes to: each field from the trigger's options, else from the bridge the workflow is
 * mounted in.
 *
 * @param workflow - The workflow's options, which identify it.
 * @param given - The options of the trigger.
 * @throws TypeError - The workflow is mounted in bridges of several accounts, and the trigger does not name one.
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
