import type { DiscoverReply, WorkflowManifest } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import type { BridgeProblem } from '../bridge/describe-failure.ts'
import type { Paint } from '../terminal/paint.ts'
import { problemLines } from '../terminal/print-problem.ts'

/** The content of the `trestle dev` screen. */
export interface ScreenContent {
  /** The address of the app's bridge; undefined while searching. */
  readonly bridgeUrl: string | undefined
  /** The framework of the app, if detected. */
  readonly framework: string | undefined
  /** The link that opens the studio. */
  readonly studioUrl: string
  /** The address of the REST API. */
  readonly apiUrl: string
  /** The secret key of the local environment. */
  readonly key: string
  /** The public identifier of the local environment. */
  readonly applicationIdentifier: string
  /** The data folder; undefined if data is kept in memory. */
  readonly data: string | undefined
  readonly workflows: readonly WorkflowManifest[]
  readonly agents: DiscoverReply['agents']
  /** The current problem of the bridge. */
  readonly problem: BridgeProblem | undefined
  /** How long startup took, in milliseconds. */
  readonly startMs: number | undefined
}

const maxWorkflows = 30

/** Returns the screen: the app, problems, and links. */
export function toScreen(content: ScreenContent, paint: Paint): string {
  const { bridgeUrl, framework, studioUrl, apiUrl, key, data, workflows, agents, problem, startMs } = content
  const { applicationIdentifier } = content
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
    ['MCP', `trestle mcp, or ${apiUrl}/mcp with the secret key`],
    ['Secret key', key],
    ['Inbox', `application identifier ${applicationIdentifier}`],
    ['Data', data ?? 'in memory, deleted on exit; keep it with --data FOLDER'],
  ]
  return [
    '',
    `${paint.bold('trestle dev')}${ready}`,
    '',
    ...rows.map(([label, value]) => `  ${paint.dim(label.padEnd(12))}${value}`),
    '',
    ...toServedLines({ workflows, agents }, paint),
    ...toProblemLines(problem, paint),
    ...toWarningLines(workflows, paint),
  ].join('\n')
}

/** Returns lines that list a bridge's workflows with their steps, and its agents. */
export function toServedLines(
  { workflows, agents }: Pick<ScreenContent, 'workflows' | 'agents'>,
  paint: Paint,
): readonly string[] {
  return [...toWorkflowLines(workflows, paint), ...toAgentLines(agents, paint)]
}

/** Returns the numbers of workflows and agents as text; omits agents if there are none. */
export function countServed({ workflows, agents }: Pick<ScreenContent, 'workflows' | 'agents'>): string {
  return agents.length === 0
    ? count(workflows, 'workflow')
    : `${count(workflows, 'workflow')} and ${count(agents, 'agent')}`
}

function count({ length }: readonly unknown[], noun: string): string {
  return `${length} ${length === 1 ? noun : `${noun}s`}`
}

function toWorkflowLines(workflows: readonly WorkflowManifest[], paint: Paint): readonly string[] {
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
    `  ${paint.dim(count(workflows, 'workflow'))}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more in the studio`] : []),
    '',
  ]
}

function toAgentLines(agents: ScreenContent['agents'], paint: Paint): readonly string[] {
  if (agents.length === 0) return []
  const lines = agents.slice(0, maxWorkflows).map(({ agentId }) => `  ${paint.bold(cleanText(agentId, 60))}`)
  const more = agents.length - lines.length
  return [
    `  ${paint.dim(`${count(agents, 'agent')}; talk to them in the studio`)}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more there`] : []),
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
