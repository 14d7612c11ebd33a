import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const dependencies = {
  '@novu/framework': '2.13.2',
  express: '5.3.0',
  hono: '4.13.19',
  zod: '3.25.76',
  'zod-to-json-schema': '3.25.2',
}

/** Installs the peer into a folder outside the repository, once, and returns the folder. */
export function installPeer() {
  const folder = join(tmpdir(), `bench-peer-${dependencies['@novu/framework']}-b`)
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return folder
  process.stdout.write('Installing the peer ...\n')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-fund', '--no-audit'], { cwd: folder, stdio: 'ignore' })
  return folder
}
