// biome-ignore-all lint/suspicious/noExplicitAny: blocks come in every shape

type Block = any

const web = /^https?:\/\/[^\s]+$/i
/**
 * Lists violations of Slack's documented Block Kit limits in a message, and fragments that would be visible: unpaired
 * surrogates, broken links and broken escapes.
 */
export function listFaults(message: { readonly text?: unknown; readonly blocks?: readonly unknown[] }): string[] {
  const faults: string[] = []
  const { text = '', blocks = [] } = message as Block
  const must = (holds: boolean, what: string, where: unknown): void => {
    if (!holds) faults.push(`${what}: ${JSON.stringify(where)?.slice(0, 200)}`)
  }
  const within = (value: unknown, [least, most]: readonly [number, number], what: string): void =>
    must(
      typeof value === 'string' && value.trim().length >= least && value.length <= most,
      `${what} has ${least} to ${most} characters`,
      value,
    )
  const checkText = (given: Block, range: readonly [number, number], types: readonly string[]): void => {
    must(types.includes(given?.type), `text is ${types}`, given)
    within(given?.text, range, 'text')
    if (given?.type === 'mrkdwn') checkMarkup(given.text)
  }
  const checkMarkup = (given: string): void => {
    must(!given.replaceAll(/<[^<>]+>/g, '').includes('<'), 'a link is whole', given)
    must(!/&(?!amp;|lt;|gt;)/.test(given), 'an escaped sign is whole', given)
  }
  const checkOptions = (options: Block, most: number): void => {
    must(Array.isArray(options) && options.length >= 1 && options.length <= most, `1 to ${most} options`, options)
    for (const option of options ?? []) {
      checkText(option.text, [1, 75], ['plain_text'])
      within(option.value, [1, 150], 'value')
      if (option.description) checkText(option.description, [1, 75], ['plain_text'])
    }
  }
  const checkList = ({ type, placeholder, options, option_groups: groups, initial_option: initial }: Block): void => {
    must(['radio_buttons', 'static_select'].includes(type), 'element', type)
    if (type === 'static_select') checkText(placeholder, [1, 150], ['plain_text'])
    else must(placeholder === undefined, 'radio buttons have no placeholder', placeholder)
    must((options === undefined) !== (groups === undefined), 'either options or groups', type)
    if (options) checkOptions(options, type === 'radio_buttons' ? 10 : 100)
    must((groups ?? []).length <= 100, 'at most 100 groups', groups)
    for (const group of groups ?? []) {
      checkText(group.label, [1, 75], ['plain_text'])
      checkOptions(group.options, 100)
    }
    const all = options ?? groups?.flatMap((group: Block) => group.options) ?? []
    const wanted = JSON.stringify(initial)
    must(initial === undefined || all.some((one: Block) => JSON.stringify(one) === wanted), 'initial option', initial)
  }
  const checkElement = (element: Block): void => {
    within(element.action_id, [1, 255], 'action_id')
    if (element.type !== 'button') checkList(element)
    else {
      checkText(element.text, [1, 75], ['plain_text'])
      must(element.url === undefined || (web.test(element.url) && element.url.length <= 3000), 'url', element.url)
      if (element.value !== undefined) within(element.value, [1, 2000], 'value')
      must([undefined, 'primary', 'danger'].includes(element.style), 'style', element.style)
    }
  }
  const checks: Readonly<Record<string, (block: Block) => void>> = {
    divider: () => undefined,
    header: ({ text: title }) => checkText(title, [1, 150], ['plain_text']),
    image: ({ image_url: url, alt_text: alt }) => {
      must(web.test(url) && url.length <= 3000, 'image_url', url)
      within(alt, [1, 2000], 'alt_text')
    },
    section: ({ text: said, fields, accessory }) => {
      if (accessory) checkElement(accessory)
      must((said === undefined) !== (fields === undefined), 'either text or fields', said)
      if (said) checkText(said, [1, 3000], ['plain_text', 'mrkdwn'])
      must(fields === undefined || (fields.length >= 1 && fields.length <= 10), '1 to 10 fields', fields)
      for (const field of fields ?? []) checkText(field, [1, 2000], ['plain_text', 'mrkdwn'])
    },
    context: ({ elements }) => {
      must(elements.length >= 1 && elements.length <= 10, '1 to 10 elements', elements)
      for (const one of elements) checkText(one, [1, 2000], ['plain_text', 'mrkdwn'])
    },
    input: ({ label, element }) => {
      checkText(label, [1, 2000], ['plain_text'])
      must(element.type === 'plain_text_input', 'element', element)
    },
    actions: ({ elements }) => {
      must(elements.length >= 1 && elements.length <= 25, '1 to 25 elements', elements)
      must(isEachOnce(elements.map((one: Block) => one.action_id)), 'an action_id is there once', elements)
      for (const element of elements) checkElement(element)
    },
  }
  const checkBlock = (block: Block): void => {
    if (block.block_id !== undefined) within(block.block_id, [1, 255], 'block_id')
    const check = checks[block.type]
    must(check !== undefined, 'block', block.type)
    check?.(block)
  }
  within(text, [1, 4000], 'the text of a message')
  checkMarkup(text)
  must(blocks.length <= 50, 'at most 50 blocks', blocks.length)
  must(isEachOnce(blocks.map((block: Block) => block.block_id)), 'a block_id is there once', blocks)
  for (const block of blocks) checkBlock(block)
  const length = JSON.stringify(blocks, (name, value) => (/^option/.test(name) ? undefined : value)).length
  must(length <= 12_500, 'not too long in all', length)
  must(!/\\ud[89a-f]/i.test(JSON.stringify(message)), 'no half characters', message)
  return faults
}

function isEachOnce(ids: readonly unknown[]): boolean {
  const given = ids.filter((id) => id !== undefined)
  return new Set(given).size === given.length
}
