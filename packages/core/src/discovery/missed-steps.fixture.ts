import type { z } from 'zod'
import { discoverWhole } from '../call-bridge.fixture.ts'
import { workflow } from '../workflow/workflow.ts'
import type { Data } from './samples/everyday.fixture.ts'

/**
 * Discovers a function that is given as text, whose steps are all called `go('id')`.
 *
 * @param body - What it does.
 * @param ids - The steps that are looked for.
 * @param payloadSchema - The schema of its data. @default none
 * @returns Those that were not found.
 */
export async function missedOf(
  body: string,
  ids: readonly string[],
  payloadSchema?: z.ZodType,
): Promise<readonly string[]> {
  const text = body.replaceAll(/\bgo\('([\w-]+)'\)/g, "await step.sms('$1', () => ({ body: 'x' }))")
  const run = new Function(`return async ({ step, payload }) => {\n${text}\n}`)()
  const one = workflow('w', run, payloadSchema ? { payloadSchema } : {})
  const { body: told } = await discoverWhole(one, ids)
  if (!told.workflows) throw new Error(JSON.stringify(told))
  const found = new Set(told.workflows[0].steps.map(({ stepId }: Data) => stepId))
  return ids.filter((id) => !found.has(id))
}
