import { createWorkerPool, WorkBusyError, WorkLimitError } from '@trestle/worker-pool'
import type { Authentication, FindRecords, Sending } from './authenticate-mail.ts'
import type { AutomaticMail } from './find-automatic.ts'
import type { ParsedMail } from './parse-mail.ts'
import { type MailRefusal, RefusedMailError } from './refused-mail.ts'

/** An email to be read, with its envelope. */
export interface UnreadMail extends Omit<Sending, 'author'> {
  /** The envelope recipients. */
  readonly recipients: readonly string[]
}

/** A parsed email with its authentication. */
export interface ReadMail extends ParsedMail {
  /** SHA-256 of the email as received, in hexadecimal; the same if the email is sent again. */
  readonly digest: string
  /** The authenticated sender. */
  readonly authentication: Authentication
  /** The kind of automatic email; `undefined` if a person wrote it. */
  readonly automatic: AutomaticMail | undefined
}

/** Reads emails in other processes. */
export interface MailReader {
  /**
   * Parses and authenticates an email.
   *
   * @throws {RefusedMailError} The email is rejected, takes too long or too much memory, or too many other emails are
   * waiting.
   */
  read(mail: UnreadMail): Promise<ReadMail>
  /** Ends the processes. Emails being read are rejected temporarily. */
  stop(): Promise<void>
}

/** Options of a mail reader. */
export interface MailReaderOptions {
  /** Looks up DNS records, in the calling process. */
  readonly findRecords: FindRecords
  /** The maximum time for one email, in milliseconds. */
  readonly maxReadingMs: number
}

/** The result of a process. */
export type Reading = { readonly mail: ReadMail } | { readonly refusal: MailRefusal }

/** What a process asks: DNS records, as an argument of `FindRecords`. */
export interface RecordQuestion {
  readonly name: string
  readonly type: string
}

/** The maximum number of emails being read or waiting. */
const maxMails = 20
const maxQuestions = 100
const maxAskingMs = 20_000

/**
 * Creates a mail reader. It reads one email per sending server at a time, so that a server with slow emails does not
 * delay others.
 *
 * @param options - The DNS lookup, and the time limit.
 */
export function createMailReader({ findRecords, maxReadingMs }: MailReaderOptions): MailReader {
  // Tests run the TypeScript source, which Node cannot load itself, so they use the built file.
  const file = import.meta.url.endsWith('.ts') ? '../dist/read-mail-process.js' : './read-mail-process.js'
  const limits = { maxHeapMb: 512, maxProcessorMs: 30_000, maxMs: maxReadingMs, maxWaiting: maxMails }
  const pool = createWorkerPool({ file: new URL(file, import.meta.url), ...limits })
  let count = 0
  let isStopping = false
  return {
    async read(unread) {
      if (count >= maxMails) throw putOff('4.3.1 Too many mails are being received. Try again later.')
      count++
      const asking = new AbortController()
      try {
        const answer = createAnswer(findRecords, asking)
        const reading = (await pool.run({ input: unread, owner: unread.remoteAddress, answer })) as Reading
        if ('refusal' in reading) throw new RefusedMailError(reading.refusal)
        return reading.mail
      } catch (error) {
        if (isStopping) throw putOff('4.3.2 The server is shutting down. Try again later.')
        throw toRefusal(error)
      } finally {
        count--
        asking.abort()
      }
    },
    async stop() {
      isStopping = true
      await pool.stop()
    },
  }
}

const putOff = (message: string): RefusedMailError => new RefusedMailError({ code: 451, message })

/** A process reads one email at a time, so an email that exceeds a limit always does. */
function toRefusal(error: unknown): unknown {
  if (error instanceof WorkLimitError)
    return new RefusedMailError({ code: 554, message: `5.3.4 The mail cannot be read: ${error.message}.` })
  if (error instanceof WorkBusyError)
    return putOff(`4.3.1 The mail cannot be read now: ${error.message}. Try again later.`)
  return error
}

/** Looks up records for an email; fails if it needs too many, or takes too long. */
function createAnswer(findRecords: FindRecords, asking: AbortController): (question: unknown) => Promise<unknown> {
  let count = 0
  return async (question) => {
    if (count === 0) setTimeout(() => asking.abort(), maxAskingMs).unref()
    count++
    const { name, type } = question as RecordQuestion
    if (count > maxQuestions) throw Object.assign(new Error('too many questions'), { code: 'ESERVFAIL' })
    return findRecords(name, type as never, { signal: asking.signal })
  }
}
