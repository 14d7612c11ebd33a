import { findPath } from '@trestle/protocol'
import type { Template } from 'liquidjs'
import { output as outputPattern, translation } from '../templates/data-braces.ts'
import type { LiquidEngine, Texts } from '../templates/liquid-engine.ts'
import type { RenderBudget } from '../templates/render-budget.ts'
import { parseTranslated } from './translated-template.ts'

/** Dependencies of a translator. */
export interface TranslatorOptions {
  readonly engine: LiquidEngine
  /** The texts by key, which may be nested; those of the best locale first. */
  readonly contents: readonly Readonly<Record<string, unknown>>[]
  /** The variables of the texts: payload, subscriber, ... */
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether the texts are HTML, in which the values of variables are escaped. */
  readonly isHtml: boolean
  readonly budget: RenderBudget
  /** Receives the keys that are used and have no text. */
  readonly missing: Set<string>
}

/** Translates into the language of one recipient. */
export interface Translator {
  /** The texts with the values of their variables. */
  readonly texts: Texts
  /**
   * Replaces each `{{ t.key }}` of a text with its translation, and keeps everything else. An output that cannot be
   * read is kept, and counts as missing.
   *
   * @throws An exhausted budget, or an error in a translation.
   */
  translate(text: string): string
}

/** Creates a translator. */
export function createTranslator(options: TranslatorOptions): Translator {
  const { engine, contents, variables, isHtml, budget, missing } = options
  const rendered = new Map<string, string | undefined>()

  function render(keys: readonly string[]): string | undefined {
    for (const content of contents) {
      const text = findPath(content, keys) ?? findPath(content, [keys.join('.')])
      if (typeof text === 'string')
        return engine.render(parseTranslated(text, engine, isHtml).nodes, { variables, budget })
    }
    return undefined
  }

  const texts: Texts = {
    find(keys) {
      const name = JSON.stringify(keys)
      if (!rendered.has(name)) rendered.set(name, render(keys))
      return rendered.get(name)
    },
    miss: (key) => void missing.add(key),
  }

  function translateOutput(source: string, key: string): string {
    let nodes: Template[]
    try {
      nodes = parseTranslated(source, engine, isHtml).nodes
    } catch {
      missing.add(key)
      return source
    }
    return engine.render(nodes, { variables: {}, budget, texts })
  }

  return {
    texts,
    translate(text) {
      if (!text.includes('{{')) return text
      return text.replaceAll(outputPattern, (source) => {
        const key = translation.exec(source)?.[1]
        return key === undefined ? source : translateOutput(source, key.trim())
      })
    },
  }
}
