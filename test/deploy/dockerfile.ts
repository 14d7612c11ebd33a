import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Copy, DockerfileParser, type Instruction, JSONInstruction } from 'dockerfile-ast'
import { root } from '../repository.ts'

/** The parts of a Dockerfile stage that the tests need. */
export interface Stage {
  readonly name: string | undefined
  readonly image: string
  readonly instructions: readonly StageInstruction[]
}

export interface StageInstruction {
  readonly name: string
  /** Everything after the name, without flags and line breaks. */
  readonly text: string
  /** The arguments, if they are a JSON list. */
  readonly list: readonly string[]
  readonly flags: Readonly<Record<string, string>>
}

/**
 * Reads the stages of a Dockerfile.
 *
 * @param content - Its text. @default that of the repository's Dockerfile
 */
export function readStages(content: string = readFileSync(join(root, 'Dockerfile'), 'utf8')): readonly Stage[] {
  const file = DockerfileParser.parse(content)
  const stages: { name: string | undefined; image: string; instructions: StageInstruction[] }[] = []
  for (const instruction of file.getInstructions()) {
    const read = readInstruction(instruction)
    if (read.name !== 'FROM') stages.at(-1)?.instructions.push(read)
    else {
      const [image = '', , name] = read.text.split(' ')
      stages.push({ name, image, instructions: [] })
    }
  }
  return stages
}

function readInstruction(instruction: Instruction): StageInstruction {
  const content = (instruction.getArgumentsContent() ?? '').replaceAll(/\s+/g, ' ')
  const flags = instruction instanceof JSONInstruction || instruction instanceof Copy ? instruction.getFlags() : []
  const from = content.indexOf('[')
  const isList = from >= 0 && content.endsWith(']') && /^(?:CMD )?$/.test(content.slice(0, from))
  return {
    name: instruction.getInstruction(),
    text: content,
    list: isList ? JSON.parse(content.slice(from)) : [],
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
  }
}

/** Returns the last instruction with the given name. */
export function findInstruction(stage: Stage, name: string): StageInstruction {
  const instruction = stage.instructions.findLast((one) => one.name === name)
  if (!instruction) throw new Error(`The stage ${stage.image} has no ${name}.`)
  return instruction
}

/** Returns the variables that a stage sets. */
export function readVariables({ instructions }: Stage): Readonly<Record<string, string>> {
  const texts = instructions.filter(({ name }) => name === 'ENV').flatMap(({ text }) => text.split(' '))
  return Object.fromEntries(texts.map((text) => text.split('=', 2) as [string, string]))
}

/**
 * Returns whether a repository file is part of the build context according to `.dockerignore`; the last matching
 * pattern wins.
 */
export function reachesBuild(path: string): boolean {
  return patterns.reduce((reaches, { isKept, pattern }) => (pattern.test(path) ? isKept : reaches), true)
}

const patterns = readFileSync(join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const isKept = line.startsWith('!')
    const text = (isKept ? line.slice(1) : line).replaceAll('.', '\\.').replaceAll(/\*\*\/|\*/g, (star) => {
      return star === '*' ? '[^/]*' : '(?:.*/)?'
    })
    // A pattern that matches a folder matches its content.
    return { isKept, pattern: new RegExp(`^${text}(?:/.*)?$`) }
  })
