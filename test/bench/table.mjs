/** The columns of the results table. */
const head = ['case', 'Trestle', 'of the floor', 'x peer', 'gate', 'goal', '']

/**
 * A row of results. An `undefined` share or ratio was not measured.
 *
 * @typedef {{ name: string, displayText: string, share?: number, times?: number, gate: Limits, goal: Limits, less?: boolean
 *   }} Row
 * @typedef {{ share?: number, times?: number }} Limits - With `less` the values must be lower, otherwise higher.
 */

/** Returns whether a row meets its gate. */
export function keepsGate({ share, times, gate, less = false }) {
  const keeps = (value, limit) => limit === undefined || value === undefined || (less ? value <= limit : value >= limit)
  return keeps(share, gate.share) && keeps(times, gate.times)
}

/** Returns the results as a Markdown table. */
export function toTable(rows) {
  const cells = rows.map((row) => [
    row.name,
    row.displayText,
    show(row.share),
    show(row.times),
    limits(row.gate),
    limits(row.goal),
    keepsGate(row) ? '' : 'missed',
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...cells.map(line)].join('\n')
}

function show(value) {
  return value === undefined ? '' : value.toFixed(2)
}

function limits({ share, times }) {
  return [share, times].filter((limit) => limit !== undefined).join('; ')
}
