import { createHash } from 'node:crypto'
import { serveWork } from '@trestle/worker-pool'
import { authenticateMail } from './authenticate-mail.ts'
import { checkLoop, findAutomatic } from './find-automatic.ts'
import { parseMail } from './parse-mail.ts'
import type { Reading, ReadMail, RecordQuestion, UnreadMail } from './read-mail.ts'
import { RefusedMailError } from './refused-mail.ts'

type FindRecords = Parameters<typeof authenticateMail>[1]

serveWork(async (unread, ask): Promise<Reading> => {
  // The server has the resolver and its limits. An answer that cannot be copied is a failed lookup.
  const findRecords: FindRecords = (name, type) =>
    ask({ name, type } satisfies RecordQuestion).catch((error) => {
      throw Object.assign(error, { code: error.code ?? 'ESERVFAIL' })
    })
  try {
    return { mail: await read(unread as UnreadMail, findRecords) }
  } catch (error) {
    if (!(error instanceof RefusedMailError)) throw error
    return { refusal: { code: error.responseCode, message: error.message } }
  }
})

async function read({ raw, recipients, ...sending }: UnreadMail, findRecords: FindRecords): Promise<ReadMail> {
  const mail = await parseMail(raw)
  checkLoop(mail, recipients)
  const authentication = await authenticateMail({ ...sending, raw, author: mail.from.address }, findRecords)
  const digest = createHash('sha256').update(raw).digest('hex')
  return { ...mail, digest, authentication, automatic: findAutomatic(mail, sending.envelopeFrom) }
}
