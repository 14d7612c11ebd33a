import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { endOrAbort, runApp } from '../dev/run-app.ts'
import { applyPlan } from '../init/apply-plan.ts'
import { findInstaller, type Installer } from '../init/find-installer.ts'
import { planInbox } from '../init/inbox/plan-inbox.ts'
import type { InitPlan } from '../init/plan.ts'
import { type InitFramework, planInit } from '../init/plan-init.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import { CommandError } from '../terminal/command-error.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'

export const init: Command = {
  name: 'init',
  usage: '[FOLDER] [options]',
  description:
    'Adds a bridge with a first workflow to the Express, Hono or Next app in a folder: writes the workflow, mounts the bridge if that is safe (otherwise it prints the lines to add), and adds the packages. In an empty folder, or one with a package.json but no code, it creates a new app with Hono. With --inbox it instead adds a notification bell to a Next app or a Vite app with React. Existing files are never overwritten.',
  args: { min: 0, max: 1 },
  options: {
    inbox: { text: 'adds the inbox to a Next app or a Vite app with React' },
    yes: { text: 'skips all questions' },
    framework: { value: 'NAME', text: 'express, hono or next (overrides detection)' },
    'dry-run': { text: 'prints the planned changes without making them' },
    'no-install': { text: 'adds the packages to package.json without installing them' },
    json: sharedOptions.json,
  },
  examples: ['trestle init', 'trestle init my-app --yes', 'trestle init --inbox', 'trestle init --dry-run'],
  exits: { 0: 'done, or the app already has it', 1: 'it failed' },
  run,
}

const frameworks: readonly string[] = ['express', 'hono', 'next']

async function run(input: CommandInput): Promise<0 | 1> {
  const { args, text, flag, terminal, cwd, env } = input
  const frameworkName = text('framework')
  if (frameworkName !== undefined && !frameworks.includes(frameworkName))
    throw new UsageError(`--framework takes ${frameworks.join(', ')}; it is "${frameworkName}".`)
  const folder = resolve(cwd, args[0] ?? '.')
  const installer = findInstaller(folder, env)
  if (flag('inbox') && frameworkName !== undefined) throw new UsageError('--inbox detects the framework.')
  const plan = flag('inbox')
    ? planInbox(folder, installer)
    : planInit(folder, { framework: frameworkName as InitFramework | undefined, installer })
  const isQuiet = flag('json')
  const isDoing = !plan.isDone && !flag('dry-run')
  if (!isQuiet) print(plan, input)
  if (isDoing) {
    if (!flag('yes')) await ask(input)
    applyPlan(folder, plan)
    // Runs before anything else can fail: the generated files need these lines.
    if (!isQuiet) printLines(plan, input)
    if (!flag('no-install')) await install({ folder, plan, installer }, input)
  }
  if (isQuiet) {
    const files = plan.files.map(({ path, isChange }) => ({ path, change: isChange ? 'changed' : 'new' }))
    terminal.printJson({
      framework: plan.framework,
      done: plan.isDone,
      files,
      manual: plan.manual,
      advice: plan.advice,
    })
  } else if (isDoing) printNext({ plan, installer }, input)
  return 0
}

function print({ framework, files, isDone, mountedIn }: InitPlan, { terminal, flag }: CommandInput): void {
  const { paint } = terminal
  if (isDone) {
    const what = flag('inbox') ? 'an inbox' : 'a bridge'
    terminal.print(`The app already has ${what}, in ${mountedIn}. Start it with trestle dev.`)
    return
  }
  terminal.print(framework === 'new' ? 'A new app:' : `An app with ${framework}:`)
  for (const { path, isChange } of files)
    terminal.print(`  ${isChange ? paint.yellow('changes') : paint.green('writes ')}  ${path}`)
}

async function ask({ terminal, signal }: CommandInput): Promise<void> {
  if (process.stdin.isTTY !== true) throw new UsageError('This terminal is not interactive; pass --yes.')
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await reader.question('Continue? [Y/n] ', { signal }).finally(() => reader.close())
  if (/^n/i.test(answer.trim())) throw new CommandError('Nothing was changed.')
  terminal.note('')
}

interface Installing {
  readonly folder: string
  readonly plan: InitPlan
  readonly installer: Installer
}

async function install({ folder, plan, installer }: Installing, input: CommandInput): Promise<void> {
  const { terminal, env, flag, signal } = input
  const command = installer.install
  const end = terminal.progress(`Running ${command}`)
  const lines: string[] = []
  const running = runApp(command, { cwd: folder, env, onLine: (line) => void lines.push(line) })
  const how = await endOrAbort(running.ended, signal).finally(end)
  if (how === 'exited with status 0') return
  // Ctrl-C does not reach the installer's process group.
  if (how === undefined) await running.stop()
  if (!flag('json')) for (const line of lines.slice(-20)) terminal.note(line)
  // JSON output must be a single document.
  const manual = flag('json') ? plan.manual.map((one) => ` Add to ${one.file}: ${one.lines.join('\n')}`) : []
  // pnpm has installed everything by then, and would print the same output again.
  const isWaiting = lines.some((line) => line.includes('ERR_PNPM_IGNORED_BUILDS'))
  const fix = isWaiting ? 'Choose which scripts may run: pnpm approve-builds' : `Run ${command} again in the folder.`
  throw new CommandError(`${command} ${how ?? 'was interrupted'}.`, {
    fix: `The files were written. ${fix}${manual.join('')}`,
  })
}

function printLines({ manual }: InitPlan, { terminal }: CommandInput): void {
  for (const { file, lines, why } of manual) {
    terminal.print(`\nAdd these lines to ${terminal.paint.bold(file)} (${why}):\n`)
    for (const line of lines.flatMap((one) => one.split('\n'))) terminal.print(`  ${line}`)
  }
}

function printNext(
  { plan, installer }: Pick<Installing, 'plan' | 'installer'>,
  { terminal, args, flag }: CommandInput,
): void {
  const steps = [
    ...(args[0] === undefined ? [] : [`cd ${/^[\w./~-]+$/.test(args[0]) ? args[0] : JSON.stringify(args[0])}`]),
    ...(flag('no-install') ? [installer.install] : []),
    plan.devScript === undefined
      ? `${installer.exec} ${plan.startCommand ?? 'trestle dev --run "<command that starts the app>"'}`
      : `${installer.run} ${plan.devScript}`,
  ]
  if (plan.advice !== undefined) terminal.print(`\n${terminal.paint.yellow(plan.advice)}`)
  terminal.print(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`)
  const { title, command } = plan.trial ?? {
    title: 'Then, in another terminal:',
    command: `${installer.exec} trestle trigger welcome ${trialOptions}`,
  }
  terminal.print(`\n${title}\n  ${command}`)
}

const trialPayload = process.platform === 'win32' ? '"{\\"name\\":\\"Ada\\"}"' : `'{"name":"Ada"}'`
const trialOptions = `--to ada --email ada@example.com --payload ${trialPayload} --follow --skip-waits`
