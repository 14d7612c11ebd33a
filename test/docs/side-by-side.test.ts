import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type TestBridge, testBridge } from '@trestle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../repository.ts'
import { readSamples, writeSamples } from './samples.ts'

const page = 'packages/docs/side-by-side.md'
const text = readFileSync(join(root, page), 'utf8')
const names = ['Escalation', 'Approval', 'Onboarding']
let folder = ''
let workflows: Record<string, never> = {}

beforeAll(async () => {
  folder = mkdtempSync(fileURLToPath(new URL('.side-by-side-', import.meta.url)))
  const files = writeSamples(
    folder,
    readSamples().filter((sample) => sample.page === page),
  )
  for (const file of files) workflows = { ...workflows, ...(await import(pathToFileURL(file).href)) }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the table of sizes counts the lines of the code', () => {
  const sections = new Map(text.split(/^## /m).map((section) => [section.split('\n')[0], section]))
  const counted = names.map((name) => {
    const blocks = [...(sections.get(name) ?? '').matchAll(/^```\w+ \[(\w+)\]\n([\s\S]*?)^```/gm)]
    expect(blocks.map(([, product]) => product)).toEqual(['Trestle', 'Novu', 'Knock', 'Inngest'])
    return [
      name,
      ...blocks.map(([, , code = '']) => String(code.split('\n').filter((line) => line.trim() !== '').length)),
    ]
  })
  const written = names.map((name) =>
    (new RegExp(`^\\| ${name} .*$`, 'm').exec(text)?.[0] ?? '')
      .split('|')
      .map((cell) => cell.trim())
      .filter(Boolean),
  )
  expect(written).toEqual(counted)
})

const minutes = (count: number): number => count * 60_000
const hours = (count: number): number => minutes(60 * count)
const run = (name: string, options: Parameters<TestBridge['run']>[1]) =>
  testBridge({ workflows: Object.values(workflows) }).run(name, options)

describe('escalation', () => {
  const payload = { incident: '7', text: 'The shop is down.' }

  test('goes through all channels without an acknowledgment', async () => {
    const { steps } = await run('escalation', { payload })
    expect(Object.keys(steps)).toEqual(['inbox', 'first', 'text', 'second', 'team'])
  })

  test('ends with an acknowledgment of the same incident', async () => {
    const acknowledge = (incident: string) => ({
      name: 'incident.acknowledged',
      payload: { incident },
      afterMs: minutes(7),
    })
    const canceled = await run('escalation', { payload, events: [acknowledge('7')] })
    expect(canceled.status).toBe('canceled')
    expect(canceled.steps).not.toHaveProperty('team')
    expect((await run('escalation', { payload, events: [acknowledge('8')] })).status).toBe('completed')
  })
})

describe('approval', () => {
  const payload = { id: '7', text: 'A new chair' }
  const decide = (approved: boolean, afterMs: number) => [
    { name: 'request.decided', payload: { id: '7', approved }, afterMs },
  ]
  const subjects = async (events?: ReturnType<typeof decide>) => {
    const { steps } = await run('approval', { payload, ...(events && { events }) })
    return ['remind', 'result'].flatMap((id) => steps[id]?.outputs?.['subject'] ?? [])
  }

  test('reports a decision, reminds after a day, and expires after two', async () => {
    expect(await subjects(decide(true, hours(1)))).toEqual(['Request 7: approved'])
    expect(await subjects(decide(false, hours(30)))).toEqual(['Request 7 is waiting', 'Request 7: declined'])
    expect(await subjects()).toEqual(['Request 7 is waiting', 'Request 7: expired'])
  })
})

describe('onboarding', () => {
  const stepsWith = async (name?: string) => {
    const events = name ? [{ name, payload: {}, afterMs: hours(20) }] : []
    return Object.keys((await run('onboarding', { payload: {}, events })).steps)
  }

  test('depends on the first project, and ends if the account is deleted', async () => {
    expect(await stepsWith('project.created')).toEqual(['welcome', 'project', 'invite'])
    expect(await stepsWith()).toEqual(['welcome', 'project', 'help'])
    expect(await stepsWith('account.deleted')).toEqual(['welcome', 'project'])
  })
})
