import {
  type Bound,
  type BoundAtom,
  type Node,
  type Numbered,
  returnsFailure,
  type StepNode,
  type Test,
} from './program.ts'

/** Prints a program as the source text of a workflow function. */
export function toSource({ body, taken }: Numbered): string {
  const lines = block(body, '  ')
  if (!taken) return `async ({ step, payload, subscriber, env }) => {\n${lines}}`
  const names = new Set<string>()
  const short = lines.replaceAll(/\bpayload\.(\w+)/g, (_all, name: string) => {
    names.add(name)
    return name
  })
  const first = names.size > 0 ? `  const { ${[...names].join(', ')} } = payload\n` : ''
  return `async ({ step, payload, subscriber, env }) => {\n${first}${short}}`
}

const handlers: Readonly<Record<string, string>> = {
  sms: 'body: see',
  inApp: 'body: see',
  custom: 'see, ...result(ID)',
  digest: "amount: 1, unit: 'hours', digestKey: see",
  delay: "amount: 1, unit: 'hours'",
  waitForEvent: "event: 'e', match: { see }, timeout: { amount: 1, unit: 'hours' }",
  trigger: "workflow: 'w', to: see",
  throttle: "type: 'fixed', amount: 1, unit: 'hours', threshold: 1, throttleKey: see",
}

function block(nodes: readonly Node[], indent: string): string {
  return nodes.map((node) => print(node, indent)).join('')
}

function print(node: Node, indent: string): string {
  const deeper = `${indent}  `
  switch (node.do) {
    case 'step':
      return `${indent}const ${node.step.name} = await ${call(node.step)}\n`
    case 'if': {
      const otherwise = node.otherwise.length > 0 ? ` else {\n${block(node.otherwise, deeper)}${indent}}` : ''
      return `${kept(node.when, indent)}${indent}if (${test(node.when)}) {\n${block(node.then, deeper)}${indent}}${otherwise}\n`
    }
    case 'repeat': {
      const values = Array.from({ length: node.times }, (_, index) => `'k${index}'`).join(', ')
      return `${indent}for (const k of [${values}]) await ${call(node.step, '-${k}')}\n`
    }
    case 'until': {
      const values = Array.from({ length: node.times }, (_, index) => `'k${index}'`).join(', ')
      return (
        `${indent}for (const k of [${values}]) {\n${deeper}const ${node.step.name} = await ${call(node.step, '-${k}')}\n` +
        `${deeper}if (${toResultExpression(node.step, 0)}) break\n${indent}}\n`
      )
    }
    case 'each': {
      if (node.most === undefined)
        return `${indent}for (const i of payload.items.keys()) await ${call(node.step, '-${i}')}\n`
      return (
        `${indent}for (const [i] of payload.items.entries()) {\n${deeper}if (i >= ${node.most}) break\n` +
        `${deeper}await ${call(node.step, '-${i}')}\n${indent}}\n`
      )
    }
    case 'fan':
      return `${indent}await Promise.all(payload.items.map((_, i) => ${call(node.step, '-${i}')}))\n`
    case 'and':
      return `${indent}const ${node.step.name} = (${test(node.when)}) && (await ${call(node.step)})\n`
    case 'switch': {
      const [first = [], second = []] = node.cases
      const end = `${deeper}  break\n${deeper}}\n`
      return (
        `${indent}switch (payload.choice${node.index}) {\n` +
        `${deeper}case 'a': {\n${block(first, `${deeper}  `)}${node.falls ? `${deeper}}\n` : end}` +
        `${deeper}case 'b': {\n${block(second, `${deeper}  `)}${end}` +
        `${deeper}default: {\n${block(node.otherwise, `${deeper}  `)}${deeper}}\n${indent}}\n`
      )
    }
    case 'helper':
      return `${indent}const ${node.name} = async () => {\n${block(node.body, deeper)}${indent}}\n${indent}await ${node.name}()\n`
    case 'catch':
      return `${indent}try {\n${block(node.body, deeper)}${indent}} catch {\n${block(node.last, deeper)}${indent}}\n`
    case 'throw':
      return `${kept(node.when, indent)}${indent}if (${test(node.when)}) throw new Error('no')\n`
    case 'all': {
      const branches = node.branches.map(
        (branch) => `${deeper}(async () => {\n${block(branch, `${deeper}  `)}${deeper}})(),\n`,
      )
      return `${indent}await Promise.${node.settled ? 'allSettled' : 'all'}([\n${branches.join('')}${indent}])\n`
    }
    case 'race': {
      const { racer, timeout } = node
      const waits = 'await null; '.repeat(node.depth)
      return (
        `${indent}const w${racer.name} = await Promise.race([\n` +
        `${deeper}(async () => { await ${call(racer)}; ${waits}return 'first' })(),\n` +
        `${deeper}${call(timeout)}.then(() => 'timeout'),\n${indent}])\n` +
        `${indent}if (w${racer.name} === 'first') {\n${block(node.won, deeper)}${indent}} else {\n${block(node.lost, deeper)}${indent}}\n`
      )
    }
    case 'return':
      return `${kept(node.when, indent)}${indent}if (${test(node.when)}) return\n`
    case 'finally':
      return `${indent}try {\n${block(node.body, deeper)}${indent}} finally {\n${block(node.last, deeper)}${indent}}\n`
    case 'later':
      return `${indent}const p${node.step.name} = ${call(node.step)}\n${block(node.between, indent)}${indent}const ${node.step.name} = await p${node.step.name}\n`
    case 'pause':
      return node.ms > 0
        ? `${indent}await sleep(${node.ms})\n`
        : `${indent}for (let n = 0; n < ${node.turns}; n++) await turn()\n`
  }
}

