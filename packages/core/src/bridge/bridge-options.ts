import type { AgentDefinition } from '../agent/agent-definition.ts'
import type { WorkflowDefinition } from '../workflow/workflow.ts'
import type { Hooks } from './hooks.ts'

/** The web pages that may call a bridge from a browser. */
export type AllowedOrigins = readonly string[] | '*'

/** Where the framework's own messages go; `console` fits. */
export interface Logger {
  /** Something that needs attention, once. */
  warn(message: string, details?: unknown): void
  /** A failure that was answered, or that could not be. */
  error(message: string, details?: unknown): void
}

/** Remembers which signatures were used, so that a call cannot be sent twice. */
export interface NonceStore {
  /**
   * Notes a signature, in one atomic step.
   *
   * @param nonce - The signature's time and MAC.
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
   * Keeps the runtime awake until work in the background is done: `after` of Next.js, `waitUntil` of
   * `@vercel/functions` or of `cloudflare:workers`. @default none, which is right where the process goes on
   */
  readonly waitUntil?: WaitUntil | undefined
  /**
   * The environment's secret key, or up to three of one environment while it is being replaced, newest first.
   * @default SERVICE_SECRET_KEY, else SERVICE_API_KEY
   */
  readonly secretKey?: string | readonly string[] | undefined
  /**
   * Whether calls must be signed.
   * @default on unless NODE_ENV is development, dev or unset; SERVICE_STRICT_AUTHENTICATION_ENABLED=true forces it on
   */
  readonly strictAuthentication?: boolean | undefined
  /** The header that carries the signature. @default 'service-signature' */
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
