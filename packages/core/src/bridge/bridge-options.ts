import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { ServicePreset } from '../config/service-preset.ts'
import type { WorkflowDefinition } from '../workflow/workflow.ts'
import type { Hooks } from './hooks.ts'

/** The origins of web pages that may call a bridge from a browser. */
export type AllowedOrigins = readonly string[] | '*'

/** Receives the framework's log messages, with the object first as in pino; `console` can be used too. */
export interface Logger {
  /** Logs something that needs attention; the framework logs each warning once. */
  warn(details: LogDetails, message: string): void
  /** Logs a failure, whether or not it could be reported to the caller. */
  error(details: LogDetails, message: string): void
}

/** The structured fields of a log message. */
export interface LogDetails {
  /** The thrown value, under the name that pino uses for errors. */
  readonly err?: unknown
}

/** Remembers used signatures, so that a call cannot be replayed. */
export interface NonceStore {
  /**
   * Records a signature atomically. Called after the signature is verified. If the promise rejects or does not settle
   * within a second, the call fails with `NonceStoreUnavailableError`.
   *
   * @param nonce - The signature: 64 hex digits, a string of at most 100 characters.
   * @param ttlMs - How long to remember it, in milliseconds.
   * @returns True if it was not recorded before.
   */
  claim(nonce: string, ttlMs: number): boolean | Promise<boolean>
}

/** Limits for the background work of agents. */
export interface TurnLimits {
  /** The maximum number of concurrent turns. @default 100 */
  readonly running?: number | undefined
  /** The maximum number of waiting events; additional events are rejected with `AgentBusyError`. @default 1000 */
  readonly waiting?: number | undefined
}

/** Keeps the runtime awake until a promise settles. */
export type WaitUntil = (work: Promise<unknown>) => unknown

/** Options of a bridge. */
export interface BridgeOptions {
  /** The workflows, in the order in which `discover` lists them. */
  readonly workflows?: readonly WorkflowDefinition[] | undefined
  /** The agents, in the order in which `discover` lists them. */
  readonly agents?: readonly AgentDefinition[] | undefined
  /** The maximum numbers of concurrent turns of agents and of waiting events. @default 100 running, 1000 waiting */
  readonly turnLimits?: TurnLimits | undefined
  /**
   * Keeps the runtime awake until background work is done. @default provided by the adapter, Next.js or Vercel if
   * available, otherwise none, which is correct for long-running processes
   */
  readonly waitUntil?: WaitUntil | undefined
  /**
   * The environment's secret key, or up to three during rotation, newest first.
   * @default SERVICE_SECRET_KEY, else SERVICE_API_KEY
   */
  readonly secretKey?: string | readonly string[] | undefined
  /**
   * Whether calls must be signed.
   * @default on unless NODE_ENV is development, dev or unset; SERVICE_STRICT_AUTHENTICATION_ENABLED=true forces it on.
   *   On Cloudflare Workers, and without `process.env`, unset counts as production
   */
  readonly strictAuthentication?: boolean | undefined
  /**
   * Names from another service for the header, variables and error codes, such as `novu` from `@trestle/core/novu`.
   * @default none
   */
  readonly service?: ServicePreset | undefined
  /** The only signature header. @default 'service-signature', and that of `service` */
  readonly signatureHeader?: string | undefined
  /** Base address of the service's REST API. @default SERVICE_API_URL */
  readonly apiUrl?: string | undefined
  /** The maximum size of a request body, in bytes. @default 10 MiB */
  readonly maxBodyBytes?: number | undefined
  /** The time limit of a call, in milliseconds from its arrival. @default 4500 */
  readonly timeoutMs?: number | undefined
  /** Whether `discover` returns the source text of functions. @default false */
  readonly exposeCode?: boolean | undefined
  /** Origins of web pages that may call the bridge from a browser, or `'*'`. @default none */
  readonly cors?: AllowedOrigins | undefined
  /** Receives the framework's log messages. @default console */
  readonly logger?: Logger | undefined
  /** Functions called on events of the bridge. */
  readonly hooks?: Hooks | undefined
  /** Rejects signatures that were already used; see `createNonceStore`. @default none */
  readonly nonceStore?: NonceStore | undefined
}
