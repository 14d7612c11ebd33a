const actionWidth = 12
const targetWidth = 24

/**
 * Prints calls and answers as they happen, one line each.
 *
 * @param {NodeJS.WriteStream} stream - Where to; colours are used on a terminal only.
 */
export function createTimeline(stream) {
  const paint = (code, text) => (stream.isTTY && stream.hasColors() ? `\u001b[${code}m${text}\u001b[0m` : text)
  const print = (text = '') => stream.write(`${text}\n`)
  let calls = 0
  let surprises = 0
  return {
    /** How many answers were not what they should be. */
    get surprises() {
      return surprises
    },
    title: (text) => print(`\n${paint(1, text)}`),
    section: (text) => print(`\n${paint(1, text)}`),
    /** Shows a call and its answer; `good` tells whether it is what it should be. */
    row(action, target, { status, durationMs, good, text }) {
      calls++
      if (!good) surprises++
      const mark = good ? paint(32, status) : paint(31, `${status} unexpected`)
      const time = `${durationMs.toFixed(0).padStart(4)} ms`
      print(`  ${mark}  ${paint(2, time)}  ${action.padEnd(actionWidth)}  ${target.padEnd(targetWidth)}  ${text}`)
    },
    /** Shows a line that belongs to the call above it. */
    note: (label, text) => print(`  ${' '.repeat(14 + actionWidth)}  ${label.padEnd(targetWidth)}  ${paint(2, text)}`),
    /** Sums up; gives the exit status. */
    end() {
      const verdict = surprises === 0 ? 'all answered as they should be' : `${surprises} not as they should be`
      print(`\n${paint(surprises === 0 ? 32 : 31, `${calls} calls, ${verdict}.`)}`)
      return surprises === 0 ? 0 : 1
    },
  }
}

/**
 * Shows how to send a signed call from another terminal.
 *
 * @param {NodeJS.WriteStream} stream - Where to.
 * @param {{ url: string, secret: string }} bridge - Its address and key.
 */
export function printHowToCall(stream, { url, secret }) {
  const target = `${url}?action=execute&workflowId=sign-in-code&stepId=code`
  const body = JSON.stringify({ payload: { code: '271828' } })
  stream.write(`
It keeps serving until Ctrl-C. The secret key is ${secret}. To send a signed call from another terminal:

node --input-type=module -e '
import { createHmac } from "node:crypto"
const body = JSON.stringify(${body})
const t = Date.now()
const v1 = createHmac("sha256", "${secret}").update(t + "." + body).digest("hex")
const headers = { "content-type": "application/json", "service-signature": "t=" + t + ",v1=" + v1 }
const answer = await fetch("${target}", { method: "POST", headers, body })
console.log(answer.status, await answer.text())'
`)
}
