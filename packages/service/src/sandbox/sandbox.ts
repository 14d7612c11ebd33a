import { createWorkerPool } from '@trestle/worker-pool'

/** A work item. */
export interface SandboxWork {
  /** The name of a task of `sandbox-process`. */
  readonly task: string
  /** The input, as JSON. */
  readonly input: unknown
  /** The owner: the id of an environment. */
  readonly owner: string
}

// Tests run the TypeScript source, which Node cannot load itself, so they use the built file.
const file = import.meta.url.endsWith('.ts') ? '../../dist/sandbox-process.js' : '../sandbox-process.js'
const pool = createWorkerPool({
  file: new URL(file, import.meta.url),
  ...{ maxHeapMb: 256, maxProcessorMs: 3_000, maxMs: 60_000, maxWaiting: 1_000 },
})

/**
 * Runs work on tenant input, such as patterns and templates, in a separate process, so that no input can block requests
 * or end the service.
 *
 * @throws {WorkLimitError} It took too much processor time or memory.
 * @throws {WorkBusyError} Too much work of the same owner is waiting, it lasted too long, or the process ended for another
 * reason.
 */
export async function runInSandbox({ task, input, owner }: SandboxWork): Promise<unknown> {
  return JSON.parse((await pool.run({ input: { task, input: JSON.stringify(input) }, owner })) as string)
}
