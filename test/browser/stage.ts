import type { Browser, Page } from 'playwright-core'

/**
 * How HTML is inserted into a page: as its body, as a separate document, or, for a JSON list of HTML, each in an
 * element.
 */
export type Way = 'innerHTML' | 'document' | 'list'

/** A page for testing HTML. It records everything that runs or tries to run. */
interface Stage {
  readonly page: Page
  /** What was observed since HTML was last set. */
  seen: string[]
}

const origin = 'http://page.test/'
// Only reported, not blocked, so that the first check still detects executed code.
const policy = "script-src 'none'; object-src 'none'; frame-src 'none'; base-uri 'none'"
const stages = 4

/**
 * Sets each HTML in a browser page, interacts with every element, and returns what ran.
 *
 * @param texts - The HTML inputs, in order.
 * @param way - As part of a page, as a separate document, or many in one page.
 * @returns What was observed for each input; empty if nothing ran.
 */
export async function tryOut(browser: Browser, texts: readonly string[], way: Way): Promise<readonly string[][]> {
  const results: string[][] = texts.map(() => [])
  const left = texts.map((text, index) => ({ text, index }))
  const work = async (): Promise<void> => {
    const stage = await createStage(browser)
    for (let next = left.shift(); next; next = left.shift()) results[next.index] = await show(stage, next.text, way)
    await stage.page.context().close()
  }
  await Promise.all(Array.from({ length: stages }, work))
  return results
}

async function createStage(browser: Browser): Promise<Stage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const stage: Stage = { page, seen: [] }
  const see = (what: string): void => void stage.seen.push(what)
  await context.exposeBinding('ran', (_source, what: string) => see(what))
  await context.addInitScript(watch)
  // Nothing leaves the machine; a request for a document means that something was embedded or navigated.
  await context.route('**', (route, request) => {
    if (request.url() === origin) return route.fulfill({ contentType: 'text/html', headers, body: '<p>empty</p>' })
    if (request.isNavigationRequest() || /^(?:javascript|data:text|vbscript)/i.test(request.url()))
      see(`asks for ${request.url()}`)
    return route.abort()
  })
  page.on('dialog', (dialog) => {
    see(`dialog ${dialog.message()}`)
    void dialog.dismiss().catch(() => undefined)
  })
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) see(message.text())
  })
  context.on('page', (opened) => {
    if (opened === page) return
    see('opens a window')
    void opened.close().catch(() => undefined)
  })
  await page.goto(origin)
  return stage
}

const headers = { 'content-security-policy-report-only': policy }

async function show(stage: Stage, text: string, way: Way): Promise<string[]> {
  const { page } = stage
  stage.seen = []
  try {
    if (way === 'document') await page.setContent(text, { waitUntil: 'commit', timeout: 2000 })
    else await page.evaluate(way === 'list' ? setEach : setTwice, text)
    await page.evaluate(useAll)
  } catch (error) {
    // Navigation removes the observing code from the page.
    stage.seen.push(`breaks the page: ${(error as Error).message.split('\n')[0]}`)
  }
  const { seen } = stage
  if (seen.length > 0) await page.goto(origin).catch(() => undefined)
  return seen
}

/** Runs in every document before everything else. */
function watch(): void {
  const { ran } = window as unknown as { ran: (what: string) => void }
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox', 'open'])
    Reflect.set(window, name, () => ran(`calls ${name}`))
  document.addEventListener('securitypolicyviolation', (event) => ran(`violates ${event.effectiveDirective}`))
}

/**
 * The second time it is set as serialized by a browser, because HTML that changes its meaning when serialized is
 * another attack.
 */
function setTwice(text: string): void {
  document.body.innerHTML = text
  document.body.innerHTML = String(document.body.innerHTML)
}

/** Each in a separate element, so that they do not affect each other. */
function setEach(list: string): void {
  document.body.innerHTML = ''
  for (const text of JSON.parse(list) as string[]) {
    const place = document.body.appendChild(document.createElement('div'))
    place.innerHTML = text
    place.innerHTML = String(place.innerHTML)
  }
}

/** Simulates user interaction with every element, except following plain links. */
async function useAll(): Promise<void> {
  const harmless = /^(?:https?|mailto|tel|sms|cid|ftp|geo|xmpp|webcal|whatsapp|myapp):/
  const events = ['mouseover', 'mouseenter', 'focus', 'blur', 'input', 'change', 'toggle', 'error', 'load', 'start']
  for (const element of document.querySelectorAll('*')) {
    for (const name of events) element.dispatchEvent(new Event(name))
    const { href, action, formAction, form } = element as HTMLAnchorElement & HTMLFormElement & HTMLButtonElement
    // A click inside a link is a click on the link.
    const link = element.closest<HTMLAnchorElement>('a[href], area[href]')?.href
    const goal = [formAction, form?.action, action, href, link].find((url) => typeof url === 'string' && url !== '')
    if (goal !== undefined && harmless.test(goal)) continue
    if (element instanceof HTMLFormElement) element.requestSubmit()
    else element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  }
  // Images that cannot be loaded fire an error event; a link with code runs slightly later.
  const end = performance.now() + 500
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
  do await wait(5)
  while (performance.now() < end && [...document.images].some(({ complete }) => !complete))
  await wait(0)
}
