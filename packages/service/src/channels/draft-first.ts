import type { Session } from '../store/store.ts'
import type { Delivery, Draft } from './base/delivery.ts'
import { draftMessage } from './draft-message.ts'
import type { Destination } from './provider/destinations.ts'
import type { FallbackDelivery } from './sealed-delivery.ts'

/** A message for the first integration that can send it. */
export interface FirstDraft {
  readonly destination: Destination
  readonly drafted: Draft
  /** The same message for the next integrations. */
  readonly fallbacks: readonly FallbackDelivery[]
  /** Human-readable warnings about integrations that cannot send. */
  readonly skipped: readonly string[]
}

/** Problems of one integration; any other problem would make the message fail with every integration. */
const integrationProblems: ReadonlySet<string> = new Set([
  ...['credentials_missing', 'credentials_invalid', 'credentials_unreadable'],
  ...['sender_missing', 'webhook_url_missing', 'attachments_unsupported'],
])

/**
 * Returns a message for the first integration with a complete configuration, and drafts for the integrations to try
 * after it. All are drafted now, so that a later failover only needs the message's row.
 *
 * @param tx - The transaction, which reads feeds.
 */
export async function draftFirst(
  tx: Session,
  given: Destination,
  { delivery, messageId }: { readonly delivery: Delivery; readonly messageId: string },
): Promise<FirstDraft> {
  const [first, ...rest] = await Promise.all(
    [given, ...(given.fallbacks ?? [])].map(async (destination) => {
      return { destination, drafted: await draftMessage(tx, { delivery, destination, messageId }) }
    }),
  )
  if (first === undefined) throw new Error('A destination is expected.')
  const usable = [first, ...rest].filter(({ drafted: { problem } }) => !integrationProblems.has(problem?.code ?? ''))
  const chosen = usable[0] ?? first
  const skipped = [first, ...rest].slice(0, usable[0] ? [first, ...rest].indexOf(usable[0]) : 0)
  return {
    ...chosen,
    fallbacks: usable.slice(1).flatMap(toFallback),
    skipped: skipped.map(
      ({ destination, drafted }) =>
        `The integration "${destination.identifier}" is skipped: ${drafted.problem?.message ?? ''}`,
    ),
  }
}

function toFallback({
  destination,
  drafted,
}: Pick<FirstDraft, 'destination' | 'drafted'>): readonly FallbackDelivery[] {
  const { providerId, integrationId, identifier, credentials } = destination
  const { outgoing, problem } = drafted
  if (problem || outgoing === undefined || integrationId === undefined || identifier === undefined) return []
  return [{ providerId, integrationId, identifier, outgoing, credentials }]
}