const options: Readonly<Record<string, string>> = {
  inApp: ', { disableOutputSanitization: true }',
  trigger: ', { await: true }',
}

function call({ id, kind, name, sees }: StepNode, suffix = ''): string {
  const values = sees.map(read).join(', ')
  const ran = suffix === '' ? `'${id}'` : `\`${id}${suffix}\``
  const returned = handlers[kind]?.replace('ID', ran)
  const option = returnsFailure({ kind, name }) ? ", { onFailure: 'return' }" : (options[kind] ?? '')
  return `step.${kind}(${ran}, () => { ran(${ran}); const see = JSON.stringify([${values}]); return { ${returned} } }${option})`
}

/** The expression that reports a result. */
function read({ name, kind }: Bound): string {
  if (returnsFailure({ kind, name })) return `(${name}.result?.tier ?? null)`
  switch (kind) {
    case 'inApp':
      return `${name}.read`
    case 'digest':
      return `${name}.events.length`
    case 'delay':
      return `${name}.duration`
    case 'waitForEvent':
      return `${name}.received`
    case 'trigger':
      return `${name}.status`
    case 'throttle':
      return `${name}.throttled`
    default:
      return `${name}.tier ?? null`
  }
}

function kept(when: Test, indent: string): string {
  return when.name === undefined ? '' : `${indent}const ${when.name} = ${expression(when)}\n`
}

function test(when: Test): string {
  return when.name ?? expression(when)
}

function expression({ atoms, any }: Test): string {
  const parts = atoms.map(({ atom, not }) => {
    const text = toExpression(atom)
    if (not) return `!(${text})`
    return any && text.includes(' && ') ? `(${text})` : text
  })
  return parts.join(any ? ' || ' : ' && ')
}

function toExpression(atom: BoundAtom): string {
  switch (atom.on) {
    case 'flag':
      return `payload.flag${atom.index}`
    case 'choice':
      return `payload.choice${atom.index} === ${JSON.stringify(atom.value)}`
    case 'text':
      return `payload.text${atom.index} === ${JSON.stringify(atom.value)}`
    case 'oneOf':
      return `${JSON.stringify(atom.values)}.includes(payload.text${atom.index})`
    case 'starts':
      return `payload.text${atom.index}.startsWith(${JSON.stringify(atom.value)})`
    case 'equal':
      return `payload.count${atom.index} === ${atom.value}`
    case 'above':
      return `payload.count${atom.index} > ${atom.value}`
    case 'below':
      return `payload.count${atom.index} < ${atom.value}`
    case 'between':
      return `payload.count${atom.index} > ${atom.low} && payload.count${atom.index} < ${atom.high}`
    case 'length':
      return `payload.items.length > ${atom.more}`
    case 'locale':
      return `subscriber.locale === ${JSON.stringify(atom.value)}`
    case 'plan':
      return `subscriber.data?.plan === ${JSON.stringify(atom.value)}`
    case 'mode':
      return `env.MODE === ${JSON.stringify(atom.value)}`
    case 'phone':
      return 'subscriber.phone'
    case 'status':
      if (returnsFailure(atom.bound)) return `${atom.bound.name}.status === ${JSON.stringify(atom.value)}`
      return `${atom.bound.name}._ctx.state.status === ${JSON.stringify(atom.value)}`
    case 'result':
      return toResultExpression(atom.bound, atom.more)
  }
}

function toResultExpression({ name, kind }: Pick<Bound, 'name' | 'kind'>, more: number): string {
  if (returnsFailure({ kind, name })) return `${name}.result?.tier === 'pro'`
  switch (kind) {
    case 'inApp':
      return `${name}.read`
    case 'digest':
      return `${name}.events.length > ${more}`
    case 'delay':
      return `${name}.duration > ${more * 1000}`
    case 'waitForEvent':
      return `${name}.received`
    case 'trigger':
      return `${name}.status === 'completed'`
    case 'throttle':
      return `${name}.throttled`
    default:
      return `${name}.tier === 'pro'`
  }
}
