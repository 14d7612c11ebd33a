import type { CallContext } from '../../context/service-context.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** Channels whose messages go to one integration, so that one of them is the first choice. */
const singleChannels: ReadonlySet<string> = new Set(['email', 'sms'])

/**
 * Keeps one primary integration in a channel after one of them has changed: the changed one where it is primary itself,
 * else the one that was, else the first that is used.
 *
 * @param tx - The transaction.
 * @param context - The call.
 * @param changed - The integration as it is now.
 */
export async function keepOnePrimary(
  tx: Session,
  { environment }: Pick<CallContext, 'environment'>,
  changed: IntegrationRow,
): Promise<void> {
  const rows = await tx
    .selectFrom('integrations')
    .select(['id', 'isPrimary'])
    .where('environmentId', '=', environment.id)
    .where('channel', '=', changed.channel)
    .where('active', '=', 1)
    .orderBy('id')
    .execute()
  const current = changed.isPrimary === 1 ? changed : rows.find(({ isPrimary }) => isPrimary === 1)
  const chosen = current ?? (singleChannels.has(changed.channel) ? rows[0] : undefined)
  // Only what changes is written: two calls that each wrote all rows, one of them first, would wait for one another.
  for (const isPrimary of [0, 1] as const)
    await tx
      .updateTable('integrations')
      .set({ isPrimary })
      .where('environmentId', '=', environment.id)
      .where('channel', '=', changed.channel)
      .where('isPrimary', '!=', isPrimary)
      .where('id', isPrimary === 1 ? '=' : '!=', chosen?.id ?? '')
      .execute()
}
