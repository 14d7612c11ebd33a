import { resolve } from 'node:path'
import { createClient } from '../bridge/create-client.ts'
import { findKey } from '../bridge/find-key.ts'
import { readBridge } from '../bridge/read-bridge.ts'
import { compareVersions } from '../compare/compare-versions.ts'
import { toComparisonPage } from '../compare/comparison-page.ts'
import { type RenderedStep, renderVersion } from '../compare/render-version.ts'
import { withVersion } from '../compare/start-version.ts'
import { createWorktree } from '../compare/worktree.ts'
import { readConfig } from '../config/read-config.ts'
import { usualFixtures } from '../preview/fixtures.ts'
import type { CommandInput } from '../terminal/command.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { prepareOutput } from './base/prepare-output.ts'

const usualWaitSeconds = 60

/**
 * Renders every step in a different version and in the working copy, one after the other, and writes one page with
 * both.
 *
 * @param ref - A branch, tag or commit.
 * @returns 1 if a step of the working copy could not be rendered; otherwise 0.
 */
export async function comparePreviews(input: CommandInput, ref: string): Promise<0 | 1> {
  const { text, flag, whole, terminal, cwd, env, signal } = input
  const config = await readConfig(cwd)
  const run = text('run') ?? config.run
  if (run === undefined) throw new UsageError('--compare needs --run COMMAND, which starts the app of each version.')
  const waitMs = (whole('wait', { min: 1, max: 3600 }) ?? usualWaitSeconds) * 1000
  const fixtures = resolve(cwd, text('fixtures') ?? config.fixtures ?? usualFixtures)
  const out = resolve(cwd, text('out') ?? 'previews', 'compare.html')
  const write = prepareOutput('out', out)
  const render = async (url: string): Promise<readonly RenderedStep[]> => {
    const { workflows } = await readBridge(url, input)
    const client = createClient({ url, key: findKey(text('key'), { env, cwd, bridgeUrl: url })?.key })
    return renderVersion({ client, workflows, fixtures, signal })
  }
  const renderIn = (folder: string, name: string): Promise<readonly RenderedStep[]> => {
    const onLine = (line: string): void => terminal.note(`${terminal.notePaint.dim(`${name} │`)} ${line}`)
    return withVersion({ run, cwd: folder, env, waitMs, onLine, signal }, render)
  }
  const worktree = await createWorktree(cwd, ref)
  let before: readonly RenderedStep[]
  try {
    before = await renderIn(worktree.folder, ref)
  } finally {
    await worktree.remove()
  }
  const after = await renderIn(cwd, 'now')
  const steps = compareVersions(before, after)
  write(toComparisonPage(steps, ref))
  const listOf = (kind: string) =>
    steps
      .filter((step) => step.kind === kind)
      .map(({ workflowId, stepId, fixture }) => ({ workflowId, stepId, fixture }))
  const result = { changed: listOf('changed'), added: listOf('added'), removed: listOf('removed') }
  const failed = after.flatMap(({ workflowId, stepId, fixture, problem }) =>
    problem ? [{ workflowId, stepId, fixture, code: problem.code, message: problem.message }] : [],
  )
  if (flag('json')) terminal.printJson({ out, commit: worktree.commit, ...result, failed })
  else {
    for (const [kind, list] of Object.entries(result))
      for (const { workflowId, stepId, fixture } of list)
        terminal.print(`${kind.padEnd(8)}  ${workflowId} › ${stepId} › ${fixture}`)
    for (const one of failed)
      terminal.print(`failed    ${one.workflowId} › ${one.stepId} › ${one.fixture}: ${one.code}`)
    terminal.print(`${steps.length} previews compared with ${ref}: ${out}`)
  }
  return failed.length > 0 ? 1 : 0
}
