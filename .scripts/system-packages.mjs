import { existsSync, readdirSync } from 'node:fs'
import { quietEnvironment, run } from './prepare.mjs'

/** The Debian packages that provide what tests need and npm cannot install. */
const packages = {
  chromium: () => hasProgram('chromium'),
  postgresql: () => {
    const versions = '/usr/lib/postgresql'
    return existsSync(versions) && readdirSync(versions).some((name) => existsSync(`${versions}/${name}/bin/initdb`))
  },
  'nginx-light': () => hasProgram('nginx') || existsSync('/usr/sbin/nginx'),
  'redis-server': () => hasProgram('redis-server'),
  'libtest-json-schema-acceptance-perl': () =>
    existsSync('/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance'),
}

function hasProgram(name) {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(`${folder}/${name}`))
}

/**
 * Installs the Debian packages that tests need. A failure is only reported: tests that need the packages fail in CI and
 * are skipped elsewhere.
 */
export function installSystemPackages() {
  const missing = Object.keys(packages).filter((name) => !packages[name]())
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    process.stderr.write(`Missing; root can install it on Debian: apt-get install ${missing.join(' ')}\n`)
    return
  }
  process.stdout.write(`Installing ${missing.join(', ')} ...\n`)
  const env = { ...quietEnvironment, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing]
  const installed = run('apt-get', ['update', '-qq'], { quiet: true }) && run('apt-get', install, { env, quiet: true })
  if (!installed) process.stderr.write(`${missing.join(', ')} could not be installed.\n`)
}
