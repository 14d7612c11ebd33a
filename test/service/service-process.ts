import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A batch of triggers, as the engine takes it. */
export interface Batch {
  readonly environmentId: string
  readonly kind: 'single'
  readonly requests: readonly object[]
}

/** A service in a separate process. */
export interface ServiceProcess {
  /** The URL of its API. */
  readonly url: string
  readonly pid: number
  /** The port of its mail server, if it has one. */
  readonly mailPort: number | undefined
  /** Requests that it accept triggers; resolves with `undefined` if the process ended before it responded. */
  accept(batch: Batch): Promise<readonly ({ readonly status: string } | undefined)[] | undefined>
  /** Emits an event; resolves with `false` if the process ended before it responded. */
  emit(event: object): Promise<boolean>
  /** Kills the process immediately, as in a crash. */
  kill(): Promise<void>
}

const script = fileURLToPath(new URL('service-process.mjs', import.meta.url))

/** Starts a service in a separate process. */
export async function startServiceProcess(options: object): Promise<ServiceProcess> {
  const env = { ...process.env, NODE_ENV: 'production' as const, SERVICE_OPTIONS: JSON.stringify(options) }
  const child = fork(script, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const waiting = new Map<number, (message: Answer | undefined) => void>()
  const { ready: url = '', mailPort } = await new Promise<Answer>((resolve, reject) => {
    child.once('exit', (code: number | null) => reject(new Error(`The service ended with ${code}.`)))
    child.on('message', (received) => {
      const message = received as Answer
      if (message.ready !== undefined) resolve(message)
      else waiting.get(message.number ?? -1)?.(message)
    })
  })
  void exited.then(() => {
    for (const end of waiting.values()) end(undefined)
  })
  let count = 0
  const ask = async (message: object): Promise<Answer | undefined> => {
    const number = count++
    const answer = await new Promise<Answer | undefined>((resolve) => {
      waiting.set(number, resolve)
      if (!send(child, { number, ...message })) resolve(undefined)
    })
    waiting.delete(number)
    if (answer?.fault !== undefined) throw new Error(answer.fault)
    return answer
  }
  return {
    url,
    pid: child.pid ?? 0,
    mailPort,
    async accept(batch) {
      return (await ask({ batch }))?.results as Awaited<ReturnType<ServiceProcess['accept']>>
    },
    async emit(event) {
      return (await ask({ event })) !== undefined
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

interface Answer {
  readonly ready?: string
  readonly mailPort?: number
  readonly number?: number
  readonly results?: unknown
  readonly fault?: string
}

function send(child: ChildProcess, message: object): boolean {
  if (!child.connected) return false
  child.send(message, () => undefined)
  return true
}
