import { parseArgs } from 'node:util'
import { nearest } from '@trestle/protocol'
import type { Command, CommandInput } from './command.ts'
import { UsageError } from './usage-error.ts'

/** The parsed arguments of a command. */
export type ParsedArguments = Pick<CommandInput, 'args' | 'text' | 'flag' | 'whole'>

/**
 * Parses the arguments of a command according to its options.
 *
 * @throws {UsageError} An option is unknown, or has a missing or unexpected value, or the number of arguments is wrong.
 */
export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const { name: command_, options } = command
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { value }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string' } as const,
    ]),
  )
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...config, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const values = new Map<string, string | true>()
  const args: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw new UsageError(unknownOption(command, token.rawName))
    const where = `${token.rawName} of trestle ${command_}`
    if (values.has(token.name)) throw new UsageError(`${where} is given twice.`)
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${where} takes no value.`)
      values.set(token.name, true)
    } else {
      // An option is not a value; a value that starts with a dash needs an equals sign.
      const isNext = !token.inlineValue && token.value?.startsWith('--')
      if (token.value === undefined || isNext) throw new UsageError(`${where} needs a value: ${option.value}.`)
      values.set(token.name, token.value)
    }
  }
  checkCount(command, args)
  const text = (name: string): string | undefined => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  }
  return {
    args,
    text,
    flag: (name) => values.get(name) === true,
    whole(name, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) {
      const value = text(name)
      if (value === undefined) return undefined
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (number >= min && number <= max) return number
      throw new UsageError(`--${name} must be an integer from ${min} to ${max}; it is ${JSON.stringify(value)}.`)
    },
  }
}

function unknownOption({ name, options }: Command, rawName: string): string {
  const optionNames = [...Object.keys(options), 'help']
  const meant = nearest(rawName.replace(/^-+/, ''), optionNames)
  const hint = meant === undefined ? '' : ` Did you mean --${meant}?`
  return `Unknown option ${rawName} of trestle ${name}.${hint} See trestle help ${name}.`
}

function checkCount({ name, args: { min, max }, usage }: Command, args: readonly string[]): void {
  if (args.length >= min && args.length <= max) return
  const what = args.length < min ? 'needs more arguments' : `does not take ${JSON.stringify(args[max])}`
  throw new UsageError(`trestle ${name} ${what}. Usage: trestle ${name} ${usage}`)
}
