import { Worker } from 'node:worker_threads'
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

/** Reads emails outside the calling thread. */
export interface MailReader {
  /**
   * Parses and authenticates an email.
   *
   * @throws {RefusedMailError} The email is rejected, takes too long or too much memory, or too many other emails are
   * waiting.
   */
  read(mail: UnreadMail): Promise<ReadMail>
  /** Stops the threads. Emails being read are rejected temporarily. */
  stop(): Promise<void>
}

/** Options of a mail reader. */
export interface MailReaderOptions {
  /** Looks up DNS records, in the calling thread. */
  readonly findRecords: FindRecords
  /** The maximum time for one email, in milliseconds. */
  readonly maxReadingMs: number
}

/** A message from the thread: it has started, needs DNS records, or has finished. */
export type FromThread =
  | 'started'
  | { readonly question: { readonly id: number; readonly name: string; readonly type: string } }
  | { readonly mail: ReadMail }
  | { readonly refusal: MailRefusal }
  | { readonly fault: string }

/** A message to the thread: an email, or the result of a DNS lookup. */
export type ToThread =
  | { readonly unread: UnreadMail }
  | { readonly id: number; readonly records: unknown }
  | { readonly id: number; readonly code: string }

interface Job {
  readonly unread: UnreadMail
  readonly resolve: (mail: ReadMail) => void
  readonly reject: (error: Error) => void
  /** Aborts its pending DNS lookups. */
  readonly asking: AbortController
  questions: number
}

interface Thread {
  readonly worker: Worker
  job: Job | undefined
  timer: NodeJS.Timeout | undefined
}

interface Pool extends MailReaderOptions {
  readonly threads: Set<Thread>
  readonly waiting: Job[]
}

const maxThreads = 2
const maxWaiting = 20
/** The maximum time for a thread to start on a busy machine. */
const startMs = 30_000
const maxQuestions = 100
const maxAskingMs = 20_000
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }

/**
 * Creates a mail reader. It reads one email per sending server at a time, so that a server with slow emails does not
 * delay others.
 *
 * @param options - The DNS lookup, and the time limit.
 */
export function createMailReader(options: MailReaderOptions): MailReader {
  const pool: Pool = { ...options, threads: new Set(), waiting: [] }
  return {
    read(unread) {
      if (pool.waiting.length >= maxWaiting)
        return Promise.reject(putOff('4.3.1 Too many mails are being received. Try again later.'))
      return new Promise((resolve, reject) => {
        pool.waiting.push({ unread, resolve, reject, asking: new AbortController(), questions: 0 })
        dispatch(pool)
      })
    },
    async stop() {
      const stopping = putOff('4.3.2 The server is shutting down. Try again later.')
      for (const { reject } of pool.waiting.splice(0)) reject(stopping)
      await Promise.all([...pool.threads].map((thread) => end(pool, thread, stopping)))
    },
  }
}

/** A thread reads one email at a time, so sending the same email again would fail in the same way. */
const tooLarge = new RefusedMailError({ code: 554, message: '5.3.4 The mail takes too much memory to read.' })
const putOff = (message: string): RefusedMailError => new RefusedMailError({ code: 451, message })

/** Dispatches waiting emails to idle threads: the oldest from each server that has none being read. */
function dispatch(pool: Pool): void {
  while (true) {
    const busy = new Set([...pool.threads].map(({ job }) => job?.unread.remoteAddress))
    const index = pool.waiting.findIndex(({ unread }) => !busy.has(unread.remoteAddress))
    const thread = [...pool.threads].find(({ job }) => job === undefined)
    if (index === -1 || (!thread && pool.threads.size >= maxThreads)) return
    const [job] = pool.waiting.splice(index, 1)
    if (job) run(pool, thread ?? start(pool), job)
  }
}

function start(pool: Pool): Thread {
  // Tests run the source, which a worker cannot load, so they use the built thread.
  const file = import.meta.url.endsWith('.ts') ? '../dist/read-mail-thread.js' : './read-mail-thread.js'
  const worker = new Worker(new URL(file, import.meta.url), { env: {}, execArgv: [], resourceLimits })
  const thread: Thread = { worker, job: undefined, timer: undefined }
  pool.threads.add(thread)
  worker.unref()
  worker.on('message', (message: FromThread) => hear(pool, thread, message))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    void end(pool, thread, isMemory ? tooLarge : error)
  })
  worker.on('exit', () => void end(pool, thread, new Error('The thread that reads mail ended.')))
  return thread
}

function run(pool: Pool, thread: Thread, job: Job): void {
  thread.job = job
  arm(pool, thread, startMs)
  thread.worker.postMessage({ unread: job.unread } satisfies ToThread)
}

/**
 * Starts a time limit. It starts only once the thread runs, because a slow start is caused by the machine, not by the
 * email.
 */
function arm(pool: Pool, thread: Thread, ms: number): void {
  clearTimeout(thread.timer)
  thread.timer = setTimeout(
    () => void end(pool, thread, putOff('4.3.1 The mail takes too long to read. Try again later.')),
    ms,
  )
}

function hear(pool: Pool, thread: Thread, message: FromThread): void {
  const { job } = thread
  if (!job) return
  if (message === 'started') {
    arm(pool, thread, pool.maxReadingMs)
    return
  }
  if ('question' in message) {
    const { id, name, type } = message.question
    ask(pool, job, { name, type })
      .then((records) => thread.worker.postMessage({ id, records } satisfies ToThread))
      // Includes records that cannot be copied to the thread; the code of that error is a number.
      .catch((error) => {
        const code = typeof error?.code === 'string' ? error.code : 'ESERVFAIL'
        thread.worker.postMessage({ id, code } satisfies ToThread)
      })
    return
  }
  release(thread)
  if ('mail' in message) job.resolve(message.mail)
  else job.reject('refusal' in message ? new RefusedMailError(message.refusal) : new Error(message.fault))
  dispatch(pool)
}

/** Looks up records for an email; aborts reading if it needs too many. */
async function ask(
  { findRecords }: Pool,
  job: Job,
  { name, type }: { readonly name: string; readonly type: string },
): Promise<unknown> {
  const { asking } = job
  if (job.questions === 0) setTimeout(() => asking.abort(), maxAskingMs).unref()
  job.questions++
  if (job.questions > maxQuestions) throw Object.assign(new Error('too many questions'), { code: 'ESERVFAIL' })
  return findRecords(name, type as never, { signal: asking.signal })
}

function release(thread: Thread): void {
  clearTimeout(thread.timer)
  thread.job?.asking.abort()
  thread.job = undefined
}

async function end(pool: Pool, thread: Thread, reason: Error): Promise<void> {
  const { job } = thread
  pool.threads.delete(thread)
  release(thread)
  job?.reject(reason)
  dispatch(pool)
  await thread.worker.terminate()
}
