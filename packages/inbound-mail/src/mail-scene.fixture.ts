import { createTransport, type SendMailOptions } from 'nodemailer'
import { onTestFinished } from 'vitest'
import { type RecordServer, serveRecords } from '../../bridge-client/fixtures/record-server.ts'
import { createRecordLookup } from '../../bridge-client/src/dns/record-lookup.ts'
import { type MailServer, type MailServerOptions, startMailServer } from './mail-server.ts'
import type { ReceivedMail } from './received-mail.ts'

/** A mail server that accepts mail for `in.test`, with the mail it has received. */
export interface MailScene {
  readonly server: MailServer
  /** The DNS records of senders. */
  readonly dns: RecordServer
  readonly received: ReceivedMail[]
  readonly faults: unknown[]
  readonly refused: string[]
  /** Sends an email as a mail server does; resolves to the reply. */
  send(mail: SendMailOptions, transport?: object): Promise<string>
}

/** An SPF record that authorizes this machine. */
export const spf = 'v=spf1 ip4:127.0.0.1 -all'

const plain = { from: 'Ada <ada@sender.test>', to: 'support@in.test', subject: 'Hello', text: 'How are you?' }

/** Starts a mail server that is stopped when its test ends. */
export async function startScene(options: Partial<MailServerOptions> = {}): Promise<MailScene> {
  const dns = await serveRecords({ 'sender.test': { TXT: [spf] } })
  const [received, faults, refused]: [ReceivedMail[], unknown[], string[]] = [[], [], []]
  const server = await startMailServer({
    ...{ port: 0, host: '127.0.0.1', hostName: 'mx.service.test', maxMessageBytes: 100_000 },
    findRecords: createRecordLookup({
      servers: [dns.address],
      serverTimeoutMs: 50,
    }) as MailServerOptions['findRecords'],
    onRecipient: async (address) =>
      address.endsWith('@in.test') ? undefined : { code: 550, message: '5.1.1 There is no such address here.' },
    async onMail(mail) {
      received.push(mail)
      return undefined
    },
    onError: (error) => faults.push(error),
    onRefusal: ({ code, message }) => refused.push(`${code} ${message}`),
    ...options,
  })
  onTestFinished(() => server.stop())
  const send = async (mail: SendMailOptions, transport: object = {}): Promise<string> => {
    const client = createTransport({
      ...{ host: '127.0.0.1', port: server.port, ignoreTLS: true, name: 'out.sender.test' },
      ...transport,
    })
    try {
      return (await client.sendMail({ ...plain, ...mail })).response
    } catch (error) {
      return (error as { response?: string }).response ?? String(error)
    } finally {
      client.close()
    }
  }
  return { server, dns, received, faults, refused, send }
}
