/** A named group of subscribers. */
export interface Topic {
  /** Row id. */
  readonly _id: string
  /** The app's own identifier. */
  readonly key: string
  /** Its name. */
  readonly name?: string
  /** Free fields. */
  readonly data?: Readonly<Record<string, unknown>>
  /** When it was created. */
  readonly createdAt: string
}

/** One subscriber in one topic. */
export interface Subscription {
  /** Row id. */
  readonly _id: string
  /** Identifies it in the topic. */
  readonly identifier: string
  /** The topic. */
  readonly topic: { readonly key: string; readonly name?: string }
  /** The subscriber. */
  readonly subscriber: {
    readonly subscriberId: string
    readonly firstName?: string
    readonly lastName?: string
    readonly email?: string
  }
  /** When it began. */
  readonly createdAt: string
}
