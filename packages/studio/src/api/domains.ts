/** A DNS record that a domain needs. */
export interface DnsRecord {
  /** Its type. */
  readonly type: string
  /** The full name it is of. */
  readonly name: string
  /** Its content. */
  readonly content: string
  /** The order among mail servers. */
  readonly priority?: number
}

/** A domain whose mail is received. */
export interface Domain {
  /** Row id. */
  readonly _id: string
  /** Its name. */
  readonly name: string
  /** Whether it was proved that the domain is one's own. */
  readonly status: 'pending' | 'verified'
  /** Whether its mail is sent to the service. */
  readonly mxRecordConfigured: boolean
  /** The records it needs. */
  readonly expectedDnsRecords: readonly DnsRecord[]
  /** When it was created. */
  readonly createdAt: string
}

/** Where the mail of an address goes. */
export interface DomainRoute {
  /** Row id. */
  readonly _id: string
  /** The part of the address before the `@`, or `*`. */
  readonly address: string
  /** What takes the mail. */
  readonly type: 'agent' | 'webhook'
  /** The agent. */
  readonly agentId?: string
  /** The webhook. */
  readonly webhookUrl?: string
}

/** A mail that was received. */
export interface InboundMail {
  /** Row id. */
  readonly _id: string
  /** The address it was sent to. */
  readonly recipient: string
  /** Who wrote it, according to the mail. */
  readonly sender: string
  /** Its subject. */
  readonly subject: string
  /** Whether its sender is proved. */
  readonly verdict: 'pass' | 'fail' | 'none'
  /** The webhook, or the agent. */
  readonly target?: string
  /** How far it is. */
  readonly status: 'pending' | 'delivered' | 'failed' | 'ignored'
  /** Why it failed, waits or was ignored. */
  readonly reason?: string
  /** The conversation it belongs to. */
  readonly conversationId?: string
  /** When it was received. */
  readonly createdAt: string
}
