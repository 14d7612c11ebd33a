import { serveWork } from '@trestle/worker-pool'
import { checkLayout } from './channels/content/check-layout.ts'
import { renderContent } from './channels/content/render-content.ts'
import { renderLayout } from './channels/content/wrap-in-layout.ts'
import { composeControls } from './compose/compose-controls.ts'
import { findUnknownFields } from './compose/unknown-fields.ts'
import { checkSchema, findFaults } from './schemas/payload-schema.ts'
import { findTextFault } from './translations/find-text-fault.ts'

// The process of `sandbox.ts`.

/** The tasks of the sandbox, which run patterns, templates and rules of tenants. */
const tasks: Readonly<Record<string, (input: never) => unknown>> = {
  ...{ checkSchema, findFaults, composeControls, findUnknownFields },
  ...{ renderContent, renderLayout, checkLayout, findTextFault },
}

serveWork(async (work) => {
  const { task, input } = work as { readonly task: string; readonly input: string }
  const run = Object.hasOwn(tasks, task) ? tasks[task] : undefined
  if (!run) throw new Error('unknown task')
  return JSON.stringify(await run(JSON.parse(input) as never))
})
