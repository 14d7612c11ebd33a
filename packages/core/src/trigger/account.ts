import type { ServicePreset } from '../config/service-preset.ts'

/** The account settings of a bridge; missing ones are read from the environment. */
export interface Account {
  readonly secretKey?: string | readonly string[] | undefined
  readonly apiUrl?: string | undefined
  /** The variable names of another service. @default none */
  readonly service?: ServicePreset | undefined
}

/**
 * The key of a handler's context under which it has the account of its call. Registered, because an app may have several
 * copies of the core.
 */
export const callAccount: unique symbol = Symbol.for('@trestle/core account')

/** Settings of a request to the API: its account, or the context of the handler that makes it. */
export interface RequestSettings extends Account {
  readonly [callAccount]?: (() => Account) | undefined
}

/** The key of the account that all bridges of the app share, for requests without a workflow. */
export const anyWorkflow: object = Object.freeze({})

const mounted = new WeakMap<object, Account>()
const ambiguous = new WeakSet<object>()

/**
 * Records the account of the bridge in which a workflow is mounted, for its triggers.
 *
 * @param workflow - The workflow's options, which identify it.
 */
export function noteAccount(workflow: object, { secretKey, apiUrl, service }: Account): void {
  const account = { secretKey, apiUrl, service }
  note(anyWorkflow, account)
  if (secretKey !== undefined || apiUrl !== undefined || service !== undefined) note(workflow, account)
}

function note(workflow: object, account: Account): void {
  const mountedAccount = mounted.get(workflow)
  if (mountedAccount && JSON.stringify(mountedAccount) !== JSON.stringify(account)) ambiguous.add(workflow)
  mounted.set(workflow, account)
}

/**
 * Returns the account of a request: each field comes from its options, otherwise from the call whose handler makes it,
 * otherwise from the bridge in which the workflow is mounted.
 *
 * @param workflow - The workflow's options, which identify it, or {@link anyWorkflow}.
 * @throws TypeError - The bridges have different accounts, and the request does not specify one.
 */
export function resolveAccount(workflow: object, given: RequestSettings): Account {
  const call = given[callAccount]?.()
  const { secretKey = call?.secretKey, apiUrl = call?.apiUrl, service = call?.service } = given
  if (secretKey !== undefined && apiUrl !== undefined) return { secretKey, apiUrl, service }
  if (ambiguous.has(workflow))
    throw new TypeError(
      'Several bridges have different values of secretKey or apiUrl. Pass both, or the context of the handler.',
    )
  const account = mounted.get(workflow)
  return {
    secretKey: secretKey ?? account?.secretKey,
    apiUrl: apiUrl ?? account?.apiUrl,
    service: service ?? account?.service,
  }
}
