import { createBridge, workflow } from '@trestle/core'
import { type ErrorData, isCodedError, type JsonObject, type StepDescription } from '@trestle/protocol'
import { createTestContext } from '../context/test-context.ts'
import { printValue } from '../report/print-value.ts'
import { createCaller } from './bridge-caller.ts'

const logger = { warn: () => undefined, error: () => undefined }
const secretKey = 'the key of the check'

/**
 * Checks that a stub is a possible result of the step, by its discovered schema.
 *
 * @throws TypeError - The stub does not match; the message names the stub and the path.
 */
export async function checkResult({ stepId, type, results }: StepDescription, stub: unknown): Promise<void> {
  const faults = await findSchemaFaults(results.schema, stub)
  if (faults.length > 0)
    throw new TypeError(
      `The double of step "${stepId}" is not a valid result of type ${type}: ${faults.join('; ')}. ` +
        `Got ${printValue(stub).slice(0, 200)}; create results with the helpers of result.`,
    )
}

/**
 * Returns the errors in a value, according to a schema that a bridge has published.
 *
 * @param value - JSON data.
 */
export async function findSchemaFaults(schema: JsonObject, value: unknown): Promise<readonly string[]> {
  // The bridge has the validator: a custom step with this schema returns the value.
  const check = workflow('result', async ({ step }) => {
    await step.custom('check', () => value as JsonObject, { outputSchema: schema })
  })
  const call = createCaller(createBridge({ workflows: [check], secretKey, logger }), { secretKey })
  try {
    await call({ action: 'execute', workflowId: 'result', stepId: 'check' }, createTestContext(Date.now()))
    return []
  } catch (error) {
    if (!isCodedError(error, 'ExecutionStateOutputInvalidError')) throw error
    const { issues } = error.data as ErrorData['ExecutionStateOutputInvalidError']
    return issues.map(({ path, message }) => `${path === '' ? 'it' : path} ${message}`)
  }
}
