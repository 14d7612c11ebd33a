import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findInstaller } from './find-installer.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trestle-installer-'))
  mkdirSync(join(folder, '.git'))
  mkdirSync(join(folder, 'apps/web'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the installer', () => {
  it.each([
    ['pnpm-lock.yaml', '', 'pnpm install'],
    ['pnpm-workspace.yaml', '', 'pnpm install'],
    ['yarn.lock', '', 'yarn install'],
    ['bun.lock', '', 'bun install'],
    ['package-lock.json', '{}', 'npm install'],
    ['package.json', '\uFEFF{ "packageManager": "yarn@4.9.2" }', 'yarn install'],
    ['package.json', '{ "packageManager": "deno@2" }', 'npm install'],
    ['package.json', '{', 'npm install'],
  ])('of a workspace whose root has %s %j is that of %s', (file, text, install) => {
    writeFileSync(join(folder, file), text)
    expect(findInstaller(join(folder, 'apps/web')).install).toBe(install)
    expect(findInstaller(join(folder, 'apps/not there yet')).install).toBe(install)
  })

  it('is chosen by the nearest lock file, ignoring any above the repository root', () => {
    writeFileSync(join(folder, 'pnpm-lock.yaml'), '')
    writeFileSync(join(folder, 'apps/web/package-lock.json'), '{}')
    expect(findInstaller(join(folder, 'apps/web')).install).toBe('npm install')
    mkdirSync(join(folder, 'apps/.git'))
    expect(findInstaller(join(folder, 'apps/other'), {})).toEqual({
      install: 'npm install',
      run: 'npm run',
      exec: 'npx',
    })
  })

  it.each([
    ['pnpm/12.21.0 npm/? node/v20.20.2 linux x64', 'pnpm install'],
    ['yarn/4.18.1 npm/? node/v20.20.2 linux x64', 'yarn install'],
    ['bun/1.4.5 npm/? node/v24.3.0 linux x64', 'bun install'],
    ['npm/11.19.1 node/v20.20.2 linux x64', 'npm install'],
    ['deno/2.4.0 npm/? deno/2.4.0 linux x64', 'npm install'],
  ])('defaults to the package manager that started the command: %s', (agent, install) => {
    expect(findInstaller(join(folder, 'new'), { npm_config_user_agent: agent }).install).toBe(install)
    writeFileSync(join(folder, 'yarn.lock'), '')
    expect(findInstaller(join(folder, 'new'), { npm_config_user_agent: agent }).install).toBe('yarn install')
  })
})
