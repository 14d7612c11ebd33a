import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { authenticateMail } from './authenticate-mail.ts'
import { checkLoop, findAutomatic } from './find-automatic.ts'
import { parseMail } from './parse-mail.ts'
import type { FromThread, ReadMail, ToThread, UnreadMail } from './read-mail.ts'
import { RefusedMailError } from './refused-mail.ts'

interface Question {
  readonly resolve: (records: unknown) => void
  readonly reject: (error: Error) => void
}

const open = new Map<number, Question>()
let count = 0

function tell(message: FromThread): void {
  parentPort?.postMessage(message)
}

/** Looks up records through the server thread, which has the resolver and its limits. */
function findRecords(name: string, type: string): Promise<unknown> {
  const id = count++
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject })
    tell({ question: { id, name, type } })
  })
}

async function read({ raw: bytes, recipients, ...sending }: UnreadMail): Promise<ReadMail> {
  // Posting a message to a thread turns a buffer into an array of bytes.
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const mail = await parseMail(raw)
  checkLoop(mail, recipients)
  const authentication = await authenticateMail({ ...sending, raw, author: mail.from.address }, findRecords)
  const digest = createHash('sha256').update(raw).digest('hex')
  return { ...mail, digest, authentication, automatic: findAutomatic(mail, sending.envelopeFrom) }
}

function toRejection(error: unknown): FromThread {
  if (error instanceof RefusedMailError) return { refusal: { code: error.responseCode, message: error.message } }
  return { fault: String(error instanceof Error ? (error.stack ?? error.message) : error) }
}

parentPort?.on('message', (message: ToThread) => {
  if ('unread' in message) {
    open.clear()
    tell('started')
    read(message.unread)
      .then((mail) => ({ mail }), toRejection)
      .then(tell)
    return
  }
  const question = open.get(message.id)
  open.delete(message.id)
  if ('records' in message) question?.resolve(message.records)
  else question?.reject(Object.assign(new Error(`The look-up failed: ${message.code}`), { code: message.code }))
})
