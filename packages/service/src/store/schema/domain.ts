import type { Flag, Id, JsonText, Millis } from './column.ts'

/** A domain whose mail the service receives. */
export interface DomainRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its name in lowercase ASCII; unique in the environment, and among verified domains of all environments. */
  name: string
  /** The text that its TXT record must hold. */
  token: string
  /** Whether its TXT record was found at the last check. */
  status: 'pending' | 'verified'
  /** Whether its MX records led here at the last check. */
  isMxConfigured: Flag
  /** Free fields of callers, an object of texts. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** Where the mail of one address of a domain goes. */
export interface DomainRouteRow {
  /** Primary key. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Its domain. */
  domainId: Id
  /** The part of the address before the `@` in lowercase, or `*` for all others; unique in the domain. */
  address: string
  /** What takes the mail. */
  type: 'agent' | 'webhook'
  /** The agent's id in the bridge, of an agent's route. */
  agentId: string | null
  /** The address that is called, of a webhook's route. */
  webhookUrl: string | null
  /** Free fields of callers, an object of texts. */
  data: JsonText | null
  /** When it was created. */
  createdAt: Millis
  /** When it was last changed. */
  updatedAt: Millis
}

/** A mail to one address of a domain. */
export interface InboundMailRow {
  /** Primary key; what its webhook knows it by. */
  id: Id
  /** The environment it belongs to. */
  environmentId: Id
  /** Names the mail and its recipient, so that a mail that is sent again is taken once. Unique. */
  dedupeKey: string
  /** The name of the domain. */
  domain: string
  /** The address of the recipient. */
  recipient: string
  /** Who wrote it, according to the mail. */
  sender: string
  /** Its subject. */
  subject: string
  /** Its Message-ID. */
  messageId: string | null
  /** Its size as it was received. */
  sizeBytes: number
  /** Whether its sender is proved. */
  verdict: 'pass' | 'fail' | 'none'
  /** What took it; null if nothing did. */
  type: 'agent' | 'webhook' | null
  /** The webhook, or the agent's id. */
  target: string | null
  /** How far it is; `ignored` if it was received and goes nowhere. */
  status: 'pending' | 'delivered' | 'failed' | 'ignored'
  /** Why it failed or was ignored. */
  reason: string | null
  /** The conversation it belongs to. */
  conversationId: Id | null
  /** How often it was tried to deliver it. */
  attempts: number
  /** The mail as it is delivered, an object. */
  content: JsonText
  /** When it was received. */
  createdAt: Millis
  /** When it was delivered, ignored or given up. */
  settledAt: Millis | null
}
