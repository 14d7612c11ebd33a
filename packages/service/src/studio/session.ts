import { ApiError } from '../api/api-error.ts'
import type { HttpCall, HttpReply } from '../api/http-call.ts'
import type { ServiceContext } from '../context/service-context.ts'
import { jsonHeaders } from '../http/error-reply.ts'

/**
 * Returns what the studio begins with: every environment with its secret key, and where its bridge is. Only the studio's
 * own pages are answered: browsers say of each request where it comes from, and no page can alter that.
 *
 * @param context - What keys are read with.
 * @param call - The request, already admitted.
 * @throws {ApiError} 404 for requests that do not come from a page of the service.
 */
export async function answerSession({ store, vault }: ServiceContext, call: HttpCall): Promise<HttpReply> {
  const site = call.header('sec-fetch-site')
  if (site !== 'same-origin' && site !== 'none') throw new ApiError(404, 'Cannot GET /studio/session')
  const rows = await store.db
    .selectFrom('environments')
    .innerJoin('apiKeys', 'apiKeys.environmentId', 'environments.id')
    .select(['environments.id', 'environments.name', 'environments.applicationIdentifier'])
    .select(['environments.bridgeUrl', 'apiKeys.sealed'])
    .orderBy('environments.id')
    .execute()
  const environments = rows.map(({ sealed, ...row }) => ({ ...row, secretKey: vault.open(sealed) }))
  const body = JSON.stringify({ environments, bridgeUrl: environments[0]?.bridgeUrl ?? null })
  return { status: 200, headers: { ...jsonHeaders, 'cross-origin-resource-policy': 'same-origin' }, body }
}
