import type { Command } from './command.ts'
import type { Paint } from './paint.ts'

const indent = '  '
const width = 100

/** Returns the help overview of all commands. */
export function toOverview(
  commands: readonly { readonly name: string; readonly summary: string }[],
  paint: Paint,
): string {
  return [
    `${paint.bold('trestle')} COMMAND [options]`,
    '',
    ...toRows(commands.map(({ name, summary }) => [name, summary])),
    '',
    ...toRows([
      ['help COMMAND', 'shows what a command does, its options and examples'],
      ['--version', 'shows the version of this command'],
    ]),
    '',
    'Exit status: 0 for success, 1 if a problem was found, 2 if the command line is invalid.',
  ].join('\n')
}

/** Returns the help of one command. */
export function toHelp(command: Command, paint: Paint): string {
  const options = Object.entries({ ...command.options, help: { text: 'shows this text' } }).map(
    ([name, option]): [string, string] => [
      `--${name}${'value' in option && option.value ? ` ${option.value}` : ''}`,
      option.text,
    ],
  )
  return [
    `${paint.bold(`trestle ${command.name}`)} ${command.usage}`,
    '',
    ...wrap(command.description, width),
    '',
    paint.bold('Options'),
    ...toRows(options),
    '',
    paint.bold('Examples'),
    ...command.examples.map((line) => `${indent}${line}`),
    '',
    paint.bold('Exit status'),
    ...toRows([...Object.entries(command.exits), ['2', 'the command line is invalid']]),
  ].join('\n')
}

function toRows(rows: readonly (readonly [string, string])[]): readonly string[] {
  const column = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.flatMap(([name, text]) =>
    wrap(text, width - column - indent.length).map(
      (line, index) => `${indent}${(index === 0 ? name : '').padEnd(column)}${line}`,
    ),
  )
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > columns) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
