import { parentPort } from 'node:worker_threads'
import { checkLayout } from './channels/content/check-layout.ts'
import { renderContent } from './channels/content/render-content.ts'
import { renderLayout } from './channels/content/wrap-in-layout.ts'
import { composeControls } from './compose/compose-controls.ts'
import type { SandboxAnswer } from './sandbox/sandbox.ts'
import { checkSchema, findFaults } from './schemas/payload-schema.ts'
import { findTextFault } from './translations/find-text-fault.ts'

/** Tasks that run patterns, templates and rules of tenants. */
const tasks: Readonly<Record<string, (input: never) => unknown>> = {
  ...{ checkSchema, findFaults, composeControls },
  ...{ renderContent, renderLayout, checkLayout, findTextFault },
}

async function answer(task: string, input: string): Promise<SandboxAnswer> {
  try {
    const work = Object.hasOwn(tasks, task) ? tasks[task] : undefined
    if (!work) throw new Error(`unknown task ${task}`)
    return { output: JSON.stringify(await work(JSON.parse(input) as never)) }
  } catch (error) {
    return { fault: String(error instanceof Error ? (error.stack ?? error.message) : error) }
  }
}

parentPort?.on('message', async ({ task, input }: { readonly task: string; readonly input: string }) => {
  parentPort?.postMessage('started')
  parentPort?.postMessage(await answer(task, input))
})
