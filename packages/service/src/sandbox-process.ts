import { readSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'
import type { SandboxAnswer } from './sandbox/sandbox.ts'

// The process of `sandbox.ts`. Its second thread ends it with the service, even if the work never ends.

if (isMainThread) {
  new Worker(fileURLToPath(import.meta.url)).unref()
  const { tasks } = await import('./sandbox-tasks.ts')
  process.on('message', async ({ task, input }: { readonly task: string; readonly input: string }) => {
    process.send?.('started')
    process.send?.(await answer(Object.hasOwn(tasks, task) ? tasks[task] : undefined, input))
  })
} else {
  // Nothing is ever written to the standard input, so this returns when the service ends.
  readSync(0, Buffer.alloc(1))
  process.kill(process.pid, 'SIGKILL')
}

async function answer(work: ((input: never) => unknown) | undefined, input: string): Promise<SandboxAnswer> {
  try {
    if (!work) throw new Error('unknown task')
    return { output: JSON.stringify(await work(JSON.parse(input) as never)) }
  } catch (error) {
    return { fault: String(error instanceof Error ? (error.stack ?? error.message) : error) }
  }
}
