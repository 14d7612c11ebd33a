import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WorkBusyError, WorkLimitError } from './work-error.ts'
import { createWorkerPool, type Work, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts'

const file = new URL('../fixtures/tasks.mjs', import.meta.url)

interface TestPool extends WorkerPool {
  do(task: string, more?: Partial<Work> & { readonly value?: unknown }): Promise<unknown>
}

/** Creates a pool that is stopped when its test ends. */
function createPool(options: Partial<WorkerPoolOptions> = {}): TestPool {
  const pool = createWorkerPool({
    file,
    maxHeapMb: 64,
    maxProcessorMs: 60_000,
    maxMs: 60_000,
    maxWaiting: 100,
    ...options,
  })
  onTestFinished(() => pool.stop())
  return { ...pool, do: (task, { value, ...work } = {}) => pool.run({ owner: 'a', ...work, input: { task, value } }) }
}

/** Rejects; TypeScript does not need to know what it would resolve to. */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error) => error)

describe('work', () => {
  test('is copied in both directions, as `structuredClone` copies it', async () => {
    const value = { bytes: Buffer.from([0, 255]), when: new Date(0), list: [undefined, 1n], map: new Map([['a', NaN]]) }
    expect(await createPool().do('echo', { value })).toEqual(value)
  })

  test('can be large', async () => {
    const value = Buffer.alloc(20_000_000, 'abc')
    expect(value.equals((await createPool().do('echo', { value })) as Buffer)).toBe(true)
  })

  test('that fails is reported with its stack, and its process continues', async () => {
    const pool = createPool()
    const id = await pool.do('id')
    await expect(pool.do('fail')).rejects.toThrow(/TypeError: no such thing\n.*tasks\.mjs/)
    await expect(pool.do('return a function')).rejects.toThrow('could not be cloned')
    await expect(pool.do('echo', { value: () => 1 })).rejects.toThrow('could not be cloned')
    expect(await pool.do('id')).toBe(id)
  })

  test('asks the caller, and receives answers and errors with their code', async () => {
    const pool = createPool()
    const ask = (answer: Work['answer']) => pool.do('ask', { value: 'name', ...(answer && { answer }) })
    expect(await ask(async (question) => [question, Buffer.from('a')])).toEqual(['name', Buffer.from('a')])
    const fault = Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
    expect(await ask(() => Promise.reject(fault))).toEqual({ message: 'no such name', code: 'ENOTFOUND' })
    expect(await ask(() => Promise.reject(null))).toEqual({ message: 'it has no answer', code: undefined })
    expect(await ask(async () => () => 1)).toMatchObject({ code: undefined })
    expect(await ask(undefined)).toMatchObject({ message: 'nobody answers questions of this work' })
  })

  test('does not see the environment variables of the caller', async () => {
    vi.stubEnv('SECRET_KEY', 'a')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await createPool().do('variables')).not.toContain('SECRET_KEY')
  })
})

describe('limits', () => {
  test('of processor time', async () => {
    const pool = createPool({ maxProcessorMs: 200 })
    const error = await outcomeOf(pool.do('never end'))
    expect(error).toEqual(new WorkLimitError('it takes too much processor time'))
    expect(await pool.do('echo', { value: 1 })).toBe(1)
  })

  test('of duration, which does not count as processor time', async () => {
    const pool = createPool({ maxProcessorMs: 1000, maxMs: 2000 })
    expect(await outcomeOf(pool.do('wait'))).toEqual(new WorkBusyError('it has not finished within 2000 ms'))
    expect(await pool.do('echo', { value: 1 })).toBe(1)
  })

  test('do not add up over work items', async () => {
    const pool = createPool({ maxProcessorMs: 500 })
    const ids = []
    for (let i = 0; i < 10; i++) ids.push(await pool.do('use 100 ms'))
    expect(new Set(ids).size).toBe(1)
  })

  test('that ended work exceeded do not stop the next work, however late they are reported', async () => {
    const pool = createPool()
    const id = await pool.do('id')
    expect(await pool.do('report that work 1 exceeds its limit')).toBe('unaffected')
    expect(await pool.do('id')).toBe(id)
  })

  test('of memory', async () => {
    const pool = createPool()
    const error = await outcomeOf(pool.do('use all memory'))
    expect(error).toEqual(new WorkLimitError('it takes too much memory'))
    expect(await pool.do('echo', { value: 1 })).toBe(1)
  })

  test('of waiting work of one owner', async () => {
    const pool = createPool({ maxWaiting: 2 })
    const work = Array.from({ length: 4 }, () => outcomeOf(pool.do('echo', { value: 1 })))
    expect(await Promise.all(work)).toEqual([1, 1, 1, new WorkBusyError('too many requests are waiting')])
    expect(await pool.do('echo', { value: 1 })).toBe(1)
  })
})

