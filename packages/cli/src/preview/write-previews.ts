import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { BridgeClient } from '@trestle/bridge-client'
import { escapeHtml } from '@trestle/html/escape'
import type { StepManifest, WorkflowManifest } from '@trestle/protocol'
import { type BridgeProblem, describeFailure } from '../bridge/describe-failure.ts'
import { type Fixture, readFixtures } from './fixtures.ts'
import { createFileNames, type IndexRow, toIndex, toPage } from './pages.ts'
import { toStepCard } from './step-card.ts'

/** A fixture of a step that could not be rendered. */
export interface FailedPreview extends Pick<BridgeProblem, 'code' | 'message' | 'why' | 'fix'> {
  readonly workflowId: string
  readonly stepId: string
  readonly fixture: string
}

export interface WrittenPreviews {
  /** The files, within the folder. */
  readonly files: readonly string[]
  /** The number of rendered fixtures. */
  readonly previews: number
  readonly failed: readonly FailedPreview[]
}

/** What to render, and where to write it. */
export interface PreviewOptions {
  readonly client: Pick<BridgeClient, 'preview'>
  readonly workflows: readonly WorkflowManifest[]
  /** Whether a step is rendered. */
  readonly isShown: (step: StepManifest) => boolean
  readonly fixtures: string
  /** The output folder. */
  readonly out: string
  readonly signal: AbortSignal
}

interface Shown {
  readonly html: string
  readonly problem: BridgeProblem | undefined
}

/**
 * Writes the steps of workflows with their fixtures as static HTML: one page per step, and an index.
 *
 * @param options - What to render, and where to write it.
 * @throws {CommandError} A fixtures file is invalid.
 */
export async function writePreviews(options: PreviewOptions): Promise<WrittenPreviews> {
  const { workflows, isShown, fixtures, out } = options
  const rows: IndexRow[] = []
  const failed: FailedPreview[] = []
  const toFolder = createFileNames()
  const write = (file: string, html: string): void => {
    mkdirSync(dirname(join(out, file)), { recursive: true })
    writeFileSync(join(out, file), html)
  }
  for (const workflow of workflows) {
    const { workflowId, steps } = workflow
    const cases = readFixtures(fixtures, workflow)
    const toName = createFileNames()
    const folder = toFolder(workflowId)
    for (const step of steps.filter(isShown)) {
      const { stepId, type } = step
      const pages = []
      for (const fixture of cases) pages.push({ fixture, ...(await show(options, { workflowId, step, fixture })) })
      for (const { fixture, problem } of pages)
        if (problem) failed.push({ workflowId, stepId, fixture: fixture.name, ...pick(problem) })
      const file = `${folder}/${toName(stepId)}.html`
      const sections = pages.map(({ fixture, html }) => `<h3>${escapeHtml(fixture.name)}</h3>\n${html}`)
      const head = `<p><a href="../index.html">Previews</a></p>\n<h1>${escapeHtml(workflowId)} › ${escapeHtml(stepId)}</h1>\n<p class="note">${escapeHtml(type)}</p>`
      write(file, toPage(`${workflowId} › ${stepId}`, [head, ...sections].join('\n')))
      rows.push({
        workflowId,
        stepId,
        type,
        file,
        fixtures: pages.map(({ fixture, problem }) => ({ name: fixture.name, ok: !problem })),
      })
    }
  }
  write('index.html', toIndex(rows))
  const previews = rows.reduce((sum, row) => sum + row.fixtures.length, 0)
  return { files: ['index.html', ...rows.map(({ file }) => file)], previews, failed }
}

const pick = ({ code, message, why, fix }: BridgeProblem): Pick<BridgeProblem, 'code' | 'message' | 'why' | 'fix'> => ({
  code,
  message,
  why,
  fix,
})

async function show(
  { client, signal }: PreviewOptions,
  {
    workflowId,
    step,
    fixture,
  }: { readonly workflowId: string; readonly step: StepManifest; readonly fixture: Fixture },
): Promise<Shown> {
  const { stepId, type } = step
  try {
    const event = { ...fixture.event, controls: fixture.controls[stepId] ?? {} }
    return {
      html: toStepCard(type, await client.preview({ workflowId, stepId, event }, { signal })),
      problem: undefined,
    }
  } catch (error) {
    const problem = describeFailure(error)
    if (!problem) throw error
    const { code, message, why, fix } = problem
    return {
      html: `<div class="card failed"><b>${escapeHtml(code)}</b>\n${escapeHtml(message)}\n${escapeHtml(why)}\n${escapeHtml(fix)}</div>`,
      problem,
    }
  }
}
