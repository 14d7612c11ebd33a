import { marked } from 'marked'
import ts from 'typescript'

/**
 * A piece of prose.
 *
 * @typedef {{ line: number, text: string, kind: 'docs' | 'comment' | 'message' }} Prose
 */

/** Returns the paragraphs, headings and table cells of a Markdown page. Code is omitted. */
export function textsOfPage(source) {
  const texts = []
  let offset = 0
  const add = (token, content) => {
    const text = content.replace(/\s+/g, ' ').trim()
    if (text !== '') texts.push({ line: lineAt(source, offset), text, kind: 'docs' })
    return token
  }
  const walk = (token) => {
    if (token.type === 'table')
      for (const cell of [token.header, ...token.rows].flat()) add(token, cell.tokens.map(plain).join(''))
    else if (token.type === 'list') for (const item of token.items) item.tokens.forEach(walk)
    else if (['paragraph', 'heading', 'text'].includes(token.type)) add(token, plain(token))
    else if (token.type === 'blockquote') token.tokens.forEach(walk)
  }
  for (const token of marked.lexer(source)) {
    walk(token)
    offset += token.raw.length
  }
  return texts
}

function plain(token) {
  if (token.type === 'codespan') return '`c`'
  if (token.tokens) return token.tokens.map(plain).join('')
  return token.type === 'text' || token.type === 'escape' ? token.text : ' '
}

/**
 * Returns the comments of a TypeScript file, and the strings that look like sentences.
 *
 * @param {boolean} isJsx - Whether the file can contain JSX.
 */
export function textsOfCode(source, isJsx) {
  const kind = isJsx ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const tree = ts.createSourceFile('source', source, ts.ScriptTarget.Latest, true, kind)
  const texts = []
  const seen = new Set()
  const addComments = (position) => {
    const ranges = ts.getLeadingCommentRanges(source, position) ?? []
    const fresh = ranges.filter(({ pos }) => !seen.has(pos))
    for (const { pos } of fresh) seen.add(pos)
    // Consecutive line comments count as one comment.
    const text = fresh.map(({ pos, end }) => cleanComment(source.slice(pos, end))).join(' ')
    if (text.trim() !== '') texts.push({ line: lineAt(source, fresh[0].pos), text, kind: 'comment' })
  }
  const visit = (node) => {
    addComments(node.getFullStart())
    const text = messageOf(node)
    if (text !== undefined) texts.push({ line: lineAt(source, node.getStart()), text, kind: 'message' })
    node.forEachChild(visit)
  }
  visit(tree)
  return texts
}

/** Returns whether a text is a sentence: it has several words and begins with a capital letter. */
const isSentence = (text) => /^\s*[A-Z]\S* \S+ \S+/.test(text)

function messageOf(node) {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return isSentence(node.text) ? node.text : undefined
  if (!ts.isTemplateExpression(node)) return undefined
  const text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('value')
  return isSentence(text) ? text : undefined
}

function cleanComment(comment) {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/@example[\s\S]*?(?=\n@|$)/g, '')
    .replace(/@(?:param|returns|throws|source)\b[^-\n]*-?/g, '. ')
    .replace(/`[^`]*`/g, '`c`')
    .replace(/\s+/g, ' ')
}

function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length
}
