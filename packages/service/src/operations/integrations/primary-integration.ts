import type { CallContext } from '../../context/service-context.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import type { Session } from '../../store/store.ts'

/** Channels that deliver through one integration, so that one of them is primary. */
const singleChannels: ReadonlySet<string> = new Set(['email', 'sms'])

/**
 * Keeps exactly one primary integration per channel after a change: the changed one if it is primary, else the previous
 * primary, else the first active one.
 *
 * @param changed - The integration after the change.
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
  // Updates only changed rows: two calls that each update all rows would deadlock.
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
