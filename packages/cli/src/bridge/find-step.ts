import { nearest, type StepManifest, type WorkflowManifest } from '@trestle/protocol'
import { CommandError } from '../terminal/command-error.ts'

/**
 * Returns the workflow with the given id.
 *
 * @throws {CommandError} The bridge does not serve it.
 */
export function findWorkflow(workflows: readonly WorkflowManifest[], workflowId: string): WorkflowManifest {
  const ids = workflows.map((one) => one.workflowId)
  return workflows.find((one) => one.workflowId === workflowId) ?? fail('workflow', workflowId, ids)
}

/**
 * Returns the listed step with the given id.
 *
 * @throws {CommandError} The workflow does not list it.
 */
export function findStep({ steps }: WorkflowManifest, stepId: string): StepManifest {
  const ids = steps.map((one) => one.stepId)
  return steps.find((one) => one.stepId === stepId) ?? fail('step', stepId, ids)
}

function fail(what: 'workflow' | 'step', id: string, names: readonly string[]): never {
  const meant = nearest(id, names)
  throw new CommandError(`The ${what} ${JSON.stringify(id)} does not exist.${meant ? ` Did you mean ${meant}?` : ''}`, {
    code: what === 'workflow' ? 'WorkflowNotFoundError' : 'StepNotFoundError',
    fix:
      names.length > 0
        ? `Available: ${names.slice(0, 20).join(', ')}.`
        : `The ${what === 'workflow' ? 'bridge' : 'workflow'} has no ${what}.`,
  })
}
