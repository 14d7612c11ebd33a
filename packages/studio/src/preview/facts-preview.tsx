import type { ReactNode } from 'react'
import { JsonBlock } from '../ui/data/code-block.tsx'
import { Facts } from '../ui/data/facts.tsx'
import style from './device.module.css'
import { type Outputs, objectOf, type PreviewProps, textOf } from './outputs.ts'

/** Shows what a step that does not send a message will do, in a sentence if possible, and its outputs. */
export function FactsPreview({ type, outputs }: Pick<PreviewProps, 'type' | 'outputs'>): ReactNode {
  const sentence = sentenceOf(type, outputs)
  const facts = Object.entries(outputs)
  return (
    <div className={style['stack']}>
      {sentence !== undefined && <p className={style['sentence']}>{sentence}</p>}
      {facts.length === 0 && sentence === undefined && <p className={style['hint']}>The step returned nothing.</p>}
      <Facts facts={facts.map(([name, value]) => [name, show(value, name)])} />
    </div>
  )
}

function show(value: unknown, name: string): ReactNode {
  return typeof value === 'object' && value !== null ? (
    <JsonBlock value={value} label={name} />
  ) : (
    <code>{String(value)}</code>
  )
}

function sentenceOf(type: string, outputs: Outputs): string | undefined {
  const span = spanOf(outputs)
  const schedule = textOf(outputs, 'cron')
  switch (type) {
    case 'delay':
      if (schedule !== undefined) return `The run continues at the next ${schedule}.`
      return span === undefined ? undefined : `The run waits ${span}, then continues.`
    case 'digest': {
      const key = textOf(outputs, 'digestKey')
      const until = schedule === undefined ? span && `for ${span}` : `until the next ${schedule}`
      return until && `Events are collected ${until}${key === undefined ? '' : `, separately for each “${key}”`}.`
    }
    case 'throttle': {
      const window = spanOf(objectOf(outputs, 'window') ?? outputs)
      const threshold = outputs['threshold'] ?? 1
      return window && `At most ${threshold} in ${window} continue; the rest end here.`
    }
    default:
      return undefined
  }
}

function spanOf({ amount, unit }: Outputs): string | undefined {
  if (typeof amount !== 'number' || typeof unit !== 'string') return undefined
  return `${amount} ${amount === 1 ? unit.replace(/s$/, '') : unit}`
}
