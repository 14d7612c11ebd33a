import type { WorkflowManifest } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import type { BridgeProblem } from '../bridge/describe-failure.ts'
import type { Paint } from '../terminal/paint.ts'
import { problemLines } from '../terminal/print-problem.ts'

/** What `trestle dev` shows. */
export interface ScreenContent {
  /** Where the app's bridge is; undefined while it is looked for. */
  readonly bridgeUrl: string | undefined
  /** The framework of the app, where one is known. */
  readonly framework: string | undefined
  /** Where the studio is. */
  readonly studioUrl: string
  /** Where the REST API is. */
  readonly apiUrl: string
  /** The secret key of the local environment. */
  readonly key: string
  /** The folder of the data; undefined in memory. */
  readonly data: string | undefined
  /** What the bridge serves. */
  readonly workflows: readonly WorkflowManifest[]
  /** What is wrong with it. */
  readonly problem: BridgeProblem | undefined
  /** How long the start took, milliseconds. */
  readonly startMs: number | undefined
}

const maxWorkflows = 30

/**
 * Returns one screen: what was found, what is wrong, where to look.
 *
 * @param content - What is shown.
 * @param paint - Colours.
 */
export function toScreen(content: ScreenContent, paint: Paint): string {
  const { bridgeUrl, framework, studioUrl, apiUrl, key, data, workflows, problem, startMs } = content
  const ready = startMs === undefined ? '' : paint.dim(`  ready in ${Math.round(startMs)} ms`)
  const rows: readonly (readonly [string, string])[] = [
    ['Studio', paint.bold(paint.cyan(studioUrl))],
    [
      'App',
      bridgeUrl === undefined
        ? paint.yellow('not found yet')
        : `${bridgeUrl}${framework ? paint.dim(` (${framework})`) : ''}`,
    ],
    ['REST API', apiUrl],
    ['MCP', `${apiUrl}/mcp`],
    ['Secret key', key],
    ['Data', data ?? 'in memory, gone when this ends; keep it with --data FOLDER'],
  ]
  return [
    '',
    `${paint.bold('trestle dev')}${ready}`,
    '',
    ...rows.map(([label, value]) => `  ${paint.dim(label.padEnd(12))}${value}`),
    '',
    ...toWorkflowLines(workflows, paint),
    ...toProblemLines(problem, paint),
    ...toWarningLines(workflows, paint),
  ].join('\n')
}

/**
 * Returns the workflows as lines, with their steps in order.
 *
 * @param workflows - The workflows.
 * @param paint - Colours.
 */
export function toWorkflowLines(workflows: readonly WorkflowManifest[], paint: Paint): readonly string[] {
  if (workflows.length === 0) return []
  const column = Math.min(40, Math.max(...workflows.map(({ workflowId }) => workflowId.length)) + 2)
  const lines = workflows.slice(0, maxWorkflows).map(({ workflowId, steps }) => {
    const names = steps.map(
      ({ stepId, type, conditional }) => `${cleanText(stepId, 40)}${conditional ? '?' : ''} ${paint.dim(type)}`,
    )
    return `  ${paint.bold(cleanText(workflowId, 60).padEnd(column))}${names.join(paint.dim(' → ')) || paint.yellow('no steps')}`
  })
  const more = workflows.length - lines.length
  return [
    `  ${paint.dim(`${workflows.length} ${workflows.length === 1 ? 'workflow' : 'workflows'}`)}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more in the studio`] : []),
    '',
  ]
}

function toProblemLines(problem: BridgeProblem | undefined, paint: Paint): readonly string[] {
  return problem ? [...problemLines(problem, paint).map((line) => `  ${line}`), ''] : []
}

function toWarningLines(workflows: readonly WorkflowManifest[], paint: Paint): readonly string[] {
  const lines = workflows.flatMap(({ workflowId, warnings }) =>
    (warnings ?? []).map(
      ({ code, message }) => `  ${paint.yellow(code)}  ${cleanText(workflowId, 60)}: ${cleanText(message)}`,
    ),
  )
  return lines.length === 0 ? [] : [...lines, '']
}
