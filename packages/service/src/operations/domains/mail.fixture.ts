import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { onTestFinished, type TestContext, vi } from 'vitest'
import { type RecordServer, serveRecords } from '../../../../bridge-client/fixtures/record-server.ts'
import type { ServiceOptions } from '../../config/generated/service-options.ts'
import { type AgentScene, startAgents } from '../conversations/agents.fixture.ts'

/** A call that the test webhook received. */
export interface WebhookCall {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** A webhook that records its calls. */
export interface Webhook {
  readonly url: string
  readonly calls: WebhookCall[]
  /** Returns the status of the response. A promise delays the response. */
  answer: (call: WebhookCall) => number | Promise<number>
  /** Waits for a number of calls. */
  waitForCalls(count: number): Promise<readonly WebhookCall[]>
}

/** Serves a webhook on loopback until the test ends. */
export async function serveWebhook(): Promise<Webhook> {
  const calls: WebhookCall[] = []
  const webhook: Webhook = {
    ...{ url: '', calls, answer: () => 200 },
    waitForCalls: (count) =>
      vi.waitFor(() => {
        if (calls.length < count) throw new Error(`${calls.length} of ${count} calls have come`)
        return calls
      }, 15_000),
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString()
      const call = { headers: request.headers, text, body: JSON.parse(text) }
      calls.push(call)
      response.writeHead(await webhook.answer(call)).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(webhook, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mail` })
}

/** A service with a verified domain `in.test`, an agent, and a sender `person.test` authenticated by SPF. */
export interface MailScene extends AgentScene {
  readonly dns: RecordServer
  /** Options that start another service that receives mail. */
  readonly inboundMail: NonNullable<ServiceOptions['inboundMail']>
}

export async function startMailScene(
  driver: 'sqlite' | 'postgres',
  context: TestContext,
  options: ServiceOptions = {},
): Promise<MailScene> {
  const dns = await serveRecords({ 'person.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] } })
  const inboundMail = { hostName: 'mx.service.test', port: 0, nameServers: [dns.address] }
  const scene = await startAgents(driver, context, { inboundMail, ...options })
  const created = await scene.ok('POST /v1/domains', { name: 'in.test' })
  dns.zone.set('_trestle-challenge.in.test', { TXT: [created.expectedDnsRecords[0].content] })
  const { status } = await scene.ok('POST /v1/domains/in.test/verify')
  if (status !== 'verified') throw new Error(`the domain is ${status}`)
  return Object.assign(scene, { dns, inboundMail })
}

/** Sends an email by SMTP; resolves to the server's reply. */
export async function sendTo(port: number | undefined, mail: SendMailOptions): Promise<string> {
  const client = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, name: 'out.person.test' })
  const plain = { from: 'Ada <ada@person.test>', subject: 'Help', text: 'It does not work.' }
  try {
    return (await client.sendMail({ ...plain, ...mail })).response
  } catch (error) {
    return (error as { response?: string }).response ?? String(error)
  } finally {
    client.close()
  }
}
