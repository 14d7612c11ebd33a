import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A domain whose email the service receives. */
export interface DomainRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name in lowercase ASCII; unique in the environment, and among verified domains of all environments. */
  name: string
  /** The required value of the domain's TXT record. */
  token: string
  /** Whether the last check found the TXT record. */
  status: 'pending' | 'verified'
  /** Whether the domain's MX records pointed to this service at the last check. */
  isMxConfigured: Flag
  /** Free-form data, an object of strings. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A route for the email to one address of a domain. */
export interface DomainRouteRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  domainId: Id
  /** The part of the address before the `@` in lowercase, or `*` for all others; unique in the domain. */
  address: string
  /** The kind of receiver. */
  type: 'agent' | 'webhook'
  /** The agent's id in the bridge, for routes to agents. */
  agentId: string | null
  /** The URL, for routes to webhooks. */
  webhookUrl: string | null
  /** Free-form data, an object of strings. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** An email to one address of a domain. */
export interface InboundMailRow {
  /** Primary key; the email's id in webhook requests. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Identifies the email and its recipient, so that a duplicate email is accepted only once. Unique. */
  dedupeKey: string
  /** The name of the domain. */
  domain: string
  /** The recipient's address. */
  recipient: string
  /** The sender according to the email. */
  sender: string
  subject: string
  /** Its Message-ID. */
  messageId: string | null
  /** The size of the received email, in bytes. */
  sizeBytes: number
  /** Whether the sender is authenticated. */
  verdict: 'pass' | 'fail' | 'none'
  /** The kind of receiver; null if there was none. */
  type: 'agent' | 'webhook' | null
  /** The webhook's URL, or the agent's id. */
  target: string | null
  /** The email's status; `ignored` if it had no receiver. */
  status: 'pending' | 'delivered' | 'failed' | 'ignored'
  /** Why it failed or was ignored. */
  reason: string | null
  /** The conversation it belongs to. */
  conversationId: Id | null
  /** The number of delivery attempts. */
  attempts: number
  /** The email in the format in which it is delivered, an object. */
  content: JsonText
  /** When it was received. */
  createdAt: Millis
  /** When it was delivered or ignored, or failed permanently. */
  settledAt: Millis | null
}
