const targetWidth = 24
const statusWidth = 10
const longestLine = 110

/**
 * Prints events as they happen, one line each.
 *
 * @param {NodeJS.WriteStream} stream - The output stream; colors are only used on a terminal.
 */
export function createTimeline(stream) {
  const paint = (code, text) => (stream.isTTY && stream.hasColors() ? `\u001b[${code}m${text}\u001b[0m` : text)
  const print = (text = '') => stream.write(`${text}\n`)
  let transitions = 0
  let lines = 0
  let surprises = 0
  return {
    title: (text) => print(`\n${paint(1, text)}`),
    section: (text) => print(`\n${paint(1, text)}`),
    /** Shows a transition of a run, with the time since it was triggered. */
    row(sinceMs, { stepId, jobStatus, runStatus, detail, status }) {
      transitions++
      const time = `${sinceMs.toFixed(0).padStart(6)} ms`
      const state = (jobStatus ?? runStatus).padEnd(statusWidth)
      const text = status === 'Failed' || status === 'Warning' ? paint(33, detail) : detail
      print(`  ${paint(2, time)}  ${(stepId ?? 'run').padEnd(targetWidth)}  ${paint(32, state)}  ${text}`)
    },
    /** Prints a line between the transitions. */
    note: (label, text) => print(`  ${' '.repeat(9)}  ${label.padEnd(targetWidth)}  ${paint(2, text)}`),
    /** Prints what was said in a conversation, or its outcome. */
    said(who, text) {
      lines++
      print(`  ${paint(32, who.padEnd(statusWidth))}  ${shorten(text)}`)
    },
    message: (label, parts) =>
      print(`  ${label.padEnd(targetWidth + 6)}  ${shorten(parts.filter(Boolean).join(' | '))}`),
    /** Counts and prints an unmet expectation. */
    expect(isRight, text) {
      if (isRight) return
      surprises++
      print(`  ${paint(31, `expected: ${text}`)}`)
    },
    /** Prints a summary and returns the exit status. */
    end() {
      const verdict = surprises === 0 ? 'everything as it should be' : `${surprises} not as they should be`
      print(
        `\n${paint(surprises === 0 ? 32 : 31, `${transitions} transitions, ${lines} lines of conversation, ${verdict}.`)}`,
      )
      return surprises === 0 ? 0 : 1
    },
  }
}

/**
 * Prints how to continue: in the studio, or from another terminal.
 *
 * @param {{ url: string, studioUrl: string, bridgeUrl: string, pageUrl: string, key: string }} addresses - The URLs
 * that are served, and the secret key.
 */
export function printHowToCall(stream, { url, studioUrl, bridgeUrl, pageUrl, key }) {
  const body = JSON.stringify({ name: 'sign-in-code', to: 'ada', payload: { code: '314159' } })
  stream.write(`
Look at the runs, preview each step, trigger workflows and talk to the agent in the studio:

  ${studioUrl}

Trigger a workflow for ada there, such as mention, and watch the bell of this page:

  ${pageUrl}

All of it keeps serving until Ctrl-C:
  the REST API    ${url}
  the bridge      ${bridgeUrl}
  the secret key  ${key}

From another terminal:

curl -X POST ${url}/v1/events/trigger -H 'Authorization: ApiKey ${key}' \\
  -H 'Content-Type: application/json' -d '${body}'
curl ${url}/v1/studio/outbox -H 'Authorization: ApiKey ${key}'
`)
}

function shorten(text) {
  const line = String(text).replaceAll(/\s+/g, ' ')
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line
}
