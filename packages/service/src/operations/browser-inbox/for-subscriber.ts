import { ApiError } from '../../api/api-error.ts'
import { type AnyOperation, type Operation, operation } from '../../context/operation.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { SubscriberSession } from '../../inbox/subscriber-session.ts'
import type { SubscriberRow } from '../../store/schema/subscriber.ts'

/**
 * Returns the subscriber of the call's session.
 *
 * @throws {ApiError} The operation is not for subscribers.
 */
export function ownSubscriber(context: Pick<CallContext, 'session'>): SubscriberRow {
  return ownSession(context).subscriber
}

/** Returns the session of a call; see {@link ownSubscriber}. */
export function ownSession({ session }: Pick<CallContext, 'session'>): SubscriberSession {
  if (session) return session
  throw new ApiError(500, 'The operation requires a subscriber session.')
}

/** The differences between a server operation and its version for subscribers. */
export type OwnRow = Pick<Operation, 'name' | 'path'> & Partial<Pick<Operation, 'wrapped' | 'cost' | 'body'>>

/**
 * Returns a subscriber operation as one that the subscriber calls: the session names the subscriber instead of the
 * path.
 *
 * @param source - The server operation. Its path has the parameter `subscriberId`.
 * @param row - The differences. A body replaces parameters of the source's path.
 */
export function forSubscriber(source: AnyOperation, row: OwnRow): AnyOperation {
  const { params: _params, ...same } = source
  return operation<Readonly<Record<string, string>>, unknown, unknown>({
    ...same,
    ...row,
    forSubscriber: true,
    handler(context, { params, query, body }) {
      const named = row.body ? { ...params, ...(body as object) } : params
      return source.handler(context, {
        params: { ...named, subscriberId: ownSubscriber(context).subscriberId },
        query,
        body: row.body ? undefined : body,
      })
    },
  })
}
