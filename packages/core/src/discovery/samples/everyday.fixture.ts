import { discoverWhole } from '../../call-bridge.fixture.ts'
import { workflow } from '../../workflow/workflow.ts'

// biome-ignore lint/suspicious/noExplicitAny: the workflows read data that nothing describes.
export type Data = any

/** What decides over a step. */
export type Condition = (context: Data) => unknown

/**
 * Returns the cases of conditions, each for data with a schema and without.
 *
 * @param conditions - The conditions.
 * @param payloadSchema - The schema.
 */
export function withAndWithout(
  conditions: readonly Condition[],
  payloadSchema: unknown,
): readonly (readonly [source: string, isMet: Condition, options: object])[] {
  return conditions.flatMap((isMet) =>
    [{ payloadSchema }, {}].map((options) => [String(isMet), isMet, options] as const),
  )
}

/**
 * Discovers a workflow that has one step where a condition is met, and another where it is not.
 *
 * @param isMet - The condition.
 * @param options - Those of the workflow.
 * @returns `yes` and `no`, as far as they were found, in order.
 */
export async function sidesOf(isMet: Condition, options: object): Promise<readonly string[]> {
  const run = async (context: Data): Promise<void> => {
    if (await isMet(context)) await context.step.sms('yes', () => ({ body: 'y' }))
    else await context.step.sms('no', () => ({ body: 'n' }))
  }
  // The literals of a function are those of its own text.
  run.toString = () => String(isMet)
  const { body } = await discoverWhole(workflow('w', run, options), ['yes', 'no'])
  const ids: string[] = body.workflows[0].steps.map(({ stepId }: Data) => stepId)
  return ids.filter((id) => id === 'yes' || id === 'no').sort()
}
