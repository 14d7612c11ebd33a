import { type Outbound, OutboundError } from '@trestle/bridge-client'
import { invalid } from '../../api/api-error.ts'
import { maskSecrets } from '../../bridge/mask-secrets.ts'
import { apiOf, findMissing, toBaseUrl } from '../../channels/apis/api-request.ts'
import { SendError } from '../../channels/base/send-error.ts'
import { checkSmtp } from '../../channels/email/send-mail.ts'
import { senderOf } from '../../channels/provider/providers.ts'
import { secretsOfCredentials } from '../../channels/sealed-delivery.ts'
import { readWebhookTarget } from '../../channels/webhook/webhook-target.ts'
import type { CallContext } from '../../context/service-context.ts'
import type { IntegrationRow } from '../../store/schema/delivery.ts'
import { openCredentials } from './integration-row.ts'

const timeoutMs = 10_000
const shownLength = 500

/**
 * Tests the credentials of an integration as far as possible without sending a message. Signs in to an SMTP server. For
 * an API or a webhook, checks the required fields and looks up the host, but does not test the key. Providers whose
 * messages go to the outbox are skipped.
 *
 * @param row - The integration with its new values.
 * @throws {ApiError} 422 if the credentials do not work.
 */
export async function checkCredentials(context: CallContext, row: IntegrationRow): Promise<void> {
  const sender = senderOf(row.providerId)
  if (sender === 'none') return
  const credentials = openCredentials(context, row)
  const api = apiOf(row.providerId)
  const missing = api && findMissing(api, credentials)
  if (missing) throw invalid('credentials', `do not work: ${missing.message}`)
  const { outbound } = context
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([context.signal, limit])
  try {
    if (sender === 'smtp') await checkSmtp(credentials, { outbound, signal })
    const { url = api && toBaseUrl(api, credentials) } = readWebhookTarget(credentials)
    if (sender !== 'smtp' && url !== undefined) await lookUp(outbound, new URL(url), signal)
  } catch (error) {
    if (limit.aborted) throw invalid('credentials', 'do not work: The server did not answer in time.')
    if (!(error instanceof SendError || error instanceof OutboundError || error instanceof TypeError)) throw error
    const message = String(maskSecrets(error.message, secretsOfCredentials(credentials))).slice(0, shownLength)
    throw invalid('credentials', `do not work: ${message}`)
  }
}

async function lookUp(outbound: Outbound, { hostname, port, protocol }: URL, signal: AbortSignal): Promise<void> {
  await outbound.resolveHost(
    hostname.replace(/^\[|\]$/g, ''),
    signal,
    Number(port) || (protocol === 'https:' ? 443 : 80),
  )
}
