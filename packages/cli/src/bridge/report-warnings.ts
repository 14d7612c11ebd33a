import type { WorkflowManifest } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import type { CommandInput } from '../terminal/command.ts'

/**
 * Prints the discovery warnings to standard error, and checks the step lists for services that follow them.
 *
 * @param workflows - The workflows as the bridge lists them.
 * @returns 1 if the option `--listed` is set and a workflow may call unlisted steps; otherwise 0.
 */
export function reportWarnings(
  workflows: readonly WorkflowManifest[],
  { terminal, flag }: Pick<CommandInput, 'terminal' | 'flag'>,
): 0 | 1 {
  const { yellow, red } = terminal.notePaint
  for (const { warnings } of workflows)
    for (const { code, message } of warnings ?? []) terminal.note(`${yellow('warning')} ${code}: ${cleanText(message)}`)
  const incomplete = flag('listed') ? workflows.filter(({ complete }) => complete === false) : []
  for (const { workflowId } of incomplete)
    terminal.note(
      `${red('incomplete')} Workflow "${workflowId}" may call steps that are not listed; a service that runs only listed steps never calls them. ` +
        'Call each step as step.kind("literal-id") in the workflow function, or use a service that supports run-driven execution.',
    )
  return incomplete.length > 0 ? 1 : 0
}
