import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerIds } from '@trestle/core'
import { describe, expect, test } from 'vitest'
import { apiOf } from '../../packages/service/src/channels/apis/api-request.ts'
import { SendError } from '../../packages/service/src/channels/base/send-error.ts'
import { listProviders } from '../../packages/service/src/channels/provider/provider-catalogue.ts'
import { sendRequest } from '../../packages/service/src/channels/webhook/send-request.ts'
import { reportReaders } from '../../packages/service/src/reports/report-readers.ts'
import { root } from '../repository.ts'

const folder = join(root, 'packages/docs/integrations')
const providers = listProviders().map((provider) => ({
  ...provider,
  page: `${provider.channel}/${provider.providerId}.md`,
}))
const read = (page: string): string => readFileSync(join(folder, page), 'utf8')

test('each provider has a page, and there are no others', () => {
  const written = ['email', 'sms', 'push', 'chat', 'tool'].flatMap((channel) =>
    readdirSync(join(folder, channel))
      .filter((name) => name !== 'index.md')
      .map((name) => `${channel}/${name}`),
  )
  expect(written.sort()).toEqual(providers.map(({ page }) => page).sort())
})

test('the steps of a bridge can override each provider', () => {
  const missing = providers.filter(({ providerId, channel }) => {
    const ids: readonly string[] = providerIds[channel === 'in_app' ? 'inApp' : channel]
    return !ids.includes(providerId)
  })
  expect(missing.map(({ page }) => page)).toEqual([])
})

const written = providers.filter(({ page }) => existsSync(join(folder, page)))

test.each(written.map((provider) => [provider.name, provider] as const))(
  'the page of %s shows a complete request, and how to set up its reports',
  (name, { page, providerId, channel, fields }) => {
    const text = read(page)
    expect(text).toMatch(new RegExp(`^# ${name}$`, 'm'))
    const [, body = '{}'] = /^```http\nPOST \/v1\/integrations\n([\s\S]*?)^```/m.exec(text) ?? []
    const request = JSON.parse(body)
    expect(request).toMatchObject({ providerId, channel, active: true })
    const given = Object.keys(request.credentials)
    expect(given).toEqual(expect.arrayContaining(fields.filter(({ required }) => required).map((field) => field.name)))
    expect(fields.map((field) => field.name)).toEqual(expect.arrayContaining(given))
    expect(/^## Delivery reports$/m.test(text)).toBe(reportReaders.has(providerId))
  },
)

/** A response with an error code, in the format of the provider. */
function toReply(providerId: string, status: number, code: string) {
  const bodies: Readonly<Record<string, unknown>> = {
    apns: { reason: code },
    expo: { data: [{ status: 'error', details: { error: code } }] },
    fcm: { error: { details: [{ errorCode: code }] } },
    sendinblue: { code },
    resend: { name: code },
    nexmo: { messages: [{ status: code }] },
    'whatsapp-business': { error: { code: Number(code) } },
  }
  const headers = {
    ...(providerId === 'ses' && { 'x-amzn-errortype': code }),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return {
    status,
    headers,
    text: providerId === 'sns' ? `<Code>${code}</Code>` : JSON.stringify(bodies[providerId] ?? {}),
  }
}

async function resultOf(providerId: string, status: number, code: string): Promise<string> {
  const { explain, expects } = apiOf(providerId) ?? {}
  const request = { kind: 'request', method: 'POST', url: 'https://a.example', headers: {}, body: {} } as const
  const outbound = { send: async () => toReply(providerId, status, code) } as never
  const options = { outbound, authorizer: {} as never, messageId: 'm', nowMs: 0, signal: new AbortController().signal }
  try {
    await sendRequest({ ...request, ...(expects && { expects }) }, { ...options, ...(explain && { explain }) })
    return 'sent'
  } catch (error) {
    if (!(error instanceof SendError)) throw error
    return error.waitMs === undefined ? error.blame : 'temporary'
  }
}

describe('the rejections listed on the pages match the results of the service', () => {
  const rows = written
    .filter(({ providerId }) => providerId !== 'nodemailer')
    .flatMap(({ page, providerId }) =>
      [...read(page).matchAll(/^\| `(\d+) ?(\S*)` +\| (\w+) +\|/gm)].map(
        ([, status = '', code = '', result = '']) => [page, status, code, result, providerId] as const,
      ),
    )

  test('and there are several on each page except one', () => {
    const counts = written.map(({ page }) => rows.filter(([name]) => name === page).length)
    expect(counts.filter((count) => count < 2)).toEqual([0])
  })

  test.each(rows)('%s: %s %s is %s', async (_page, status, code, result, providerId) => {
    expect(await resultOf(providerId, Number(status), code)).toBe(result)
  })
})
