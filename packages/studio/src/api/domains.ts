/** A DNS record that a domain requires. */
export interface DnsRecord {
  readonly type: string
  readonly name: string
  readonly content: string
  /** The mail server priority. */
  readonly priority?: number
}

/** A domain for inbound email. */
export interface Domain {
  /** Row id. */
  readonly _id: string
  readonly name: string
  /** Whether ownership is verified. */
  readonly status: 'pending' | 'verified'
  /** Whether its email is routed to the service. */
  readonly mxRecordConfigured: boolean
  /** The DNS records that the domain requires. */
  readonly expectedDnsRecords: readonly DnsRecord[]
  /** When it was created. */
  readonly createdAt: string
}

/** The route for email to an address. */
export interface DomainRoute {
  /** Row id. */
  readonly _id: string
  /** The part of the address before the `@`, or `*`. */
  readonly address: string
  /** The kind of receiver. */
  readonly type: 'agent' | 'webhook'
  readonly agentId?: string
  readonly webhookUrl?: string
}

/** A received email. */
export interface InboundMail {
  /** Row id. */
  readonly _id: string
  /** The address to which it was sent. */
  readonly recipient: string
  /** The sender according to the email. */
  readonly sender: string
  readonly subject: string
  /** Whether its sender is authenticated. */
  readonly verdict: 'pass' | 'fail' | 'none'
  /** The webhook or the agent. */
  readonly target?: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'ignored'
  /** Why it failed, is pending or was ignored. */
  readonly reason?: string
  /** The conversation it belongs to. */
  readonly conversationId?: string
  /** When it was received. */
  readonly createdAt: string
}
