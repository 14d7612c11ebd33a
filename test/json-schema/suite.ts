import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { findInstalled } from '../installed.ts'

/** A schema of the official JSON Schema test suite with its values. */
export interface SuiteGroup {
  /** The file name without its extension. */
  readonly file: string
  readonly description: string
  readonly schema: unknown
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[]
}

const metaSchemas = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': 'https://json-schema.org/draft/2019-09/schema',
  'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

/** A draft that the suite has tests for. */
export type Draft = keyof typeof metaSchemas

/** Reads a folder of the suite. Adds the draft to each schema. */
export function readSuite(context: TestContext, draft: Draft, folder: string): readonly SuiteGroup[] {
  const root = findInstalled(context, {
    places: [
      process.env['JSON_SCHEMA_SUITE_PATH'],
      '/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests',
    ],
    advice:
      'The official JSON Schema test suite was not found. On Debian it comes with "apt-get install ' +
      'libtest-json-schema-acceptance-perl"; JSON_SCHEMA_SUITE_PATH names the folder "tests" of another copy.',
  })
  const directory = join(root, draft, folder)
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'))
  return files.flatMap((name) => {
    const groups = JSON.parse(readFileSync(join(directory, name), 'utf8')) as readonly Omit<SuiteGroup, 'file'>[]
    return groups.map((group) => ({ ...group, file: name.slice(0, -5), schema: withDraft(group.schema, draft) }))
  })
}

function withDraft(schema: unknown, draft: Draft): unknown {
  return typeof schema === 'object' ? { $schema: metaSchemas[draft], ...schema } : schema
}
