import { toChangesOf } from '../api/changes-of-sync.ts'
import { cleanText } from '../base/clean-text.ts'
import { changeLine } from '../diff/change-line.ts'
import { problemLines } from '../terminal/print-problem.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { DevService } from './dev-service.ts'
import { countServed, type ScreenContent, toScreen, toServedLines } from './screen.ts'
import type { DevEvent } from './start-dev.ts'

/** Prints the events of `trestle dev`. */
export interface DevReport {
  /** Shows that the service is running. */
  onStart(service: DevService, bridgeUrl: string | undefined): void
  onEvent(event: DevEvent): void
}

type Found = Pick<ScreenContent, 'bridgeUrl' | 'workflows' | 'agents' | 'problem'>

const nothingFound: Found = { bridgeUrl: undefined, workflows: [], agents: [], problem: undefined }

/** How long the first screen waits for the app. */
const patienceMs = 1500

/**
 * Creates the output of `trestle dev`: one screen when the app has responded or after a short wait, then a line for
 * each change.
 */
export function createDevReport(terminal: Terminal, base: Pick<ScreenContent, 'framework' | 'data'>): DevReport {
  const { paint } = terminal
  let service: DevService | undefined
  let content = nothingFound
  let startMs = 0
  let isShown = false
  let hasSynced = false
  let timer: NodeJS.Timeout | undefined
  const show = (): void => {
    clearTimeout(timer)
    if (service === undefined) return
    isShown = true
    const { url: apiUrl, key, applicationIdentifier, takenPort } = service
    if (takenPort !== undefined) terminal.note(`Port ${takenPort} is taken; the service is at ${apiUrl}.`)
    const screen = { ...base, ...content, apiUrl, studioUrl: service.studioLink(), key, applicationIdentifier, startMs }
    terminal.print(toScreen(screen, paint))
    if (content.bridgeUrl === undefined)
      terminal.print('Looking for the app. Start it, or pass the address of its bridge with --bridge URL.')
    terminal.print(paint.dim('Watching for changes. Press Ctrl-C to stop.'))
  }
  const say = (line: string): void => {
    if (isShown) terminal.print(line)
  }
  return {
    onStart(started) {
      service = started
      startMs = process.uptime() * 1000
      if (content.workflows.length + content.agents.length > 0 || content.problem) show()
      else timer = setTimeout(show, patienceMs)
      timer?.unref()
    },
    onEvent(event) {
      if (!isShown && (event.kind === 'synced' || event.kind === 'failing')) startMs = process.uptime() * 1000
      if (event.kind === 'app-line') terminal.note(`${terminal.notePaint.dim('app │')} ${event.line}`)
      if (event.kind === 'already-running') terminal.note(toRunningNote(event))
      if (event.kind === 'app-found') {
        content = { ...content, bridgeUrl: event.url }
        say(`Found the bridge at ${event.url}.`)
        if (event.others.length > 0) terminal.note(`Also found ${event.others.join(', ')}; choose one with --bridge.`)
      }
      if (event.kind === 'failing') {
        content = { ...content, problem: event.problem }
        if (isShown) for (const line of problemLines(event.problem, paint)) terminal.print(line)
        else if (service) show()
      }
      if (event.kind === 'synced') {
        const { workflows, agents } = event.state.reply
        content = { ...content, workflows, agents, problem: undefined }
        if (!isShown) show()
        else if (hasSynced) printSynced(terminal, event)
        else for (const line of toServedLines(content, paint)) terminal.print(line)
        hasSynced = true
      }
    },
  }
}

/** Returns a note on a bridge that responded before `--run` started the app. */
export function toRunningNote({ url, isUsed }: DevEvent & { kind: 'already-running' }): string {
  const what = `The bridge at ${url} already answered before the app was started`
  return isUsed ? `${what}.` : `${what}, so it is ignored. To use it, pass --bridge ${url}.`
}

/** Prints a line for a sync, and one for each change or warning. */
function printSynced(terminal: Terminal, { synced, state }: DevEvent & { kind: 'synced' }): void {
  const { paint } = terminal
  const changes = toChangesOf(synced) ?? []
  const time = paint.dim(new Date().toTimeString().slice(0, 8))
  const what = countServed(state.reply)
  terminal.print(`${time} ${paint.green('synced')} ${what}${changes.length === 0 ? '' : `, ${changes.length} changed`}`)
  for (const change of changes) terminal.print(`  ${changeLine(change, paint)}`)
  for (const { workflowId, warnings } of state.reply.workflows)
    for (const { code, message } of warnings ?? [])
      terminal.print(`  ${paint.yellow(code)}  ${cleanText(`${workflowId}: ${message}`)}`)
}
