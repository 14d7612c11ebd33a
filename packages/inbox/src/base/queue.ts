/**
 * Runs tasks in the order of the calls. Tasks with different keys can run at the same time; a task without a key runs
 * alone.
 */
export type Queue = <Value>(task: () => Promise<Value>, key?: string) => Promise<Value>

/** Creates an empty queue. */
export function createQueue(): Queue {
  const entries = new Set<{ readonly key: string | undefined; readonly done: Promise<unknown> }>()
  return (task, key) => {
    const earlier = [...entries].filter((one) => key === undefined || one.key === undefined || one.key === key)
    const done = Promise.allSettled(earlier.map((one) => one.done)).then(task)
    const entry = { key, done }
    const remove = (): void => void entries.delete(entry)
    entries.add(entry)
    done.then(remove, remove)
    return done
  }
}