test('work of a process that crashed may be tried again', async () => {
  const pool = createPool()
  expect(await outcomeOf(pool.do('crash'))).toEqual(new WorkBusyError('its process ended with SIGTERM'))
  expect(await pool.do('echo', { value: 1 })).toBe(1)
})

describe('owners', () => {
  test.each([[['a']], [['a', 'b']]])('%j with endless work let the others take turns', async (owners) => {
    const pool = createPool({ maxProcessorMs: 300 })
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    const work = [
      ...['first', 'second'].flatMap((name) =>
        owners.map((owner) => pool.do('never end', { owner }).then(note(name), note(name))),
      ),
      ...['c', 'd', 'e'].map((owner) => pool.do('echo', { owner }).then(note(owner))),
    ]
    await Promise.all(work)
    // The others wait for one of them at most.
    for (const owner of ['c', 'd', 'e']) expect(order.indexOf(owner)).toBeLessThan(order.indexOf('second'))
  })

  test('use one process each', async () => {
    const pool = createPool()
    const ids = await Promise.all(['a', 'a', 'b', 'b', 'a'].map((owner) => pool.do('id', { owner })))
    expect(new Set([ids[0], ids[1], ids[4]]).size).toBe(1)
    expect(new Set(ids).size).toBe(2)
  })
})

test('a pool that stops rejects all its work and ends its processes', async () => {
  const pool = createPool()
  const id = (await pool.do('id')) as number
  const work = ['wait', 'wait', 'echo'].map((task) => outcomeOf(pool.do(task)))
  await pool.stop()
  const stopped = new WorkBusyError('the pool is stopped')
  expect(await Promise.all(work)).toEqual([stopped, stopped, stopped])
  expect(() => process.kill(id, 0)).toThrow('ESRCH')
  expect(await outcomeOf(pool.do('echo'))).toEqual(stopped)
})

describe('a process', () => {
  test('does not keep the caller alive once its work is done', () => {
    const script = `
      import { createWorkerPool } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url))}
      const file = new URL(${JSON.stringify(file)})
      const pool = createWorkerPool({ file, maxHeapMb: 64, maxProcessorMs: 60000, maxMs: 60000, maxWaiting: 1 })
      console.log(await pool.run({ input: { task: 'echo', value: 'done' }, owner: 'a' }))`
    const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 30_000 })
    expect([String(stdout), signal]).toEqual(['done\n', null])
  })

  test.runIf(process.platform === 'linux')('that cannot be started rejects its work, and nothing else fails', () => {
    const script = `
      import { openSync, closeSync } from 'node:fs'
      import { createWorkerPool } from ${JSON.stringify(new URL('../dist/index.js', import.meta.url))}
      const file = new URL(${JSON.stringify(file)})
      const pool = createWorkerPool({ file, maxHeapMb: 64, maxProcessorMs: 60000, maxMs: 60000, maxWaiting: 5 })
      const echo = () => pool.run({ input: { task: 'echo', value: 'done' }, owner: 'a' })
      const name = (error) => error.constructor.name
      const opened = []
      try { for (;;) opened.push(openSync('/dev/null')) } catch {}
      console.log(await Promise.all([echo().catch(name), echo().catch(name)]))
      for (const one of opened) closeSync(one)
      console.log(await echo())`
    const limited = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script]
    const { stdout, stderr, status } = spawnSync('bash', limited, { timeout: 30_000 })
    expect([String(stdout), String(stderr), status]).toEqual(["[ 'WorkBusyError', 'WorkBusyError' ]\ndone\n", '', 0])
  })

  test('ends with the caller, even during endless work', async () => {
    const child = fork(fileURLToPath(file), [], {
      ...{ stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'], serialization: 'advanced' },
    })
    child.send({ id: 1, input: { task: 'never end' }, maxProcessorMs: 60_000 })
    expect(await once(child, 'message')).toEqual(['started', undefined])
    const ended = once(child, 'exit')
    // A process that is killed closes all its pipes.
    child.stdio[4]?.destroy()
    expect(await ended).toEqual([null, 'SIGKILL'])
  })
})
