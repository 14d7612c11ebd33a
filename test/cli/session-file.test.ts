import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'vitest'
import { trestle } from './trestle.ts'

const sessionKey = 'sk_of_the_session_0123456789'
const usersKey = 'sk_of_the_user_0123456789'

/** A folder with the session file of a `trestle dev`, and a server at its URL that records every key it receives. */
async function prepare({ onTestFinished }: TestContext, notes: (url: string) => object, mode = 0o600) {
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cwd = mkdtempSync(join(tmpdir(), 'trestle-session-'))
  onTestFinished(() => {
    server.close()
    rmSync(cwd, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = join(cwd, '.trestle/session.json')
  mkdirSync(join(cwd, '.trestle'))
  writeFileSync(file, JSON.stringify(notes(url)))
  chmodSync(file, mode)
  return { cwd, keys, file }
}

const trigger = ['trigger', 'order', '--to', 'ada']
const own = (url: string) => ({ apiUrl: url, key: sessionKey, pid: process.pid })

test('a session file contains the URL of its service and the key', async (context) => {
  const { expect } = context
  const { cwd, keys } = await prepare(context, own)
  await trestle(trigger, { cwd })
  expect(new Set(keys)).toEqual(new Set([`ApiKey ${sessionKey}`]))
  await trestle([...trigger, '--key', sessionKey], { cwd })
  expect(new Set(keys)).toEqual(new Set([`ApiKey ${sessionKey}`]))
})

// A rejected call is retried for some seconds, so the rows run in parallel.
test.concurrent.for([
  ['names no process', (url: string) => ({ ...own(url), pid: undefined })],
  ['names the group of the process', (url: string) => ({ ...own(url), pid: 0 })],
  ['names every process', (url: string) => ({ ...own(url), pid: -1 })],
  ['names the first process', (url: string) => ({ ...own(url), pid: 1 })],
  ['names a group of processes', (url: string) => ({ ...own(url), pid: -process.pid })],
  ['names a process that has ended', (url: string) => ({ ...own(url), pid: 2 ** 22 + 1 })],
  ['names a process as a text', (url: string) => ({ ...own(url), pid: String(process.pid) })],
  ['names another host', (url: string) => ({ ...own(url.replace('127.0.0.1', 'localhost.example.com')) })],
  [
    'names a host that only resolves to this machine',
    (url: string) => ({ ...own(url.replace('127.0.0.1', 'localhost')) }),
  ],
  ['hides the host behind user info', (url: string) => ({ ...own(url.replace('//', '//127.0.0.1@evil.example:80/')) })],
  ['can be read by others', own, 0o644],
  ['can be written by others', own, 0o620],
] as const)('no key is sent if a session file %s', async ([, notes, mode], context) => {
  const { expect } = context
  const { cwd, keys } = await prepare(context, notes, mode)
  await Promise.all([
    trestle(trigger, { cwd }),
    trestle([...trigger, '--key', usersKey], { cwd }),
    trestle(trigger, { cwd, env: { SERVICE_SECRET_KEY: usersKey } }),
  ])
  expect(keys).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('no key is sent if the file belongs to another user', async (context) => {
  const { expect } = context
  const { cwd, keys, file } = await prepare(context, own)
  chownSync(file, 65_534, 65_534)
  await trestle(trigger, { cwd })
  expect(keys).toEqual([])
})

test('a key that differs from the session’s key is not sent to the session’s URL', async (context) => {
  const { expect } = context
  const { cwd, keys } = await prepare(context, own)
  await trestle([...trigger, '--key', usersKey], { cwd })
  expect(keys).toEqual([])
})
