import { resolve } from 'node:path'
import type { StepManifest } from '@trestle/protocol'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { createClient } from '../bridge/create-client.ts'
import { findKey } from '../bridge/find-key.ts'
import { findStep, findWorkflow } from '../bridge/find-step.ts'
import { isRendered } from '../bridge/is-rendered.ts'
import { readBridge } from '../bridge/read-bridge.ts'
import { readConfig } from '../config/read-config.ts'
import { findStrayFixtures, usualFixtures } from '../preview/fixtures.ts'
import { writePreviews } from '../preview/write-previews.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { problemLines } from '../terminal/print-problem.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'
import { comparePreviews } from './compare-previews.ts'

export const preview: Command = {
  name: 'preview',
  usage: '(--all | WORKFLOW [STEP] | --compare REF) [options]',
  description:
    'Renders steps with named fixtures as static HTML with an index. The fixtures of a workflow are in fixtures/<workflow id>.json as { "<name>": { "payload", "subscriber", "controls": { "<step id>": { … } }, "state", "context", "env" } }. Without a file, the examples in the payload schema are used, or a sample if there are none. Handlers of step.custom and step.httpRequest run code of your app, so such a step is only rendered if you name it. With --compare, every step is rendered in two versions of the app, which are started one after the other with the same command, and one page shows both.',
  args: { min: 0, max: 2 },
  options: {
    all: { text: 'every step of every workflow' },
    compare: { value: 'REF', text: 'compares every step with a branch, tag or commit, in compare.html' },
    run: { value: 'COMMAND', text: 'with --compare: starts the app on the port in the variable PORT' },
    wait: { value: 'SECONDS', text: 'with --compare: how long the app may take to start (default 60)' },
    out: { value: 'FOLDER', text: 'the output folder (default previews)' },
    fixtures: { value: 'FOLDER', text: `the folder of fixtures (default ${usualFixtures})` },
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    key: sharedOptions.key,
    json: sharedOptions.json,
  },
  examples: [
    'trestle preview --all --out previews',
    'trestle preview order-shipped email',
    'trestle preview --compare origin/main --run "npm run serve"',
  ],
  exits: { 0: 'all previews were written', 1: 'a step could not be rendered; its page shows why' },
  run,
}

async function run(input: CommandInput): Promise<0 | 1> {
  const { args, flag, text, terminal, cwd, signal } = input
  const [workflowId, stepId] = args
  const ref = text('compare')
  if (ref !== undefined) {
    if (flag('all') || workflowId !== undefined || text('bridge') !== undefined)
      throw new UsageError(
        '--compare excludes --all, --bridge and a workflow: it starts the app, and renders all steps.',
      )
    return comparePreviews(input, ref)
  }
  if (text('run') !== undefined || text('wait') !== undefined) throw new UsageError('--run and --wait need --compare.')
  if (flag('all') === (workflowId !== undefined)) throw new UsageError('Choose what to preview: --all, or a workflow.')
  const { url } = await resolveBridge(input)
  const { workflows } = await readBridge(url, input)
  const chosen = workflowId === undefined ? workflows : [findWorkflow(workflows, workflowId)]
  if (stepId !== undefined) for (const one of chosen) findStep(one, stepId)
  const fixtures = resolve(cwd, text('fixtures') ?? (await readConfig(cwd)).fixtures ?? usualFixtures)
  const out = resolve(cwd, text('out') ?? 'previews')
  const client = createClient({ url, key: findKey(text('key'), { env: input.env, cwd, bridgeUrl: url })?.key })
  for (const file of findStrayFixtures(fixtures, workflows)) terminal.note(`No workflow matches the fixtures ${file}.`)
  const isShown = (step: StepManifest): boolean => (stepId === undefined ? isRendered(step) : step.stepId === stepId)
  const end = terminal.progress('Writing previews')
  const written = await writePreviews({ client, workflows: chosen, isShown, fixtures, out, signal }).finally(end)
  const { files, previews, failed } = written
  if (flag('json')) terminal.printJson({ out, files, previews, failed })
  else {
    for (const { fixture, ...problem } of failed) {
      terminal.print(`${problem.workflowId} › ${problem.stepId} › ${fixture}`)
      for (const line of problemLines(problem, terminal.paint)) terminal.print(`  ${line}`)
    }
    const tail = failed.length === 0 ? '' : `, ${failed.length} of them failed`
    terminal.print(`${previews} ${previews === 1 ? 'preview' : 'previews'}${tail}: ${resolve(out, 'index.html')}`)
  }
  return failed.length === 0 ? 0 : 1
}
