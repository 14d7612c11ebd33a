import { expect, test } from 'vitest'
import { createQueue } from './queue.ts'

/** Returns a function that adds tasks, and a function that finishes the oldest running one with a name. */
function scene() {
  const queue = createQueue()
  const running = new Map<string, () => void>()
  const add = (name: string, key?: string): void =>
    void queue(() => new Promise<void>((resolve) => running.set(name, resolve)), key)
  const finish = async (name: string): Promise<void> => {
    running.get(name)?.()
    running.delete(name)
    await tick()
  }
  return { queue, add, finish, running: () => [...running.keys()] }
}

const tick = () => new Promise((resolve) => setTimeout(resolve))

test('runs tasks with the same key one after another, and those with different keys at the same time', async () => {
  const { add, finish, running } = scene()
  add('a1', 'a')
  add('a2', 'a')
  add('b1', 'b')
  await tick()
  expect(running()).toEqual(['a1', 'b1'])
  await finish('a1')
  expect(running()).toEqual(['b1', 'a2'])
})

test('runs a task without a key alone', async () => {
  const { add, finish, running } = scene()
  add('a1', 'a')
  add('all')
  add('b1', 'b')
  await tick()
  expect(running()).toEqual(['a1'])
  await finish('a1')
  expect(running()).toEqual(['all'])
  await finish('all')
  expect(running()).toEqual(['b1'])
})

test('continues after a failure', async () => {
  const { queue } = scene()
  const failing = queue(() => Promise.reject(new Error('failed')), 'a')
  const next = queue(async () => 'done', 'a')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
})
