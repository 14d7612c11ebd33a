import type { OutboundReply, OutboundRequest } from '@trestle/bridge-client'
import { expect, test } from 'vitest'
import { createStore } from '../store/stores.fixture.ts'
import { createReportIntake } from './report-intake.ts'
import { reportReaders } from './report-readers.ts'
import { certificateUrl, signSns, snsCertificate, topicArn } from './sns/sns.fixture.ts'

const Timestamp = '2030-01-01T00:00:00.000Z'
const nowMs = Date.parse(Timestamp)

async function start(context: Parameters<typeof createStore>[1], answer: (url: string) => Partial<OutboundReply>) {
  const requests: string[] = []
  const outbound = {
    async send({ url }: OutboundRequest): Promise<OutboundReply> {
      requests.push(url)
      return { status: 200, headers: {}, text: '', ...answer(url) } as OutboundReply
    },
  }
  const store = await createStore('sqlite', context)
  const events = { record: async () => undefined }
  const logger = { info: () => undefined }
  const intake = createReportIntake({ store, events, logger, outbound, observe: () => undefined })
  const reader = reportReaders.get('ses')
  if (!reader) throw new Error('no reader')
  const integration = { id: 'i', environmentId: 'e', providerId: 'ses', credentials: { topicArn }, reader }
  const toCall = (message: object, atMs = nowMs) => ({
    ...{ body: Buffer.from(JSON.stringify(message)), nowMs: atMs, header: () => undefined },
  })
  return { intake, integration, toCall, requests }
}

const SubscribeURL = 'https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
const confirmation = signSns({ Type: 'SubscriptionConfirmation', Timestamp, Message: 'm', Token: 't', SubscribeURL })

test('loads the certificate of a topic once an hour, and confirms its subscription', async (context) => {
  const answer = (url: string) => ({ text: url === certificateUrl ? snsCertificate : '' })
  const { intake, integration, toCall, requests } = await start(context, answer)
  const genuine = await Promise.all([1, 2, 3].map(() => intake.isGenuine(integration, toCall(confirmation))))
  expect(genuine).toEqual([true, true, true])
  expect(requests).toEqual([certificateUrl])
  expect(await intake.receive(integration, toCall(confirmation))).toBe(0)
  expect(requests).toEqual([certificateUrl, SubscribeURL])
  expect(await intake.isGenuine(integration, toCall(confirmation, nowMs + 61 * 60_000))).toBe(true)
  expect(requests).toEqual([certificateUrl, SubscribeURL, certificateUrl])
})

test('asks SNS to send again if the certificate or the confirmation fails', async (context) => {
  const { intake, integration, toCall } = await start(context, () => ({ status: 500 }))
  await expect(intake.isGenuine(integration, toCall(confirmation))).rejects.toMatchObject({ status: 503 })
  await expect(intake.receive(integration, toCall(confirmation))).rejects.toMatchObject({ status: 503 })
})

test('rejects a certificate that cannot be read', async (context) => {
  const text = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----'
  const { intake, integration, toCall } = await start(context, () => ({ text }))
  expect(await intake.isGenuine(integration, toCall(confirmation))).toBe(false)
})

test('loads few certificates at a time', async (context) => {
  const { intake, integration, toCall } = await start(context, () => ({ text: snsCertificate }))
  const calls = Array.from({ length: 8 }, (_, index) => {
    const SigningCertURL = certificateUrl.replace('ab12', `ab1${index}`)
    const fields = { Type: 'Notification', Timestamp, Message: '{}', SigningCertURL }
    return intake.isGenuine(integration, toCall(signSns(fields)))
  })
  const results = await Promise.allSettled(calls)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
})
