import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecuteEvent, WorkflowManifest } from '@trestle/protocol'
import { isRecord } from '../base/is-record.ts'
import { readText } from '../base/read-text.ts'
import { CommandError } from '../terminal/command-error.ts'
import { nearest } from '../terminal/nearest.ts'

/** A named case of a workflow: what a preview is made with. */
export interface Fixture {
  readonly name: string
  /** The parts of the event; controls are by step. */
  readonly event: Partial<Omit<ExecuteEvent, 'controls'>>
  /** Control values by step id. */
  readonly controls: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The folder of fixtures, unless somebody says otherwise. */
export const usualFixtures = 'fixtures'

const parts = ['payload', 'subscriber', 'context', 'env', 'actor', 'state', 'controls']

/**
 * Returns the fixtures of a workflow: those of its file in the folder, else the examples of its payload schema, else one
 * whose payload the bridge makes up.
 *
 * @param folder - The folder; the file of a workflow is `<workflow id>.json`, its id encoded as in a URL.
 * @throws {CommandError} The file is not JSON, or not of the form.
 */
export function readFixtures(folder: string, { workflowId, payload }: WorkflowManifest): readonly Fixture[] {
  const file = join(folder, toFileName(workflowId))
  if (existsSync(file)) return parse(file)
  const { examples } = payload.schema
  const found = Array.isArray(examples) ? examples.filter(isRecord) : []
  if (found.length > 0)
    return found.map((one, index) => ({ name: `example ${index + 1}`, event: { payload: one }, controls: {} }))
  return [{ name: 'sample', event: {}, controls: {} }]
}

/** Returns the files of a folder of fixtures that belong to no workflow. */
export function findStrayFixtures(folder: string, workflows: readonly WorkflowManifest[]): readonly string[] {
  if (!existsSync(folder)) return []
  const known = workflows.map(({ workflowId }) => toFileName(workflowId))
  return readdirSync(folder).filter((name) => name.endsWith('.json') && !known.includes(name))
}

const toFileName = (workflowId: string): string => `${encodeURIComponent(workflowId)}.json`

function parse(file: string): readonly Fixture[] {
  let value: unknown
  try {
    value = JSON.parse(readText(file))
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const fix = 'Write { "<name of the fixture>": { "payload": { … }, "subscriber": { … } } }.'
  if (!isRecord(value) || Object.keys(value).length === 0)
    throw new CommandError(`${file} contains no fixtures.`, { fix })
  return Object.entries(value).map(([name, fixture]) => {
    if (!isRecord(fixture))
      throw new CommandError(`${file}: the fixture ${JSON.stringify(name)} must be an object.`, { fix })
    for (const part of Object.keys(fixture).filter((one) => !parts.includes(one))) {
      const meant = nearest(part, parts)
      throw new CommandError(
        `${file}: the fixture ${JSON.stringify(name)} has an unknown field ${JSON.stringify(part)}.${meant ? ` Did you mean ${meant}?` : ''}`,
        { fix: `The fields are ${parts.join(', ')}.` },
      )
    }
    const { controls, ...event } = fixture
    return {
      name,
      event: event as Fixture['event'],
      controls: (isRecord(controls) ? controls : {}) as Fixture['controls'],
    }
  })
}
