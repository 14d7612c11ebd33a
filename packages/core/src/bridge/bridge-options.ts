import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { ServicePreset } from '../config/service-preset.ts'
import type { WorkflowDefinition } from '../workflow/workflow.ts'
import type { Hooks } from './hooks.ts'

/** The web pages that may call a bridge from a browser. */
export type AllowedOrigins = readonly string[] | '*'

/** Where the framework's own messages go: the object first, as pino takes it; `console` fits too. */
export interface Logger {
  /** Logs something that needs attention, once. */
  warn(details: LogDetails, message: string): void
  /** Logs a failure that was answered, or that could not be. */
  error(details: LogDetails, message: string): void
}

/** What a log message is about, beside its text. */
export interface LogDetails {
  /** Whatever was thrown; the name is the one that pino writes an error's type, message and stack under. */
  readonly err?: unknown
}

/** Remembers which signatures were used, so that a call cannot be sent twice. */
export interface NonceStore {
  /**
   * Notes a signature, in one atomic step. It is asked once the signature is proved. A call is answered with
   * `NonceStoreUnavailableError` when the promise rejects or is not settled within a second.
   *
   * @param nonce - The signature: 64 hex digits, a text of at most 100 characters.
   * @param ttlMs - How long to remember it, milliseconds.
   * @returns True when it was not known yet.
   */
  claim(nonce: string, ttlMs: number): boolean | Promise<boolean>
}

/** Limits of the work that agents do in the background. */
export interface TurnLimits {
  /** How many turns run at once. @default 100 */
  readonly running?: number | undefined
  /** How many events wait for their turn; one more is answered with `AgentBusyError`. @default 1000 */
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
  /** How many turns of agents run at once, and how many events wait. @default 100 run, 1000 wait */
  readonly turnLimits?: TurnLimits | undefined
  /**
   * Keeps the runtime awake until work in the background is done. @default what the adapter passes with each call, else
   * what Next.js or Vercel left for the request, else none, which is right where the process goes on
   */
  readonly waitUntil?: WaitUntil | undefined
  /**
   * The environment's secret key, or up to three of one environment while it is being replaced, newest first.
   * @default SERVICE_SECRET_KEY, else SERVICE_API_KEY
   */
  readonly secretKey?: string | readonly string[] | undefined
  /**
   * Whether calls must be signed.
   * @default on unless NODE_ENV is development, dev or unset; SERVICE_STRICT_AUTHENTICATION_ENABLED=true forces it on.
   *   On Cloudflare Workers, and where there is no `process.env`, unset counts as production
   */
  readonly strictAuthentication?: boolean | undefined
  /** The names that another service has for header, variables and error codes: `novu` of `@trestle/core/novu`. @default none */
  readonly service?: ServicePreset | undefined
  /** The header that carries the signature, and the only one. @default 'service-signature', and that of `service` */
  readonly signatureHeader?: string | undefined
  /** Base address of the service's REST API. @default SERVICE_API_URL */
  readonly apiUrl?: string | undefined
  /** The largest body that is read, in bytes. @default 10 MiB */
  readonly maxBodyBytes?: number | undefined
  /** How long a call may take, in milliseconds, counted from its arrival. @default 4500 */
  readonly timeoutMs?: number | undefined
  /** Whether `discover` tells the source text of functions. @default false */
  readonly exposeCode?: boolean | undefined
  /** Origins of web pages that may call the bridge from a browser, or `'*'`. @default none */
  readonly cors?: AllowedOrigins | undefined
  /** Where the framework's messages go. @default console */
  readonly logger?: Logger | undefined
  /** Functions that are told what happens. */
  readonly hooks?: Hooks | undefined
  /** Refuses a signature that was used before; see `createNonceStore`. @default none */
  readonly nonceStore?: NonceStore | undefined
}
