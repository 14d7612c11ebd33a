import { createOutbound } from '@trestle/bridge-client'
import { parseUrl } from '@trestle/protocol'
import { resolveBridge } from '../app/resolve-bridge.ts'
import { cleanText } from '../base/clean-text.ts'
import { findKey } from '../bridge/find-key.ts'
import { createFinding } from '../doctor/base/finding.ts'
import { type Diagnosis, diagnose } from '../doctor/diagnose.ts'
import type { Command, CommandInput } from '../terminal/command.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sharedOptions } from './base/options.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '[URL] [options]',
  description:
    'Calls a bridge as the service does, and in invalid ways that it must reject. Prints the code, cause and fix of each problem. Steps are previewed with sample data, except step.custom and step.httpRequest, whose handlers run code of your app. No messages are sent.',
  args: { min: 0, max: 1 },
  options: {
    bridge: sharedOptions.bridge,
    'signature-header': sharedOptions['signature-header'],
    key: sharedOptions.key,
    production: { text: 'requires that unsigned calls are rejected, also for an app on this machine' },
    allow: { value: 'RANGES', text: 'address ranges to allow, such as 10.0.0.0/8; the service needs the same setting' },
    environment: {
      value: 'NAME',
      text: 'the calling environment; Development skips certificate checks (default Production)',
    },
    timeout: { value: 'MS', text: 'the time limit of each call (default 5000, as in the service)' },
    json: sharedOptions.json,
  },
  examples: [
    'trestle doctor https://app.example.com/api/bridge --key sk_...',
    'trestle doctor 4000',
    'trestle doctor --json',
  ],
  exits: { 0: 'the bridge is healthy; there may be warnings', 1: 'a problem was found' },
  run,
}

const usualTimeoutMs = 5000

async function run(input: CommandInput): Promise<0 | 1> {
  const { terminal, text, flag, whole, signal } = input
  const timeoutMs = whole('timeout', { min: 100, max: 60_000 }) ?? usualTimeoutMs
  const allow = toRanges(text('allow') ?? '')
  const address = await toAddress(input)
  const key = findKey(text('key'), { env: input.env, cwd: input.cwd, bridgeUrl: address.url })
  if (key && !flag('json')) terminal.note(`The key comes from ${key.source}.`)
  let end = (): void => undefined
  const diagnosis = await diagnose({
    url: address.url,
    key: key?.key,
    allow,
    isProduction: flag('production'),
    environmentName: text('environment') ?? 'Production',
    timeoutMs,
    signal,
    onProbe(title) {
      end()
      end = terminal.progress(`The bridge ${title}`)
    },
  }).finally(() => end())
  const complete = address.isRenamed ? addNameWarning(diagnosis) : diagnosis
  if (flag('json')) terminal.printJson(complete)
  else print(complete, terminal)
  return complete.healthy ? 0 : 1
}

/** @throws {UsageError} One of the ranges is invalid. */
function toRanges(text: string): readonly string[] {
  const ranges = text.split(/[\s,]+/).filter((range) => range !== '')
  try {
    createOutbound({ allow: ranges })
  } catch (error) {
    throw new UsageError(`--allow: ${error instanceof Error ? error.message : error}`)
  }
  return ranges
}

/** A full URL is checked unchanged: a problem with it is a finding, not a usage error. */
async function toAddress(input: CommandInput): Promise<{ readonly url: string; readonly isRenamed: boolean }> {
  const [first] = input.args
  const named = input.text('bridge')
  if (first !== undefined && named !== undefined)
    throw new UsageError('URL and --bridge are mutually exclusive: both set the address of the bridge.')
  const address = first ?? named
  const isWhole =
    address !== undefined && /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^(https?:\/\/)?localhost[:/.]/i.test(address)
  if (isWhole && (parseUrl(address) === undefined || !/^https?:/i.test(address)))
    return { url: address, isRenamed: false }
  const { url, rewrittenFrom } = await resolveBridge(input, address)
  return { url, isRenamed: rewrittenFrom !== undefined }
}

function addNameWarning(diagnosis: Diagnosis): Diagnosis {
  const finding = createFinding('address', {
    code: 'BLOCKED_HOSTNAME',
    severity: 'warning',
    message: `The address names localhost, which the service rejects; ${new URL(diagnosis.url).hostname} was checked instead.`,
  })
  return { ...diagnosis, findings: [finding, ...diagnosis.findings] }
}

function print({ url, findings, probes, healthy }: Diagnosis, terminal: Terminal): void {
  const { paint } = terminal
  const marks = { passed: paint.green('✓'), warned: paint.yellow('!'), failed: paint.red('✗'), skipped: paint.dim('-') }
  terminal.print(`${paint.bold(cleanText(url))}\n`)
  for (const { title, result, reason } of probes)
    terminal.print(`  ${marks[result]} ${result === 'skipped' ? paint.dim(`${title} (${reason})`) : title}`)
  terminal.print()
  for (const { severity, code, message, cause, fix, workflowId, stepId } of findings) {
    const place = [workflowId, stepId].filter((part) => part !== null).join(' › ')
    terminal.print(
      `${severity === 'error' ? paint.red(code) : paint.yellow(code)}${place ? `  ${cleanText(place)}` : ''}`,
    )
    terminal.print(`  ${message}`)
    if (cause) terminal.print(`  ${paint.dim('cause')}  ${cause}`)
    if (fix) terminal.print(`  ${paint.dim('fix')}    ${fix}`)
    terminal.print()
  }
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warned = findings.length - errors
  const tail = warned === 0 ? '' : `, ${warned} ${warned === 1 ? 'warning' : 'warnings'}`
  terminal.print(healthy ? `${paint.green('healthy')}${tail}` : `${paint.red(`${errors} wrong`)}${tail}`)
}
