import type { JsonObject } from '@trestle/protocol'
import type { MessageReport } from '../../engine/port/event-port.ts'

/** What a provider reports about a message that it has accepted. */
export interface DeliveryReport {
  readonly type: MessageReport
  /** The message ids of the provider, one of which is the stored one. */
  readonly messageIds: readonly string[]
  /** Identifies the event, even if the provider sends it again. */
  readonly eventId: string
  /** When it happened, in milliseconds since 1970; absent if the provider does not specify it. */
  readonly atMs?: number | undefined
  /** Why the message was not delivered. */
  readonly reason?: string | undefined
}

/** A call of a provider. */
export interface ReportCall {
  readonly header: (name: string) => string | undefined
  /** The body as received. */
  readonly body: Uint8Array
  /** The time, in milliseconds since 1970. */
  readonly nowMs: number
}

/** What a call contains. */
export interface ReportContent {
  readonly reports: readonly DeliveryReport[]
  /** A URL of the provider that confirms a subscription when it is requested. */
  readonly confirmUrl?: string
}

/** Returns the certificate at a URL of the provider, as PEM. */
export type LoadCertificate = (url: string, nowMs: number) => Promise<string>

/** How the calls of a provider are verified and read. */
export interface ReportReader {
  /** The credential that turns reports on. Without it, all calls are rejected. */
  readonly credential: string
  /** The reports that the provider can send. */
  readonly types: ReadonlySet<MessageReport>
  /** Returns what is wrong with the value of the credential, as the end of a sentence. */
  findFault(value: string): string | undefined
  /** Returns whether a call may be genuine, before its body is read. */
  mayBeGenuine?(call: Omit<ReportCall, 'body'>): boolean
  /** The largest body that is read to verify a call, in bytes. @default any size that the API accepts */
  readonly maxBodyBytes?: number
  /** Verifies the proof of a call: its signature over the raw body, or its password. Compares in constant time. */
  isGenuine(call: ReportCall, credentials: JsonObject, load: LoadCertificate): boolean | Promise<boolean>
  /**
   * Returns the response to the challenge with which the provider verifies the address; undefined if the challenge does
   * not contain the saved token.
   */
  answerChallenge?(query: URLSearchParams, credentials: JsonObject): string | undefined
  /**
   * Reads a genuine call.
   *
   * @throws {ApiError} 400 if the body is malformed.
   */
  read(call: ReportCall): ReportContent
}
