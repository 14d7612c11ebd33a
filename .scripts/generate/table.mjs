/** Returns a Markdown table with aligned columns. */
export function printTable(titles, rows) {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |\n`
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}
