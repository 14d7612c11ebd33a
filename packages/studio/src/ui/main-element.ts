/** Returns the element that contains the page. Menus open inside it, so that screen readers find them in a landmark. */
export function mainElement(): HTMLElement | null {
  return document.getElementById('main')
}
