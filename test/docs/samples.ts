import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pages } from '../../.scripts/docs/site.mjs'
import { root } from '../repository.ts'

/** A block of code on a page. */
export interface Sample {
  /** The page, relative to the root. */
  readonly page: string
  readonly line: number
  /** Its file, relative to the folder of the page's samples. */
  readonly file: string
  readonly code: string
}

/** Replaces the file that a sample imports but the page does not show. */
const otherFiles: Readonly<Record<string, string>> = {
  workflows: `import { workflow } from '@trestle/core'
export const commentDigest = workflow('other', async ({ step }) => void (await step.sms('text', () => ({ body: 'Hi' }))))
export const workflows = [commentDigest]`,
  monitoring: `export declare const refusals: { inc(labels: { readonly code: string }): void }
export declare const alert: (text: string) => Promise<void>`,
  app: "import express from 'express'\nexport const app = express()",
  'app.module': 'export class AppModule {}',
  mailboxes: `import type { ReceivedMail } from '@trestle/inbound-mail'
export declare const isKnown: (address: string) => boolean
export declare const store: (mail: ReceivedMail) => Promise<undefined>`,
  'inbox/inbox-bell': 'export declare function InboxBell(props: { readonly subscriberId: string }): React.JSX.Element',
}

/** The names that the pages of the test kit leave undefined. */
const bridge = `import type { Workflow } from '@trestle/core'
import type { TestBridge } from '@trestle/testing'
declare const bridge: TestBridge
declare const order: Workflow
declare const incident: Workflow`

/** Names that a sample uses but the page leaves undefined, by a part of the sample. */
const surroundings: readonly (readonly [part: string, declarations: string])[] = [
  [
    "toHaveSent('email', { subject: 'Due' }",
    "import { expect } from 'vitest'\ndeclare const run: import('@trestle/testing').RunReport",
  ],
  ['doubles: {\n    prices:', `import { failure, result } from '@trestle/testing'\n${bridge}`],
  ["name: 'incident.acknowledged', payload", bridge],
  [
    'const children = {',
    `import { expect } from 'vitest'\nimport { result } from '@trestle/testing'\n${bridge}\ndeclare const contract: Workflow`,
  ],
  ["bridge.execute('order', 'mail'", `import { expect } from 'vitest'\n${bridge}`],
  [
    'expect(talk).toHaveBeenResolved()\n',
    `import { expect } from 'vitest'\n${bridge}\ndeclare const support: import('@trestle/core/agents').AgentDefinition`,
  ],
  ['streamText({', "declare const model: import('ai').LanguageModel\ndeclare const tools: import('ai').ToolSet"],
  [
    'bridge.converse(support',
    "import { expect, test } from 'vitest'\ndeclare const support: import('@trestle/core/agents').AgentDefinition",
  ],
  [
    'serve({ workflows, service: novu })',
    "import { serve } from '@trestle/hono'\nimport { workflows } from './workflows.ts'",
  ],
  [
    "step.inApp('inbox', () => ({\n  subject: 'Welcome'",
    "import { escapeHtml, type Step } from '@trestle/core'\ndeclare const step: Step\ndeclare const payload: { readonly name: string }",
  ],
]

const examples = join(root, 'test/examples')

/** Returns the TypeScript blocks of the site's own pages and of the READMEs of packages: complete files with imports. */
export function readSamples(): readonly Sample[] {
  // The tests of the examples are compiled and run as they are, from the files that the page shows.
  const tests = new Set(
    readdirSync(examples, 'utf8')
      .filter((name) => name.endsWith('.test.ts'))
      .map(readExample),
  )
  return [...pages.values()]
    .filter((page) => page.startsWith('packages/'))
    .flatMap(samplesOf)
    .filter(({ code }) => !tests.has(code))
}

const readExample = (name: string): string => readFileSync(join(examples, name), 'utf8')

function samplesOf(page: string): readonly Sample[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(tsx?)\b.*\n([\s\S]*?)^```/gm)].map(({ 1: kind, 2: code = '', index }) => {
    const line = text.slice(0, index).split('\n').length
    const given = surroundings.find(([part]) => code.includes(part))?.[1]
    return {
      page,
      line,
      code: given ? `${code}\n${given}\n` : code,
      file: /^\/\/ ([\w./[\]+-]+\.tsx?)$/m.exec(code)?.[1] ?? `sample-${line}.${kind}`,
    }
  })
}

/** Writes samples into a folder, one file per page, and returns the paths. */
export function writeSamples(folder: string, samples: readonly Sample[]): readonly string[] {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const files = samples.map((sample) => ({ ...sample, path: pathOf(folder, sample) }))
  const samplePaths = new Set(files.map(({ path }) => path.replace(/\.tsx?$/, '')))
  for (const { path, code } of files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
    for (const [, target = ''] of code.matchAll(/ from '(\.[^']+)'/g)) {
      const other = join(dirname(path), target.replace(/\.[jt]sx?$/, ''))
      const otherFile = Object.entries(otherFiles).find(([name]) => other.endsWith(`/${name}`))
      if (!otherFile || samplePaths.has(other)) continue
      mkdirSync(dirname(other), { recursive: true })
      writeFileSync(`${other}.ts`, otherFile[1])
    }
  }
  return files.map(({ path }) => path)
}

/** Returns the path of a sample's file. */
export function pathOf(folder: string, { page, file }: Sample): string {
  return join(
    folder,
    page
      .replace(/^packages\/(?:docs\/)?/, '')
      .replaceAll('/', '-')
      .replace(/\.md$/, ''),
    'app',
    file,
  )
}
